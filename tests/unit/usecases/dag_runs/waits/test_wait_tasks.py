"""Tasks that wait: for a time, or for a person."""

from datetime import timedelta

import pytest

from tests.support.dag_runs.dag_interventions import asked
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.waiting import approval, look, sleep, sweep, then, watched
from tests.support.execution.overlapping import Script
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRunStatus, InterventionKind, TaskReason
from timegate.domain.dag_runs.run_errors import (
    ApprovalExpired,
    DagRunIsBusy,
    NotAnApproval,
    NotAnApprover,
    TaskHasEnded,
    TaskNotStarted,
)
from timegate.domain.dags.definition import FailurePolicy
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER, Course
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.dag_runs.tasks.wait_task import end_wait

APPROVE, REJECT, RERUN = (
    InterventionKind.APPROVE,
    InterventionKind.REJECT,
    InterventionKind.RERUN,
)


def test_a_sleep_makes_no_run_and_ends_when_its_time_has_come() -> None:
    """One second before it waits; at its end what waits for it starts."""
    dag_world = DagWorld()
    run = dag_world.start(then(sleep(300)))
    look(dag_world, run, 299)
    before = dag_world.states(run)
    none = dag_world.waiting()
    look(dag_world, run, 1)

    assert (before, none) == ({"wait": "running", "b": "pending"}, [])
    assert dag_world.states(run) == {"wait": "succeeded", "b": "running"}
    assert dag_world.play(run, lambda *_: RunState.SUCCEEDED).status is DagRunStatus.SUCCEEDED


@pytest.mark.parametrize(("seconds", "looked_after"), [(30, 30), (119, 119), (121, 120)])
def test_a_dag_run_is_looked_at_when_its_wait_ends(seconds: int, looked_after: int) -> None:
    """A wait that outlasts the regular look leaves that as it is."""
    dag_world = DagWorld()
    run = dag_world.start(then(sleep(seconds)))

    assert timedelta(seconds=120) == LOOK_AFTER
    assert watched(dag_world, run) == timedelta(seconds=looked_after)


def test_a_look_before_the_end_of_a_wait_has_the_next_one_at_its_end() -> None:
    """The rest of the wait is shorter than the time between two looks."""
    dag_world = DagWorld()
    run = dag_world.start(then(sleep(150)))
    sweep(dag_world, run, 120)

    assert watched(dag_world, run) == timedelta(seconds=30)


def test_a_sleep_until_an_instant_that_has_passed_ends_at_once() -> None:
    """By the write that begins it."""
    dag_world = DagWorld()
    past = dag_world.world.clock.now() - timedelta(hours=1)
    run = dag_world.start(then(task("wait", spec=WaitTask(kind=WaitKind.SLEEP, until=past))))

    assert dag_world.states(run) == {"wait": "succeeded", "b": "running"}


def test_a_person_approves_and_later_tasks_find_who_did() -> None:
    """The same decision a second time changes nothing; another one is refused."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval()))
    done = asked(dag_world, run, "wait", APPROVE, by="ann")
    again = asked(dag_world, run, "wait", APPROVE, by="ann")
    with pytest.raises(TaskHasEnded):
        asked(dag_world, run, "wait", REJECT)
    dag_world.follow()
    (second,) = dag_world.waiting()
    after = dag_world.tasks(run)[TaskKey("wait")]

    assert (done.is_replay, again.is_replay) == (False, True)
    assert (after.state, after.reason) == ("succeeded", TaskReason.APPROVED)
    assert after.intervention is not None
    assert (after.intervention.kind, after.intervention.by) == (APPROVE, "ann")
    assert second.payload is not None
    assert second.payload.inline == '{"approved":true,"by":"ann"}'


def test_a_rejected_approval_fails_and_is_asked_for_anew_when_it_is_run_again() -> None:
    """Its second round waits for a second decision."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval()))
    asked(dag_world, run, "wait", REJECT)
    dag_world.follow()
    states = dag_world.states(run)
    status = dag_world.dag_runs.get(run.tenant, run.dag_run_id).status
    asked(dag_world, run, "wait", RERUN)
    dag_world.follow()
    waits = dag_world.tasks(run)[TaskKey("wait")]
    asked(dag_world, run, "wait", APPROVE)
    dag_world.follow()

    assert (states, status) == ({"wait": "failed", "b": "skipped"}, DagRunStatus.FAILED)
    assert (waits.state, waits.round, waits.is_waiting) == ("running", 2, True)
    assert dag_world.states(run)["wait"] == "succeeded"
    assert dag_world.play(run, lambda *_: RunState.SUCCEEDED).status is DagRunStatus.SUCCEEDED


