"""Steps that come twice, late, or after a step died: what they find, and what they make good."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.dag_runs.dag_interventions import retry
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash
from tests.unit.domain.dags.definitions import dag, tasks
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.execution_steps import (
    Executed,
    cleanup_step,
    close_step,
    wait_for_task,
)
from timegate.usecases.dag_runs.open_dag_run import open_dag_run

ONE = dag(tasks("a"))


class Interposed:
    """A store of which one method does something else first."""

    def __init__(self, store: object, name: str, first: Any) -> None:  # noqa: ANN401
        self._store, self._name, self._first = store, name, first

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it is
        """The store's own."""
        method = getattr(self._store, name)
        if name != self._name:
            return method

        def call(*args: object, **kwargs: object) -> object:
            self._first()
            return method(*args, **kwargs)

        return call


def interposed(works: DagWorks, name: str, first: Any) -> DagWorks:  # noqa: ANN401
    """The same, but for that method of the store of DAG runs."""
    return replace(works, dag_runs=Interposed(works.dag_runs, name, first))


def executed(run: DagRun) -> Executed:
    """The execution with which a DAG run began."""
    return Executed(tenant=run.tenant, dag_run_id=run.dag_run_id, round=1)


def test_an_execution_ends_as_its_round_did_though_it_was_repeated_meanwhile() -> None:
    """An operator asks for it between the last step's read and its token."""
    dag_world = DagWorld()
    run = dag_world.start(ONE)
    dag_world.play(run, lambda *_: RunState.FAILED)
    late = interposed(dag_world.works, "keep_token", lambda: retry(dag_world, run))
    close_step(executed(run), "first", late)
    close_step(replace(executed(run), round=2), "second", dag_world.works)
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    answers = dag_world.executions.answers
    first, second = (
        next(told for each, told in answers if each == token) for token in ("first", "second")
    )

    assert '"status": "failed"' in first
    assert '"status": "succeeded"' in second


def test_every_callback_that_waits_is_answered() -> None:
    """A step that was repeated left another token, and the earlier may be the one that counts.

    So may that of an execution whose DAG run was repeated before a step told it of the end.
    """
    dag_world = DagWorld()
    run = dag_world.start(ONE)
    for token in ("late", "early", "late"):
        wait_for_task(run.tenant, run.dag_run_id, TaskKey("a"), token, dag_world.works)
        close_step(executed(run), f"{token} end", dag_world.works)
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    answered = [token for token, _ in dag_world.executions.answers]

    assert set(answered) == {"early", "late", "early end", "late end"}


def test_one_that_is_opened_after_its_deadline_is_looked_at_again() -> None:
    """Its execution came late, and no step had noticed: in the past the sweeper does not look."""
    dag_world = DagWorld()
    run = dag_world.start(dag(tasks("a"), timeout_seconds=60))
    tables = dag_world.world.tables
    tables.dag_tasks.clear()
    tables.attempts.clear()
    tables.dag_runs[run.tenant, run.dag_run_id] = run
    dag_world.world.clock.advance(90)
    open_dag_run(run, dag_world.works)
    opened = dag_world.dag_runs.get(run.tenant, run.dag_run_id)

    assert opened.status is DagRunStatus.RUNNING
    assert opened.watch_at == dag_world.world.clock.now()


def test_who_counted_the_last_end_and_died_is_replaced_at_once() -> None:
    """The record comes again, and its reader closes the DAG run: no sweeper is needed."""
    dag_world = DagWorld()
    run = dag_world.start(ONE)
    (waiting,) = dag_world.waiting()
    ended = dag_world.finish(waiting, RunState.SUCCEEDED)
    sound = dag_world.works

    dag_world.works = interposed(sound, "change", Mock(side_effect=Crash))
    with pytest.raises(Crash):
        dag_world.hear(ended)
    dag_world.works = sound
    counted = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    dag_world.hear(ended)

    assert (counted.status, counted.ended) == (DagRunStatus.RUNNING, frozenset({0}))
    assert dag_world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.SUCCEEDED


def test_a_clean_up_stops_the_run_that_changed_meanwhile() -> None:
    """Another step called it running between its read and its write."""
    dag_world = DagWorld()
    run = dag_world.start(ONE)
    store, changes = dag_world.dag_runs, [1]

    def change_first() -> None:
        if changes:
            changes.pop()
            found = store.get(run.tenant, run.dag_run_id)
            assert store.change(found, found)

    executed = Executed(tenant=run.tenant, dag_run_id=run.dag_run_id, round=1)
    stopped = cleanup_step(executed, interposed(dag_world.works, "change", change_first))

    assert (stopped.status, stopped.reason) == (DagRunStatus.STOPPING, "execution_failed")
