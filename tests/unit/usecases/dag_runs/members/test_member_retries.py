"""Retries of fan-outs: members that failed run again, and no others."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.dag_runs.dag_interventions import asked, retry
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import ACME, dag, task
from timegate.domain.dag_runs.fan_out import continued
from timegate.domain.dag_runs.progress import (
    DagRunStatus,
    InterventionKind,
    Members,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy, FanOut
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import DagRunId, TaskKey

PARTS = '{"parts":[10,20,30,40,50]}'
Outcome = Callable[[TaskKey, int, int], RunState]


def wide(policy: FailurePolicy = FailurePolicy.CONTINUE, **fields: int) -> Dag:
    """A fan-out, and a task that is sent its result."""
    part = task("part", fan_out=FanOut(over="parameters.parts"))
    after = task("b", input='{"$ref":"tasks.part.result"}')
    return dag((part, after), "part -> b", failure_policy=policy, **fields)


def failing(*indices: int, rounds: int = 1) -> Outcome:
    """These members fail in the first rounds."""
    return lambda key, number, index: (
        RunState.FAILED
        if key == "part" and index in indices and number <= rounds
        else RunState.SUCCEEDED
    )


def runs_of(dag_world: DagWorld) -> list[tuple[int, int]]:
    """Rounds and members of all runs of the fan-out."""
    marks = [task_run_mark(each.id.run) for each in dag_world.world.attempts() if each.is_task]
    return sorted((m.round, m.index) for m in marks if m is not None and m.key == "part")


def test_a_retry_by_request_repeats_members_that_failed() -> None:
    """They are given what they were given, and the joined result has all."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters=PARTS)
    failed = dag_world.play(run, failing(1, 3))
    retry(dag_world, run)
    given = {each.payload.inline for each in dag_world.waiting() if each.payload is not None}
    after = dag_world.play(run, failing(1, 3))

    assert failed.status is DagRunStatus.FAILED
    assert given == {"20", "40"}
    assert after.status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [*((1, index) for index in range(5)), (2, 1), (2, 3)]
    assert dag_world.tasks(run)[TaskKey("part")].result == '["part","part","part","part","part"]'


def test_a_retry_by_policy_repeats_members_that_failed_round_by_round() -> None:
    """A member that fails twice runs three times, and the others once."""
    dag_world = DagWorld()
    own = wide(FailurePolicy.RETRY, max_retries=2)
    run = dag_world.start(own, parameters=PARTS)
    after = dag_world.play(run, failing(4, rounds=2))

    assert after.status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [*((1, index) for index in range(5)), (2, 4), (3, 4)]


def test_a_member_under_way_when_its_fan_out_failed_runs_again() -> None:
    """Its late failure would use up a retry that is promised to it."""
    dag_world = DagWorld()
    own = wide(FailurePolicy.RETRY, max_retries=1)
    run = dag_world.start(own, parameters='{"parts":[10,20,30]}')
    members = {m.index: each for each in dag_world.waiting() if (m := task_run_mark(each.id.run))}
    dag_world.hear(dag_world.finish(members[2], RunState.SUCCEEDED, result="7"))
    dag_world.hear(dag_world.finish(members[0], RunState.FAILED))
    ahead = runs_of(dag_world)
    after = dag_world.play(run, failing(1))

    assert ahead == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    assert after.status is DagRunStatus.SUCCEEDED
    assert dag_world.tasks(run)[TaskKey("part")].result == '["part","part",7]'


