"""Operators and members of a fan-out: run again, completed, left out; the join decides again."""

import json

import pytest

from tests.support.dag_runs.dag_interventions import asked, begin
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    InterventionKind,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.run_errors import (
    DagRunIsBusy,
    MemberHasEnded,
    MemberNotFound,
    MembersIncomplete,
    NoFailedMembers,
    NotAFanOut,
    TaskNotStarted,
)
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FailurePolicy, FanOut, Join, JoinKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.members.make_members import make_members
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.dag_runs.tasks.task_inputs import whole_result

PART = TaskKey("part")
COMPLETE, SKIP, RERUN, *_ = InterventionKind
ALL = Join(kind=JoinKind.ALL)
FIRST = {1: RunState.FAILED, 3: RunState.FAILED}


def started(join: Join = ALL, width: int = 5) -> tuple[DagWorld, DagRun]:
    """A fan-out under way, and what waits for its success."""
    fan_out = FanOut(over="parameters.parts", join=join, max_width=200)
    own = dag(
        (task("part", fan_out=fan_out), task("after")),
        "part -> after",
        failure_policy=FailurePolicy.CONTINUE,
    )
    dag_world = DagWorld()
    parts = [f"file {number}" for number in range(width)]
    return dag_world, dag_world.start(own, parameters=json.dumps({"parts": parts}))


def by_number(dag_world: DagWorld) -> dict[int, Attempt]:
    """Return unfinished members by number."""
    marks = [(task_run_mark(each.id.run), each) for each in dag_world.waiting()]
    return {mark.index: each for mark, each in marks if mark is not None and mark.key == PART}


def end(dag_world: DagWorld, states: dict[int, RunState] | None = None) -> None:
    """All members that go on end, most of them well, and answer their number and round."""
    for index, attempt in by_number(dag_world).items():
        mark = task_run_mark(attempt.id.run)
        assert mark is not None
        state = (states or {}).get(index, RunState.SUCCEEDED)
        answer = f"[{index},{mark.round}]"
        dag_world.hear(dag_world.finish(attempt, state, result=answer))


def part(dag_world: DagWorld, run: DagRun) -> TaskProgress:
    """The fan-out as it is."""
    return dag_world.tasks(run)[PART]


def ended(dag_world: DagWorld, run: DagRun) -> tuple[DagRunStatus, object]:
    """Let the remaining members succeed; return the DAG run's status and the list of answers."""
    after = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    answers = whole_result(part(dag_world, run), dag_world.works)
    return after.status, json.loads(answers or "null")


def test_only_the_failed_members_of_a_wide_fan_out_are_run_again() -> None:
    """With what they were given; the others keep their runs and their answers."""
    dag_world, run = started(width=200)
    before = {index: each.payload for index, each in by_number(dag_world).items()}
    end(dag_world, dict.fromkeys((7, 56, 199), RunState.FAILED))
    failed = dag_world.dag_runs.get(run.tenant, run.dag_run_id).status
    done = asked(dag_world, run, PART, RERUN, members="failed")
    dag_world.follow()
    again = by_number(dag_world)
    end(dag_world)
    status, answers = ended(dag_world, run)

    assert failed is DagRunStatus.FAILED
    assert done.progress.intervention is not None
    assert done.progress.intervention.members == (7, 56, 199)
    assert {index: each.payload for index, each in again.items()} == {
        index: before[index] for index in (7, 56, 199)
    }
    assert status is DagRunStatus.SUCCEEDED
    assert answers == [[index, 2 if index in again else 1] for index in range(200)]


def test_failed_members_are_run_again_while_the_others_go_on() -> None:
    """Nothing of theirs is lost: their ends count in the round in which they come."""
    dag_world, run = started(Join(kind=JoinKind.AT_LEAST, count=3))
    going = by_number(dag_world)
    dag_world.hear(dag_world.finish(going[1], RunState.FAILED))
    asked(dag_world, run, PART, RERUN, members="failed")
    late = dag_world.finish(going[0], RunState.SUCCEEDED, result="0")
    dag_world.follow()
    ahead = sorted(by_number(dag_world))
    dag_world.hear(late)
    end(dag_world)
    status, answers = ended(dag_world, run)

    assert ahead == [1, 2, 3, 4]
    assert (status, answers) == (DagRunStatus.SUCCEEDED, [0, [1, 2], [2, 1], [3, 1], [4, 1]])
    assert len(dag_world.executions.begun) == 1


