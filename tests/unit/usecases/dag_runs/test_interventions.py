"""Operators and the tasks of DAG runs: what each of their decisions leaves."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.support.dag_runs.dag_interventions import asked, begin
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.stores.records import RUNS_TABLE
from tests.unit.domain.dags.definitions import dag, task, tasks
from timegate.adapters.dynamo.dag_runs.dag_run_items import forgotten_at
from timegate.adapters.dynamo.tables.keys import dag_run_key, task_key
from timegate.adapters.step_functions.executions import execution_name
from timegate.domain.dag_runs.intervening import RerunScope
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, InterventionKind
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FailurePolicy, FanOut, InlineTask, Join, JoinKind
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Conflict, IdempotencyConflict
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.interventions.steer_dag_run import retry_dag_run

CHAIN = dag(tasks("a", "b", "c"), "a -> b", "b -> c")
ETL = dag(tasks("a", "b", "c", "d"), "a -> b", "a -> c", "b -> d", "c -> d")
COMPLETE, SKIP, RERUN, *_ = InterventionKind


def failing(*keys: str, rounds: int = 99) -> Callable[[TaskKey, int, int], RunState]:
    """Runs of these tasks fail in the first rounds, all others succeed."""
    return lambda key, number, _: (
        RunState.FAILED if key in keys and number <= rounds else RunState.SUCCEEDED
    )


def now(dag_world: DagWorld, run: DagRun) -> DagRun:
    """The DAG run as it is."""
    return dag_world.dag_runs.get(run.tenant, run.dag_run_id)


def running(dag_world: DagWorld) -> list[str]:
    """Return the tasks and rounds of unfinished runs."""
    marks = [task_run_mark(each.id.run) for each in dag_world.waiting()]
    return sorted(f"{mark.key} {mark.round}" for mark in marks if mark is not None)


def test_a_stuck_task_is_completed_and_its_late_end_changes_nothing() -> None:
    """Its run is asked to stop; what it is said to have answered is what others find."""
    dag_world = DagWorld()
    spec = CHAIN.tasks[1].spec
    assert isinstance(spec, InlineTask)
    own = dag(
        (*CHAIN.tasks[:1], task("b", spec=spec, input='{"$ref":"tasks.a.result.rows"}')), "a -> b"
    )
    run = dag_world.start(own)
    begin(dag_world, dag_world.waiting()[0])
    done = asked(dag_world, run, "a", COMPLETE, result='{"rows":7}')
    again = asked(dag_world, run, "a", COMPLETE, result='{"rows":7}')
    dag_world.follow()
    stuck, second = sorted(dag_world.waiting(), key=lambda each: each.created_at)
    dag_world.hear(dag_world.finish(stuck, RunState.FAILED))
    after = dag_world.tasks(run)[TaskKey("a")]

    assert (done.is_replay, again.is_replay) == (False, True)
    assert stuck.cancel_requested
    assert (after.state, after.reason, after.result) == ("succeeded", "forced", '{"rows":7}')
    assert after.intervention is not None
    assert (after.intervention.kind, after.intervention.by) == (COMPLETE, "operator")
    assert second.payload is not None
    assert second.payload.inline == "7"
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED


def test_a_run_that_waits_is_cancelled_at_once_and_a_skip_is_passed_on() -> None:
    """Tasks that wait for its success are skipped in turn."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    asked(dag_world, run, "a", SKIP)
    dag_world.follow()

    assert dag_world.waiting() == []
    assert dag_world.states(run) == dict.fromkeys("abc", "skipped")
    assert dag_world.tasks(run)[TaskKey("a")].reason == "forced"
    assert now(dag_world, run).status is DagRunStatus.SUCCEEDED


