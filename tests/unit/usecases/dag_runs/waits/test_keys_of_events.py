"""Keys that an event task makes of a result: one that no event can have fails the task at once."""

import json

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.event_waits import TYPE, payment
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import FailurePolicy
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import MAX_NAME
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey

KEYS = {
    "text": ('"order 4711 é"', "order 4711 é"),
    "number": ("4711", "4711"),
    "longest": (json.dumps("😀" * MAX_NAME), "😀" * MAX_NAME),
}
NO_KEYS = {
    "half a surrogate pair": '"\\ud800"',
    "control character": '"a\\u0000b"',
    "two lines": '"a\\nb"',
    "too long": json.dumps("x" * (MAX_NAME + 1)),
    "too many digits": "1" + "0" * MAX_NAME,
    "empty": '""',
    "list": "[1]",
}


def waits_by(key: str) -> tuple[DagWorld, dict[str, str]]:
    """A DAG run whose wait and last task begin behind a task that answered with this key."""
    dag_world = DagWorld()
    event = AwaitedEvent(type=TYPE, correlation='{"$ref":"tasks.first.result.key"}')
    wait = payment(event=event)
    own = dag(
        (task("first"), wait, task("last")),
        "first -> wait",
        "first -> last",
        failure_policy=FailurePolicy.CONTINUE,
    )
    run = dag_world.start(own)
    (first,) = dag_world.waiting()
    result = f'{{"key":{key}}}'
    dag_world.hear(dag_world.finish(first, RunState.SUCCEEDED, result=result))
    return dag_world, dag_world.states(run)


@pytest.mark.parametrize(("written", "key"), KEYS.values(), ids=KEYS)
def test_a_text_or_number_is_a_key(written: str, key: str) -> None:
    """JSON writes both."""
    dag_world, states = waits_by(written)
    (run,) = dag_world.world.tables.dag_runs.values()

    assert states == {"first": "succeeded", "wait": "running", "last": "running"}
    assert dag_world.tasks(run)[TaskKey("wait")].correlation == key


@pytest.mark.parametrize("written", NO_KEYS.values(), ids=NO_KEYS)
def test_what_no_event_can_have_fails_the_task(written: str) -> None:
    """The DAG run stood still with all of its tasks, or the wait ended with its DAG run alone."""
    dag_world, states = waits_by(written)
    (run,) = dag_world.world.tables.dag_runs.values()
    error = dag_world.tasks(run)[TaskKey("wait")].error

    assert states == {"first": "succeeded", "wait": "failed", "last": "running"}
    assert error is not None
    assert error.code == "wrong_type"