def test_a_success_after_its_fan_out_failed_is_kept() -> None:
    """The join counted no more, and the run says it."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters='{"parts":[10,20]}')
    members = {m.index: each for each in dag_world.waiting() if (m := task_run_mark(each.id.run))}
    dag_world.hear(dag_world.finish(members[0], RunState.FAILED))
    dag_world.hear(dag_world.finish(members[1], RunState.SUCCEEDED, result="7"))
    retry(dag_world, run)
    after = dag_world.play(run, failing())

    assert after.status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (1, 1), (2, 0)]
    assert dag_world.tasks(run)[TaskKey("part")].result == '["part",7]'


def test_members_that_were_cancelled_run_again() -> None:
    """Running members receive a cancel request; a succeeded one keeps its result."""
    dag_world = DagWorld()
    part = task("part", fan_out=FanOut(over="parameters.parts"))
    own = dag((task("a"), part), failure_policy=FailurePolicy.FAIL_FAST)
    run = dag_world.start(own, parameters='{"parts":[10,20]}')
    by_task = {(m.key, m.index): w for w in dag_world.waiting() if (m := task_run_mark(w.id.run))}
    dag_world.hear(dag_world.finish(by_task[TaskKey("part"), 0], RunState.SUCCEEDED))
    dag_world.hear(dag_world.finish(by_task[TaskKey("a"), 0], RunState.FAILED))
    retry(dag_world, run)
    after = dag_world.play(run, failing())

    assert after.status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (1, 1), (2, 1)]


def test_a_fan_out_behind_a_task_that_runs_again_is_repeated_as_a_whole() -> None:
    """Its list may be another one then."""
    dag_world = DagWorld()
    own = dag(
        (task("a"), task("part", fan_out=FanOut(over="parameters.parts"))),
        "a -> part",
        failure_policy=FailurePolicy.CONTINUE,
    )
    run = dag_world.start(own, parameters='{"parts":[10,20]}')
    dag_world.play(run, failing(1))
    asked(dag_world, run, "a", InterventionKind.RERUN)
    dag_world.follow()
    dag_world.play(run, failing())

    assert runs_of(dag_world) == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_a_fan_out_of_which_all_members_failed_is_repeated_as_a_whole() -> None:
    """None of them is kept."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters='{"parts":[10,20]}')
    dag_world.play(run, failing(0, 1))
    retry(dag_world, run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_members_whose_runs_were_forgotten_run_again_with_all_others() -> None:
    """Their answers could not be joined to the list."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters='{"parts":[10,20]}')
    dag_world.play(run, failing(1))
    stored = dag_world.world.tables.attempts
    stored.pop(next(key for key in stored if "part-0" in str(key[1])))
    retry(dag_world, run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 1), (2, 0), (2, 1)]


def test_a_fan_out_behind_a_failure_that_is_tried_again_is_repeated_as_a_whole() -> None:
    """Both are put back together."""
    dag_world = DagWorld()
    own = dag(
        (task("a"), task("part", fan_out=FanOut(over="parameters.parts"))),
        "a -* part",
        failure_policy=FailurePolicy.CONTINUE,
    )
    run = dag_world.start(own, parameters='{"parts":[10,20]}')
    dag_world.play(
        run,
        lambda key, number, index: (
            RunState.FAILED if number == 1 and (key == "a" or index == 1) else RunState.SUCCEEDED
        ),
    )
    retry(dag_world, run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_a_fan_out_that_was_stopped_before_its_members_were_made_is_repeated_as_a_whole() -> None:
    """A member without a run has nothing that it was given."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters='{"parts":[10,20]}')
    dag_world.play(run, failing(1))
    stopped = dag_world.tasks(run)[TaskKey("part")]
    assert stopped.members is not None
    members = replace(stopped.members, is_complete=False)
    assert dag_world.dag_runs.change_task(stopped, replace(stopped, members=members)) is not None
    stored = dag_world.world.tables.attempts
    stored.pop(next(key for key in stored if "part-1" in str(key[1])))
    retry(dag_world, run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (2, 0), (2, 1)]


@pytest.mark.parametrize("kind", [InterventionKind.RERUN, InterventionKind.COMPLETE])
def test_a_member_of_a_late_round_keeps_what_that_round_gave_it(kind: InterventionKind) -> None:
    """Round 11 comes after round 9, although its ids sort before."""
    dag_world = DagWorld()
    fan_out = FanOut(over="tasks.list.result")
    own = dag(
        (task("list"), task("part", fan_out=fan_out)),
        "list -> part",
        failure_policy=FailurePolicy.CONTINUE,
    )
    run = dag_world.start(own)
    for number in range(1, 12):
        if number > 1:
            asked(dag_world, run, "list", InterventionKind.RERUN)
            dag_world.follow()
        (listed,) = dag_world.waiting()
        dag_world.hear(dag_world.finish(listed, RunState.SUCCEEDED, result=f"[{number},0]"))
        dag_world.play(run, failing(0, rounds=11))
    asked(dag_world, run, "part", kind, members=[0])
    dag_world.follow()
    runs = {str(each.id.run): each for each in dag_world.world.attempts()}
    (last,) = [each for name, each in runs.items() if name.endswith("-12-part-0")]

    assert last.payload is not None
    assert last.payload.inline == "11"


def test_members_that_were_left_out_stay_so() -> None:
    """A retry runs neither them nor what has succeeded."""
    dag_world = DagWorld()
    run = dag_world.start(wide(), parameters='{"parts":[10,20,30]}')
    dag_world.play(run, failing(1, 2, rounds=2))
    asked(dag_world, run, "part", InterventionKind.SKIP, members=[1])
    dag_world.follow()
    dag_world.play(run, failing())
    retry(dag_world, run)

    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    assert runs_of(dag_world) == [(1, 0), (1, 1), (1, 2), (3, 2)]


def test_a_member_that_was_left_out_is_kept_by_no_run() -> None:
    """Even if it has succeeded by then."""
    ref = {"tenant": ACME, "dag_run_id": DagRunId("a" * 26), "key": TaskKey("part")}
    ends = Members(width=3, is_complete=True, succeeded=frozenset({0, 1}), skipped=frozenset({1}))
    failed = TaskProgress(**ref, state=TaskState.FAILED, members=ends)  # type: ignore[arg-type]
    going = continued(failed, ends, replace(failed, state=TaskState.PENDING, round=2)).members

    assert going is not None
    assert (going.succeeded, going.own) == (frozenset({0}), frozenset({2}))