def test_a_member_that_fails_again_fails_the_join_again() -> None:
    """And can be run again once more, alone."""
    dag_world, run = started()
    end(dag_world, FIRST)
    asked(dag_world, run, PART, RERUN, members=[1, 3])
    dag_world.follow()
    end(dag_world, {3: RunState.FAILED})
    still = part(dag_world, run)
    asked(dag_world, run, PART, RERUN, members=[3])
    dag_world.follow()
    ahead = sorted(by_number(dag_world))
    status, answers = ended(dag_world, run)

    assert (still.state, still.reason, still.round) == (TaskState.FAILED, "join_failed", 2)
    assert (ahead, status) == ([3], DagRunStatus.SUCCEEDED)
    assert answers == [[0, 1], [1, 2], [2, 1], "part", [4, 1]]


def test_a_stuck_member_is_completed_with_its_result() -> None:
    """Its run is asked to stop, and a late end of it changes nothing; once, however often sent."""
    dag_world, run = started()
    stuck = begin(dag_world, by_number(dag_world)[2])
    done = [
        asked(dag_world, run, PART, COMPLETE, members=[2], result='"by hand"') for _ in range(2)
    ]
    dag_world.follow()
    stuck = by_number(dag_world)[2]
    dag_world.hear(dag_world.finish(stuck, RunState.FAILED))
    end(dag_world)
    status, answers = ended(dag_world, run)
    own = dag_world.dag_runs.attempts(run, key=PART, in_round=2)

    assert [each.is_replay for each in done] == [False, True]
    assert stuck.cancel_requested
    assert (status, answers) == (
        DagRunStatus.SUCCEEDED,
        [[0, 1], [1, 1], "by hand", [3, 1], [4, 1]],
    )
    assert [(each.state, each.explanation) for each in own] == [
        (RunState.SUCCEEDED, "completed by operator")
    ]


def test_a_failed_member_is_completed_and_the_run_goes_on() -> None:
    """With all that had come to nothing behind it."""
    dag_world, run = started()
    end(dag_world, {2: RunState.FAILED})
    asked(dag_world, run, PART, COMPLETE, members=[2])
    dag_world.follow()

    assert part(dag_world, run).state is TaskState.SUCCEEDED
    assert dag_world.states(run)["after"] == "running"
    assert ended(dag_world, run) == (
        DagRunStatus.SUCCEEDED,
        [[0, 1], [1, 1], None, [3, 1], [4, 1]],
    )


def test_failed_members_are_left_out_of_the_join() -> None:
    """It is about the others then; one that fails later can still fail it."""
    dag_world, run = started()
    going = by_number(dag_world)
    dag_world.hear(dag_world.finish(going[0], RunState.SUCCEEDED, result="0"))
    asked(dag_world, run, PART, SKIP, members=[1, 2])
    dag_world.follow()
    ahead = sorted(by_number(dag_world))
    end(dag_world, {4: RunState.FAILED})
    failed = part(dag_world, run)
    asked(dag_world, run, PART, SKIP, members="failed")
    dag_world.follow()

    assert ahead == [3, 4]
    assert failed.error is not None
    assert failed.error.message == "1 of 3 members failed; 3 had to succeed."
    assert part(dag_world, run).state is TaskState.SUCCEEDED
    assert ended(dag_world, run) == (DagRunStatus.SUCCEEDED, [0, None, None, [3, 1], None])


