"""DAG runs in every order: executors, outcomes, sweeper and operators that follow the same ends."""

from typing import Any

import pytest

from tests.property.orders.dag_runs import DagGame
from tests.property.orders.exploring import explore
from tests.unit.domain.dags.definitions import dag, tasks
from timegate.domain.dags.definition import FailurePolicy
from timegate.domain.runs.run import RunState

GOES_ON: dict[str, Any] = {"failure_policy": FailurePolicy.CONTINUE}
ONE = dag(tasks("a"), **GOES_ON)
LINE = dag(tasks("a", "b"), "a -> b", **GOES_ON)
JOIN = dag(tasks("a", "b", "c"), "a -> c", "b -> c", **GOES_ON)
CHOICE = dag(tasks("a", "b", "c"), "a -> b", "a -x c", **GOES_ON)
FAILS_FAST = dag(tasks("a", "b", "c"), "a -> c")
A_FAILS = {"a": RunState.FAILED}
SHORT: dict[str, tuple[Any, ...]] = {
    "one task": (ONE, {}, {"lines": 1}),
    "one task and a look": (ONE, {}, {"looks": 1}),
    "a choice": (CHOICE, A_FAILS, {}),
    "a line with its executor": (LINE, {}, {"lines": 1}),
    "a join": (JOIN, {}, {}),
    "a failure stops the rest": (FAILS_FAST, A_FAILS, {}),
    "one task, cancelled": (ONE, {}, {"cancels": 1}),
    "one task, tried again": (ONE, A_FAILS, {"retries": 1}),
}
WIDE: dict[str, tuple[Any, ...]] = {
    "a line, cancelled": (LINE, {}, {"cancels": 1}),
}


@pytest.mark.parametrize("scope", SHORT)
def test_dag_runs_come_to_their_end_in_every_order(scope: str) -> None:
    assert explore(DagGame(*SHORT[scope])) > 1


@pytest.mark.wide
@pytest.mark.parametrize("scope", WIDE)
def test_dag_runs_come_to_their_end_in_every_order_of_more(scope: str) -> None:
    assert explore(DagGame(*WIDE[scope])) > 1