@pytest.mark.parametrize(
    ("on_expiry", "state", "after"),
    [
        (Expiry.SUCCEED, "succeeded", "running"),
        (Expiry.FAIL, "failed", "skipped"),
        (Expiry.SKIP, "skipped", "skipped"),
    ],
)
def test_an_undecided_approval_ends_as_its_dag_says(
    on_expiry: Expiry, state: str, after: str
) -> None:
    """At its end a decision is refused, and a second before it is not."""
    dag_world = DagWorld()
    own = then(approval(on_expiry=on_expiry), failure_policy=FailurePolicy.CONTINUE)
    run, other = dag_world.start(own), dag_world.start(own, key="other")
    dag_world.world.clock.advance(599)
    asked(dag_world, other, "wait", APPROVE)
    dag_world.world.clock.advance(1)
    with pytest.raises(ApprovalExpired):
        asked(dag_world, run, "wait", APPROVE)
    look(dag_world, run, 0)

    assert dag_world.states(run) == {"wait": state, "b": after}
    assert dag_world.tasks(run)[TaskKey("wait")].reason == TaskReason.EXPIRED
    assert dag_world.states(other)["wait"] == "succeeded"


def test_an_approval_without_an_end_waits_until_the_deadline_of_its_dag_run() -> None:
    """Then the DAG run has timed out, and nothing waits any more."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval(None), timeout_seconds=1000))
    look(dag_world, run, 999)
    before = dag_world.states(run)
    look(dag_world, run, 1)

    assert before["wait"] == "running"
    assert dag_world.states(run) == {"wait": "cancelled", "b": "cancelled"}
    assert dag_world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.TIMED_OUT


@pytest.mark.parametrize("kind", [k for k in InterventionKind if k is not InterventionKind.SIGNAL])
def test_only_approvers_decide_where_they_are_named(kind: InterventionKind) -> None:
    """Neither completing nor skipping nor running again goes around them."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval(approvers=("ann", "bob"))))
    with pytest.raises(NotAnApprover):
        asked(dag_world, run, "wait", kind, by="eve")
    state = dag_world.states(run)["wait"]

    assert state == "running"
    assert asked(dag_world, run, "wait", kind, by="bob").progress.intervention is not None


def test_a_task_without_an_approval_is_not_decided() -> None:
    """A sleep is none, nor is a task that runs; an approval that has not begun waits for it."""
    dag_world = DagWorld()
    late = task("late", spec=WaitTask(kind=WaitKind.APPROVAL))
    own = dag((sleep(60), task("b"), late), "wait -> late")
    run = dag_world.start(own)
    for key, error in (("wait", NotAnApproval), ("b", NotAnApproval), ("late", TaskNotStarted)):
        with pytest.raises(error):
            asked(dag_world, run, key, APPROVE)


