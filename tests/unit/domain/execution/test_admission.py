"""Admission: which delivered message may execute, and what is recorded of the others."""

from dataclasses import replace

import pytest

from tests.support.factories import (
    NOW,
    after,
    attempt_factory,
    attempt_id,
    lease_factory,
    running,
    timing_factory,
)
from timegate.domain.execution.admission import Admission, Admit, Drop, Refuse, admit, is_claimable
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.runs.watch import MAX_LEASES
from timegate.domain.values.identity import OperationId, Origin

JOB = timing_factory()
EDITED = timing_factory(version=2)
#: Its fires are at 30 seconds past each minute, so that ``NOW`` is none of them.
MOVED = timing_factory(version=2, anchored_at=after(-30))
TRIGGERED = attempt_factory(id=attempt_id(origin=Origin.TRIGGER, scheduled_at=after(-0.5)))
CANCEL_ASKED = Refuse(state=RunState.CANCELLED, reason=Reason.CANCEL_REQUESTED)


def abandoned(**fields: object) -> Attempt:
    """Running under a lease that expires now."""
    return replace(running(lease=lease_factory(expires_at=NOW)), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attempt", "claimable"),
    [
        pytest.param(attempt_factory(), True, id="queued"),
        pytest.param(attempt_factory(due_at=after(3600)), False, id="waiting"),
        pytest.param(running(lease=lease_factory(expires_at=after(0.001))), False, id="leased"),
        pytest.param(running(lease=lease_factory(expires_at=NOW)), True, id="at its expiry"),
        pytest.param(
            attempt_factory(state=RunState.RUNNING, lease=None), False, id="running without a lease"
        ),
        *(
            pytest.param(attempt_factory(state=state, watch_at=None), False, id=state)
            for state in sorted(TERMINAL)
        ),
    ],
)
def test_an_attempt_is_claimable_when_no_worker_has_it(
    attempt: Attempt, *, claimable: bool
) -> None:
    """A lease can be taken over at its expiry, not a moment before."""
    assert claimable is is_claimable(attempt, NOW)
    assert claimable is not isinstance(admit(JOB, attempt, now=NOW), Drop)


def test_a_message_without_a_record_is_dropped() -> None:
    """Its record expired long ago, or was never written."""
    assert admit(JOB, None, now=NOW) == Drop()


@pytest.mark.parametrize(
    ("timing", "attempt", "expected"),
    [
        pytest.param(JOB, attempt_factory(), Admit(job_version=1), id="the job as it was planned"),
        pytest.param(
            EDITED, attempt_factory(), Admit(job_version=2), id="adopted by a new version"
        ),
        pytest.param(
            MOVED,
            attempt_factory(),
            Refuse(state=RunState.SKIPPED, reason=Reason.SUPERSEDED),
            id="an instant the new version does not name",
        ),
        pytest.param(
            replace(MOVED, version=1),
            attempt_factory(),
            Admit(job_version=1),
            id="the same version is not asked again",
        ),
        pytest.param(
            None,
            attempt_factory(),
            Refuse(state=RunState.SKIPPED, reason=Reason.SUPERSEDED),
            id="no job",
        ),
        pytest.param(
            timing_factory(status=JobStatus.CANCELLED),
            attempt_factory(),
            Refuse(state=RunState.CANCELLED, reason=Reason.JOB_CANCELLED),
            id="a cancelled job",
        ),
        pytest.param(
            timing_factory(status=JobStatus.PAUSED),
            attempt_factory(),
            Refuse(state=RunState.SKIPPED, reason=Reason.PAUSED),
            id="a paused job",
        ),
        pytest.param(
            timing_factory(status=JobStatus.COMPLETED),
            attempt_factory(),
            Admit(job_version=1),
            id="a completed job's last run",
        ),
    ],
)
def test_a_run_is_judged_by_its_job_as_it_is_now(
    timing: Timing | None, attempt: Attempt, expected: Admission
) -> None:
    """The old version never executes, and no instant that the new one wants is lost."""
    assert expected == admit(timing, attempt, now=NOW)