def test_a_pending_task_is_decided_before_it_is_its_turn() -> None:
    """Its successors start at once, and it never runs."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    asked(dag_world, run, "b", COMPLETE)
    dag_world.follow()
    ahead = running(dag_world)
    after = dag_world.play(run, failing())

    assert ahead == ["a 1", "c 1"]
    assert after.status is DagRunStatus.SUCCEEDED
    assert running(dag_world) == []


def test_a_failed_task_is_completed_and_the_run_goes_on_from_there() -> None:
    """Fail fast had cancelled what was beside it: that is run as well."""
    dag_world = DagWorld()
    own = dag(ETL.tasks, edges=ETL.edges, failure_policy=FailurePolicy.FAIL_FAST)
    run = dag_world.start(own)
    stopped = dag_world.play(run, failing("b"))
    asked(dag_world, run, "b", COMPLETE)
    dag_world.follow()
    ahead = running(dag_world)
    after = dag_world.play(run, failing("b"))

    assert (stopped.status, ahead) == (DagRunStatus.FAILED, ["c 2"])
    assert (after.status, after.round, after.opened_as) == (DagRunStatus.SUCCEEDED, 2, 2)
    assert dag_world.executions.begun == [execution_name(run), execution_name(after)]
    assert dag_world.executions.awaited[1] == ("b", "c", "d")


def test_a_failed_task_is_completed_while_others_run() -> None:
    """The round is none of the policy's, and the execution goes on."""
    dag_world = DagWorld()
    own = dag(ETL.tasks, edges=ETL.edges, failure_policy=FailurePolicy.RETRY, max_retries=1)
    run = dag_world.start(own)
    (first,) = dag_world.waiting()
    dag_world.hear(dag_world.finish(first, RunState.SUCCEEDED))
    dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.FAILED))
    failed = next(key for key, state in dag_world.states(run).items() if state == "failed")
    asked(dag_world, run, failed, COMPLETE)
    dag_world.follow()
    after = dag_world.play(run, failing("d", rounds=2))

    assert dag_world.states(run) == dict.fromkeys("abcd", "succeeded")
    assert (after.status, after.round, after.asked_rounds) == (DagRunStatus.SUCCEEDED, 3, 1)
    assert len(dag_world.executions.begun) == 1


SCOPES = {
    "a branch": (RerunScope.BRANCH, {"a": 1, "b": 2, "c": 1, "d": 2}),
    "a task": (RerunScope.TASK, {"a": 1, "b": 2, "c": 1, "d": 1}),
}


@pytest.mark.parametrize(("scope", "rounds"), SCOPES.values(), ids=SCOPES)
def test_a_task_is_run_again_when_all_has_succeeded(
    scope: RerunScope, rounds: dict[str, int]
) -> None:
    """Alone, or with everything behind it; what is beside it stays."""
    dag_world = DagWorld()
    run = dag_world.start(ETL)
    dag_world.play(run, failing())
    asked(dag_world, run, "b", RERUN, scope=scope)
    dag_world.follow()
    ahead = running(dag_world)
    after = dag_world.play(run, failing())

    assert ahead == ["b 2"]
    assert after.status is DagRunStatus.SUCCEEDED
    assert {key: each.round for key, each in dag_world.tasks(run).items()} == rounds


