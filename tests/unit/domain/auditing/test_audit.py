"""The auditor expects a record per instant of its own definition, and reports missing ones."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import (
    NOW,
    after,
    attempt_factory,
    freeze_factory,
    gap_factory,
    job_factory,
    timing_factory,
)
from timegate.domain.auditing.audit import (
    MAX_INSTANTS,
    OVERDUE_AFTER,
    Era,
    LedgerRecords,
    counted_in,
    eras,
    judge,
    short_of_runs,
)
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.ledger import Naming
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.instants import MILLISECOND

HOURLY = Schedule(kind=ScheduleKind.CRON, cron="0 * * * *")
SECONDLY = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
NOTHING = LedgerRecords(runs={}, gaps=())


def an_era(job: Job) -> Era:
    """The last ten minutes of a job."""
    ((era,), _) = eras(job, (), after=after(-600), until=NOW)
    return era


def on_record(*seconds: float) -> LedgerRecords:
    """Runs of these instants."""
    runs = [attempt_factory(due_at=after(each)) for each in seconds]
    return LedgerRecords(runs={run.id.run.scheduled_at: run for run in runs}, gaps=())


def test_each_definition_answers_for_its_own_time() -> None:
    """No instant is named by two of them, and none is left out in between."""
    old = job_factory(anchored_at=after(-600), created_at=after(-600), version=1)
    new = job_factory(
        anchored_at=after(-270), created_at=after(-600), version=2, next_run_at=after(30)
    )
    (first, second), is_whole = eras(new, [old], after=after(-420), until=NOW)

    assert is_whole
    assert first.instants == (after(-360), after(-300))
    assert second.instants == (after(-210), after(-150), after(-90), after(-30))
    assert first.job.timing.next_run_at is None
    assert second.job == new


def test_a_version_of_the_same_schedule_is_no_other_one() -> None:
    """The last of them tells how far it came."""
    old = job_factory(name="before")
    (era,), _ = eras(job_factory(version=2), [old], after=after(-60), until=NOW)

    assert era.instants == (NOW,)


@pytest.mark.parametrize(("seconds", "is_whole"), [(MAX_INSTANTS, True), (MAX_INSTANTS + 1, False)])
def test_one_check_has_a_bound(seconds: int, *, is_whole: bool) -> None:
    """It goes on from the last of so many instants."""
    job = job_factory(schedule=SECONDLY, anchored_at=after(-86_400), next_run_at=after(600))
    (era,), whole = eras(job, (), after=after(-seconds), until=NOW)

    assert whole is is_whole
    assert era.instants[0] == after(1 - seconds)
    assert len(era.instants) == MAX_INSTANTS


def test_runs_and_gaps_account_for_instants() -> None:
    """A gap for all from its first to its last, a run for one."""
    job = job_factory(next_run_at=after(60))
    naming = Naming.of(job.timing)
    gap = gap_factory(first=after(-480), last=after(-420), count=2, naming=naming)
    runs = on_record(-540, -360, -240, -180, -120, -60, 0).runs
    judged = judge([an_era(job)], LedgerRecords(runs=runs, gaps=(gap,)), now=NOW)

    assert judged.unrecorded == (after(-300),)
    assert judged.open_at is None


def test_a_gap_of_another_schedule_accounts_for_its_own_instants_only() -> None:
    """It names no instant between its own."""
    job = job_factory(next_run_at=after(60))
    other = replace(Naming.of(job.timing), anchored_at=after(-3630))
    gap = gap_factory(first=after(-570), last=after(-30), count=10, naming=other)
    judged = judge([an_era(job)], LedgerRecords(runs={}, gaps=(gap,)), now=NOW)

    assert len(judged.unrecorded) == len(an_era(job).instants)


@pytest.mark.parametrize(
    ("overdue", "expected"),
    [
        pytest.param(OVERDUE_AFTER - MILLISECOND, False, id="late"),
        pytest.param(OVERDUE_AFTER, True, id="overdue"),
    ],
)
def test_what_is_still_to_be_planned_is_overdue_after_a_while(
    overdue: timedelta, *, expected: bool
) -> None:
    """Until then it is late work of the planner, and the check stops before it."""
    job = job_factory(schedule=HOURLY, next_run_at=NOW)
    (era,), _ = eras(job, (), after=after(-60), until=NOW)
    judged = judge([era], NOTHING, now=NOW + overdue)

    assert (judged.open_at, judged.open_as) == (NOW, Verdict.PLANNED)
    assert judged.is_overdue(job.timing, NOW + overdue) is expected


def test_what_a_freeze_or_a_pause_holds_back_is_open() -> None:
    """It is decided later, however long that takes."""
    restrictions = Restrictions(freezes=(freeze_factory(),))
    frozen = job_factory(next_run_at=NOW)
    held = replace(
        frozen,
        timing=replace(frozen.timing, status=JobStatus.PAUSED, next_run_at=None, held_at=NOW),
    )
    records = on_record(*range(-540, 0, 60))
    of_frozen = judge([an_era(frozen)], records, now=after(1800), restrictions=restrictions)
    of_held = judge([an_era(held)], records, now=after(86_400))

    assert (of_frozen.open_at, of_frozen.open_as) == (NOW, Verdict.FROZEN)
    assert (of_held.open_at, of_held.open_as) == (NOW, Verdict.PAUSED)
    assert not of_held.is_overdue(held.timing, after(86_400))


@pytest.mark.parametrize("status", [JobStatus.COMPLETED, JobStatus.CANCELLED])
@pytest.mark.parametrize(("planned", "lost"), [(3, 0), (4, 1), (5, 2)])
def test_runs_that_max_runs_allowed_are_counted(planned: int, lost: int, status: JobStatus) -> None:
    """Fewer on record than were made have been lost, also where the job was cancelled later."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=planned)
    timing = timing_factory(
        schedule=schedule,
        anchored_at=after(-600),
        next_run_at=None,
        full=True,
        status=status,
    )
    job = job_factory(timing=timing, updated_at=NOW)
    judged = judge([an_era(job)], on_record(-540, -480, -420), now=NOW)
    assert judged.ended_at == after(-360)
    found = short_of_runs(job, judged.ended_at, 3, now=NOW)

    assert judged.unrecorded == ()
    assert found == [after(-360 + 60 * n) for n in range(lost)]


def test_a_job_that_may_run_on_is_not_counted() -> None:
    """Its ``max_runs`` are not used up."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=5)
    job = job_factory(schedule=schedule, next_run_at=None, runs_planned=4)

    assert short_of_runs(job, NOW, 0, now=after(600)) == []


def test_counting_has_an_open_and_a_closed_end() -> None:
    """The first instant was counted before."""
    assert counted_in([after(n) for n in range(5)], after(1), after(3)) == 2