@pytest.mark.parametrize(
    ("timing", "expected"),
    [
        pytest.param(
            timing_factory(status=JobStatus.PAUSED), Admit(job_version=1), id="a paused job"
        ),
        pytest.param(MOVED, Admit(job_version=2), id="a schedule that does not name its instant"),
        pytest.param(
            timing_factory(status=JobStatus.CANCELLED),
            Refuse(state=RunState.CANCELLED, reason=Reason.JOB_CANCELLED),
            id="a cancelled job",
        ),
    ],
)
def test_a_triggered_run_was_asked_for_by_hand(timing: Timing, expected: Admission) -> None:
    """Neither a pause nor the schedule speaks against it; a cancelled job does."""
    assert expected == admit(timing, TRIGGERED, now=NOW)


@pytest.mark.parametrize(
    ("timing", "reason"),
    [
        pytest.param(timing_factory(status=JobStatus.PAUSED), Reason.PAUSED, id="paused"),
        pytest.param(MOVED, Reason.SUPERSEDED, id="superseded"),
        pytest.param(None, Reason.SUPERSEDED, id="no job"),
    ],
)
def test_a_run_that_had_begun_is_cancelled_instead_of_skipped(
    timing: Timing | None, reason: Reason
) -> None:
    """Its worker died after it had started: it cannot claim that it never ran."""
    assert admit(timing, abandoned(), now=NOW) == Refuse(state=RunState.CANCELLED, reason=reason)


KILLS = Refuse(state=RunState.DEAD_LETTERED, reason=Reason.KILLS_WORKERS)


@pytest.mark.parametrize(
    ("leases", "alone", "expected"),
    [
        pytest.param(MAX_LEASES - 1, MAX_LEASES - 2, Admit(job_version=1), id="one lease left"),
        pytest.param(MAX_LEASES, MAX_LEASES - 1, KILLS, id="none left"),
        pytest.param(MAX_LEASES, MAX_LEASES, KILLS, id="all of them alone"),
        pytest.param(MAX_LEASES, MAX_LEASES - 2, Admit(job_version=1), id="two beside others"),
        pytest.param(2 * MAX_LEASES, 0, Admit(job_version=1), id="all of them beside others"),
    ],
)
def test_an_attempt_is_leased_five_times(leases: int, alone: int, expected: Admission) -> None:
    """Then workers that executed nothing else died of it."""
    assert expected == admit(JOB, abandoned(fence=leases, alone=alone), now=NOW)


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(abandoned(cancel_requested=True), id="its worker died"),
        pytest.param(attempt_factory(cancel_requested=True, fence=1), id="queued again since"),
        pytest.param(abandoned(cancel_requested=True, fence=MAX_LEASES), id="and the four before"),
        pytest.param(replace(TRIGGERED, cancel_requested=True), id="triggered"),
    ],
)
def test_a_requested_cancel_outlives_the_worker_that_should_have_seen_it(attempt: Attempt) -> None:
    """The next worker records the cancel and does not begin again."""
    assert admit(JOB, attempt, now=NOW) == CANCEL_ASKED


@pytest.mark.parametrize(
    ("scheduled_at", "admitted"),
    [(NOW, True), (after(0.001), False), (after(-60), True)],
    ids=["named", "a millisecond off", "the fire before"],
)
def test_adoption_goes_by_the_nominal_instant(scheduled_at: object, *, admitted: bool) -> None:
    """Not by when a retry is due."""
    retried = attempt_factory(id=attempt_id(2, scheduled_at=scheduled_at), due_at=after(-7))  # type: ignore[arg-type]

    assert admitted is isinstance(admit(EDITED, retried, now=NOW), Admit)


def test_a_job_that_now_runs_once_supersedes_its_recurring_runs() -> None:
    """Its new schedule names one instant only."""
    once = timing_factory(version=2, schedule=Schedule(kind=ScheduleKind.AT, at=after(60)))
    superseded = Refuse(state=RunState.SKIPPED, reason=Reason.SUPERSEDED)
    named = attempt_factory(id=attempt_id(scheduled_at=after(60)))

    assert admit(once, attempt_factory(), now=NOW) == superseded
    assert admit(once, named, now=after(60)) == Admit(job_version=2)


def test_a_run_that_an_operation_made_is_late_to_begin_with() -> None:
    """The job's start window does not skip an operation's run, which asks for the past."""
    hasty = timing_factory(start_within_seconds=1)
    backfilled = attempt_factory(operation=OperationId("an operation"))

    assert admit(hasty, attempt_factory(), now=after(2)) == Refuse(
        state=RunState.SKIPPED, reason=Reason.LATE
    )
    assert admit(hasty, backfilled, now=after(2)) == Admit(job_version=1)
