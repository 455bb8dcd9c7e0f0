"""A process that starts or stops the DAG run of a job's run, or ends that, may die at any call."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from tests.support.api import api_services
from tests.support.dag_runs.dag_jobs import ETL, ME, begun, opened, receive, with_dag
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import (
    Script,
    crash,
    due,
    interrupted_stores,
    stored,
    throttle,
)
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.execution.cancel_run import cancel_run

pytestmark = pytest.mark.wide

HELD = Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="etl")
EVENTS = pytest.mark.parametrize("event", [crash, throttle], ids=["dies", "is-refused"])


def interrupted(dag_world: DagWorld, script: Script, act: Callable[[], object]) -> None:
    """Let an actor act whose stores die, or refuse, at a moment of the script."""
    world, works = dag_world.world, dag_world.works
    with interrupted_stores(world, script, "runs", "dag_runs"):
        dag_world.works = replace(works, runs=world.runs, dag_runs=world.dag_runs)
        act()
    dag_world.works = works


def recovered(dag_world: DagWorld, attempt: Attempt) -> DagRun:
    """The message comes again, the sweeper looks, and what is under way ends; the DAG run then."""
    dag_world.world.clock.advance(100)
    receive(dag_world, attempt)
    # One that was put off for load is published anew.
    dag_world.world.sweep()
    dag_world.world.clock.advance(900)
    dag_world.world.sweep()
    dag_world.world.stream()
    dag_world.world.execute(dag_world.world.receive())
    run = opened(dag_world, attempt)
    for _ in range(3):
        dag_world.look(run)
        dag_world.follow()
        dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    return dag_world.dag_runs.get(ME, run.dag_run_id)


def assert_ended(dag_world: DagWorld, attempt: Attempt, state: RunState) -> None:
    """One DAG run was started, it has ended, its run ended as it, and the slot is free."""
    (run,) = dag_world.world.tables.dag_runs.values()
    done = stored(dag_world.world, attempt)

    assert (run.status.value, done.state) == (state.value, state)
    assert (run.is_told, run.watch_at, done.dag_run) == (True, None, run.dag_run_id)
    assert [slots.holders for slots in dag_world.world.tables.slots.values()] == [()]


@EVENTS
def test_who_starts_it(event: Callable[[], None]) -> None:
    """Claim, start and hand-over: repeated, they start no other, and the run ends once."""
    for moment in count():
        dag_world, script = with_dag(), Script(moment, event)
        action = DagAction(dag_id=ETL.dag_id)
        attempt = due(dag_world.world, "a", HELD, action=action)
        interrupted(dag_world, script, lambda w=dag_world, a=attempt: receive(w, a))  # type: ignore[misc]
        recovered(dag_world, attempt)

        assert_ended(dag_world, attempt, RunState.SUCCEEDED)
        if script.moments <= moment:
            break
    assert moment >= 10


@EVENTS
def test_who_ends_it(event: Callable[[], None]) -> None:
    """The end of the last task, of the DAG run, and of the run that waits for it."""
    for moment in count():
        dag_world, script = with_dag(), Script(moment, event)
        left, run = begun(dag_world, overlap=HELD)
        (first,) = dag_world.waiting()
        dag_world.hear(dag_world.finish(first, RunState.SUCCEEDED))
        (last,) = dag_world.waiting()
        ended = dag_world.finish(last, RunState.SUCCEEDED)
        interrupted(dag_world, script, lambda w=dag_world, e=ended: w.hear(e))  # type: ignore[misc]
        for _ in range(3):
            dag_world.look(run)
            dag_world.follow()

        assert_ended(dag_world, left, RunState.SUCCEEDED)
        if script.moments <= moment:
            break
    assert moment >= 10


@EVENTS
def test_who_stops_it(event: Callable[[], None]) -> None:
    """A cancel that the stream showed, to a step that did not come far."""
    for moment in count():
        dag_world, script = with_dag(), Script(moment, event)
        left, run = begun(dag_world, overlap=HELD)
        now = dag_world.world.clock.now()
        cancel_run(ME, left.id.run, api_services(dag_world.world), now=now)
        interrupted(dag_world, script, dag_world.follow)
        for _ in range(4):
            dag_world.look(run)
            dag_world.follow()

        assert_ended(dag_world, left, RunState.CANCELLED)
        if script.moments <= moment:
            break
    assert moment >= 10