def test_a_branch_is_run_again_while_it_runs() -> None:
    """Its runs are cancelled, and their late ends are refused."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.SUCCEEDED))
    begin(dag_world, dag_world.waiting()[0])
    asked(dag_world, run, "a", RERUN)
    dag_world.follow()
    ahead = running(dag_world)
    late = next(each for each in dag_world.waiting() if each.cancel_requested)
    dag_world.hear(dag_world.finish(late, RunState.FAILED))
    after = dag_world.play(run, failing())

    assert ahead == ["a 2", "b 1"]
    assert after.status is DagRunStatus.SUCCEEDED
    assert set(dag_world.states(run).values()) == {"succeeded"}


def test_failures_that_stay_stop_nothing_again() -> None:
    """One branch is run again beside a failure that failed the run; it fails as before."""
    dag_world = DagWorld()
    own = dag(
        tasks("a", "b", "c"), "a -> b", failure_policy=FailurePolicy.FAIL_FAST, timeout_seconds=60
    )
    run = dag_world.start(own)
    dag_world.play(run, failing("c"))
    asked(dag_world, run, "a", RERUN)
    dag_world.follow()
    after = dag_world.play(run, failing("c"))

    assert dag_world.states(run) == {"a": "succeeded", "b": "succeeded", "c": "failed"}
    assert (after.status, after.known) == (DagRunStatus.FAILED, frozenset({2}))


def test_a_request_to_run_again_is_done_once_under_its_key() -> None:
    """Also when the run has ended meanwhile; asking for something else is a conflict."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    dag_world.play(run, failing())
    first = asked(dag_world, run, "b", RERUN, name="once")
    dag_world.follow()
    dag_world.play(run, failing())
    again = asked(dag_world, run, "b", RERUN, name="once")
    with pytest.raises(IdempotencyConflict):
        asked(dag_world, run, "b", RERUN, name="once", scope=RerunScope.TASK)

    assert (first.is_replay, again.is_replay, again.run.round) == (False, True, 2)
    assert asked(dag_world, run, "b", RERUN).run.round == 3


def test_a_fan_out_is_completed_as_a_whole() -> None:
    """Its members are cancelled, those that end meanwhile change nothing."""
    dag_world = DagWorld()
    fan_out = FanOut(over="parameters.parts", join=Join(kind=JoinKind.ALL), max_width=9)
    own = dag((task("part", fan_out=fan_out), task("after")), "part -> after")
    run = dag_world.start(own, parameters='{"parts":[1,2,3]}')
    dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.SUCCEEDED))
    late = begin(dag_world, dag_world.waiting()[0])
    asked(dag_world, run, "part", COMPLETE, result="[1,2,3]")
    dag_world.follow()
    ahead = running(dag_world)
    (late,) = [each for each in dag_world.waiting() if each.id == late.id]
    dag_world.hear(dag_world.finish(late, RunState.SUCCEEDED))
    part = dag_world.tasks(run)[TaskKey("part")]

    assert ahead == ["after 1", "part 1"]
    assert (part.state, part.result) == ("succeeded", "[1,2,3]")
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED


def test_retrying_comes_after_all_that_operators_did() -> None:
    """A completed task counts as succeeded; tasks that still failed run again."""
    dag_world = DagWorld()
    own = dag(tasks("a", "b"), failure_policy=FailurePolicy.CONTINUE)
    run = dag_world.start(own)
    dag_world.play(run, failing("a", "b"))
    asked(dag_world, run, "a", COMPLETE)
    dag_world.follow()
    still = now(dag_world, run)
    services = dag_world.works
    retry_dag_run(run.tenant, run.dag_run_id, services, now=dag_world.world.clock.now())  # type: ignore[arg-type]
    dag_world.follow()
    ahead = running(dag_world)

    assert (still.status, ahead) == (DagRunStatus.FAILED, ["b 3"])
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    with pytest.raises(Conflict):
        asked(dag_world, run, "a", COMPLETE, result="1")


def test_a_dag_run_that_is_retried_late_keeps_all_its_tasks() -> None:
    """A task that succeeded is read as long as the others work, and as long as the DAG run is."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    dag_world.play(run, failing("b"))
    dag_world.world.clock.advance(59 * 86_400)
    at = dag_world.world.clock.now()
    retry_dag_run(run.tenant, run.dag_run_id, dag_world.works, now=at)  # type: ignore[arg-type]
    dag_world.follow()
    engine, table = dag_world.world.tables.engine, RUNS_TABLE
    keys = [task_key(run.tenant, run.dag_run_id, key) for key in dag_world.tasks(run)]
    items = engine.get_all({table: [dag_run_key(run.tenant, run.dag_run_id), *keys]})[table]

    assert len(items) == 1 + len(CHAIN.tasks)
    assert {item["expires_at"] for item in items.values()} == {
        forgotten_at(now(dag_world, run), retention=timedelta(days=30))
    }