def test_a_failure_elsewhere_cancels_what_waits_and_asks_what_it_triggers() -> None:
    """An approval that the failure triggers is decided while the DAG run winds down."""
    dag_world = DagWorld()
    gate = approval().spec
    own = dag(
        (task("a"), sleep(600), task("gate", spec=gate), task("clean")),
        *("a -* gate", "gate -> clean"),
        failure_policy=FailurePolicy.FAIL_FAST,
    )
    run = dag_world.start(own)
    (first,) = dag_world.waiting()
    dag_world.hear(dag_world.finish(first, RunState.FAILED))
    stopping = dag_world.states(run)
    asked(dag_world, run, "gate", APPROVE)
    dag_world.follow()
    after = dag_world.play(run, lambda *_: RunState.SUCCEEDED)

    assert stopping == {"a": "failed", "wait": "cancelled", "gate": "running", "clean": "pending"}
    assert dag_world.states(run) | {"a": ""} == {
        "a": "",
        "wait": "cancelled",
        "gate": "succeeded",
        "clean": "succeeded",
    }
    assert after.status is DagRunStatus.FAILED


def test_an_approval_that_a_failure_triggered_expires_as_any() -> None:
    """The DAG run that winds down is looked at when it ends."""
    dag_world = DagWorld()
    gate = approval(90, on_expiry=Expiry.SKIP).spec
    own = dag(
        (task("a"), task("gate", spec=gate)),
        "a -* gate",
        failure_policy=FailurePolicy.FAIL_FAST,
    )
    run = dag_world.start(own)
    (first,) = dag_world.waiting()
    dag_world.hear(dag_world.finish(first, RunState.FAILED))
    sweep(dag_world, run, 60)
    until = watched(dag_world, run)
    sweep(dag_world, run, 30)

    assert until == timedelta(seconds=30)
    assert dag_world.states(run)["gate"] == "skipped"


def test_a_decision_that_meets_the_expiry_is_refused() -> None:
    """The approver reads the task a second before its end, and writes after that."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval(on_expiry=Expiry.SKIP)))
    dag_world.world.clock.advance(599)
    script = Script(3, lambda: look(dag_world, run, 1))
    with pytest.raises(TaskHasEnded):
        asked(dag_world, run, "wait", APPROVE, script=script)

    assert dag_world.states(run)["wait"] == "skipped"
    assert dag_world.tasks(run)[TaskKey("wait")].intervention is None


def test_an_expiry_that_meets_a_decision_changes_nothing() -> None:
    """The sweeper read the task before, and the approver was sooner."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval(on_expiry=Expiry.SKIP)))
    seen = dag_world.tasks(run)[TaskKey("wait")]
    asked(dag_world, run, "wait", APPROVE)
    dag_world.world.clock.advance(600)
    course = Course.of(dag_world.dag_runs.get(run.tenant, run.dag_run_id), dag_world.works)

    assert end_wait(course, seen, dag_world.works) is None
    assert dag_world.states(run)["wait"] == "succeeded"


def test_a_dag_run_that_is_cancelled_waits_no_more() -> None:
    """The waiting task ends with its DAG run, and a decision comes too late."""
    dag_world = DagWorld()
    run = dag_world.start(then(approval()))
    before = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    call_off(before, dag_world.dag_runs, dag_world.world.telemetry, now=dag_world.world.clock.now())
    with pytest.raises(DagRunIsBusy):
        asked(dag_world, run, "wait", APPROVE)
    dag_world.follow()

    assert dag_world.states(run) == {"wait": "cancelled", "b": "cancelled"}
    with pytest.raises(TaskHasEnded):
        asked(dag_world, run, "wait", APPROVE)


def test_a_wait_in_a_zone_that_was_withdrawn_fails_and_others_go_on() -> None:
    """No clock tells its end; the DAG run stood still until its deadline."""
    dag_world = DagWorld()
    spec = WaitTask(kind=WaitKind.SLEEP, time="09:00", timezone="Mars/Olympus")
    tasks = (task("a"), task("wait", spec=spec), task("b"))
    own = dag(tasks, "a -> wait", "a -> b", failure_policy=FailurePolicy.CONTINUE)
    run = dag_world.start(own)
    ended = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    error = dag_world.tasks(run)[TaskKey("wait")].error

    assert dag_world.states(run) == {"a": "succeeded", "wait": "failed", "b": "succeeded"}
    assert error is not None
    assert (error.code, ended.status) == ("unknown_timezone", DagRunStatus.FAILED)