def test_all_members_may_be_left_out() -> None:
    """Then all of none have succeeded; of at least one that is too few."""
    ends = {}
    for name, join in {"all": ALL, "one": Join(kind=JoinKind.AT_LEAST, count=1)}.items():
        dag_world, run = started(join, width=2)
        asked(dag_world, run, PART, SKIP, members=[0, 1])
        dag_world.follow()
        ends[name] = part(dag_world, run).state

    assert ends == {"all": TaskState.SUCCEEDED, "one": TaskState.FAILED}


def test_the_whole_task_is_run_again_after_all_that() -> None:
    """Nothing of what was done with members is left."""
    dag_world, run = started()
    end(dag_world, FIRST)
    asked(dag_world, run, PART, SKIP, members="failed")
    dag_world.follow()
    asked(dag_world, run, PART, RERUN)
    dag_world.follow()
    ahead = sorted(by_number(dag_world))
    end(dag_world)

    assert ahead == [0, 1, 2, 3, 4]
    assert ended(dag_world, run) == (
        DagRunStatus.SUCCEEDED,
        [[index, 3] for index in range(5)],
    )


def test_a_dag_run_that_is_cancelled_stops_members_of_every_round() -> None:
    """Also those whose runs are of an earlier one."""
    dag_world, run = started(Join(kind=JoinKind.AT_LEAST, count=1))
    dag_world.hear(dag_world.finish(by_number(dag_world)[1], RunState.FAILED))
    asked(dag_world, run, PART, RERUN, members=[1])
    asked_again = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    with pytest.raises(DagRunIsBusy):
        asked(dag_world, run, PART, SKIP, members=[0])
    dag_world.follow()
    now = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    works = dag_world.works
    call_off(now, works.dag_runs, works.telemetry, now=works.clock.now())
    dag_world.follow()

    assert asked_again.status is DagRunStatus.REOPENING
    assert dag_world.waiting() == []
    assert dag_world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.CANCELLED


def test_who_makes_members_late_cancels_none_that_the_task_waits_for() -> None:
    """Another has made them, and an operator began a round meanwhile that keeps some of them."""
    dag_world, run = started()
    end(dag_world, FIRST)
    asked(dag_world, run, PART, RERUN, members=[1, 3])
    dag_world.follow()
    before = part(dag_world, run)
    made = list(by_number(dag_world).values())
    asked(dag_world, run, PART, RERUN, members=[3])
    dag_world.follow()
    after = make_members(before, made, dag_world.works)
    waiting = {
        mark.index: mark.round
        for each in by_number(dag_world).values()
        if (mark := task_run_mark(each.id.run)) is not None
    }

    assert after is None
    assert waiting == {1: 2, 3: 3}
    assert ended(dag_world, run)[0] is DagRunStatus.SUCCEEDED


def test_what_cannot_be_done_with_members_is_refused() -> None:
    """With a reason, and nothing is changed by it."""
    dag_world, run = started(width=40)
    with pytest.raises(NoFailedMembers):
        asked(dag_world, run, PART, RERUN, members="failed")
    with pytest.raises(MemberNotFound):
        asked(dag_world, run, PART, RERUN, members=[39, 40])
    with pytest.raises(TaskNotStarted):
        asked(dag_world, run, "after", RERUN, members=[0])
    with pytest.raises(InvalidInput):
        asked(dag_world, run, PART, COMPLETE, members=range(26))
    dag_world.hear(dag_world.finish(by_number(dag_world)[3], RunState.SUCCEEDED))
    for kind in (COMPLETE, SKIP):
        with pytest.raises(MemberHasEnded):
            asked(dag_world, run, PART, kind, members=[2, 3])
    end(dag_world)
    with pytest.raises(NotAFanOut):
        asked(dag_world, run, "after", RERUN, members=[0])
    dag_world.world.tables.attempts.pop(
        next(key for key in dag_world.world.tables.attempts if "part-7" in str(key[1]))
    )
    with pytest.raises(MembersIncomplete):
        asked(dag_world, run, PART, RERUN, members=[3])

    assert part(dag_world, run).round == 1
    assert asked(dag_world, run, PART, RERUN).run.round == 2
