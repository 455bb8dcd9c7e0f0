"""DAGs that jobs start, where a process dies, or a record is missing."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from tests.support.dag_runs.dag_jobs import ETL, ME, begun, ends, opened, receive, with_dag
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import due, stored
from tests.support.factories import after
from tests.unit.domain.dags.definitions import dag
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dags.definition import DagStatus
from timegate.domain.limits.overlap import Overlap
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.payload import Payload
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER, LOOK_SOON
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs


@pytest.fixture
def dag_world() -> DagWorld:
    """With a DAG of two tasks in it."""
    return with_dag()


def test_a_request_that_the_stream_lost_is_found_at_the_next_look(dag_world: DagWorld) -> None:
    """So is a run that ended in another way: no run waits for its DAG run."""
    left, run = begun(dag_world)
    dag_world.follow()
    world = dag_world.world
    assert world.runs.replace(left, replace(left, cancel_requested=True))
    dag_world.read_attempts = len(world.tables.images)
    dag_world.look(run)
    dag_world.follow()

    assert stored(world, left).state is RunState.CANCELLED


def test_an_executor_that_dies_after_the_start_starts_no_other(
    dag_world: DagWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that takes the run over meets its DAG run, under another fence."""
    world = dag_world.world
    attempt = due(world, "a", Overlap(), action=DagAction(dag_id=ETL.dag_id))

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "hand_over", Mock(side_effect=Throttled("busy")))
        unsettled = receive(dag_world, attempt)
    world.clock.advance(61)
    receive(dag_world, attempt)
    run = opened(dag_world, attempt)
    dag_world.play(run, ends(RunState.SUCCEEDED))
    done = stored(world, attempt)

    assert len(unsettled) == 1
    assert len(world.tables.dag_runs) == 1
    assert (done.state, done.fence) == (RunState.SUCCEEDED, 2)


def test_one_that_ends_before_it_was_handed_over_is_ended(dag_world: DagWorld) -> None:
    """Under the fence that is stored; one that waits to be taken over is met at the next look."""
    world = dag_world.world
    left, run = begun(dag_world)
    lost = replace(left, state=RunState.QUEUED, lease=None, watch_at=after(90))
    assert world.runs.replace(left, lost)
    dag_world.play(run, ends(RunState.SUCCEEDED))
    waiting = dag_world.dag_runs.get(ME, run.dag_run_id)
    receive(dag_world, lost)
    ref = DagRunRef(tenant=ME, id=run.dag_run_id)
    world.clock.advance(LOOK_SOON.total_seconds())
    touched = dag_world.dag_runs.touch(
        ref, now=world.clock.now(), watch_at=world.clock.now() + LOOK_AFTER
    )
    dag_world.follow()

    assert (waiting.has_ended, waiting.is_told) == (True, False)
    assert touched is not None
    assert stored(world, left).state is RunState.SUCCEEDED
    assert dag_world.dag_runs.get(ME, run.dag_run_id).watch_at is None


REFUSED = {
    "gone": (DagAction(dag_id=dag((), dag_id="b" * 26).dag_id), None, "dag_not_found"),
    "no-object": (DagAction(dag_id=ETL.dag_id), "[1]", "not_an_object"),
}


@pytest.mark.parametrize(("action", "payload", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_started_fails_the_run(
    dag_world: DagWorld, action: DagAction, payload: str | None, code: str
) -> None:
    """For good, with a code of its own."""
    given = Payload(inline=payload, size_bytes=3) if payload is not None else Payload()
    attempt = due(dag_world.world, "a", Overlap(), action=action, payload=given)
    receive(dag_world, attempt)
    done = stored(dag_world.world, attempt)

    assert (done.state, done.error and done.error.code) == (RunState.FAILED, code)


def test_a_dag_that_was_deleted_fails_the_run(dag_world: DagWorld) -> None:
    """A DAG run that started before goes on."""
    left, run = begun(dag_world)
    dag_world.world.dags.update(ETL, replace(ETL, version=2, status=DagStatus.DELETED))
    other = due(dag_world.world, "b", Overlap(), action=DagAction(dag_id=ETL.dag_id))
    receive(dag_world, other)
    dag_world.play(run, ends(RunState.SUCCEEDED))
    refused = stored(dag_world.world, other)

    assert (refused.state, refused.error and refused.error.code) == (
        RunState.FAILED,
        "dag_deleted",
    )
    assert stored(dag_world.world, left).state is RunState.SUCCEEDED


def test_looking_twice_changes_nothing(dag_world: DagWorld) -> None:
    """Nor does a cancel of a run that is shown late."""
    left, run = begun(dag_world)
    dag_world.play(run, ends(RunState.SUCCEEDED))
    done = stored(dag_world.world, left)
    look_at_dag_runs([DagRunRef(tenant=ME, id=run.dag_run_id)] * 2, dag_world.works)

    assert stored(dag_world.world, left) == done
