"""The gaps of the ledger."""

import pytest

from tests.support.factories import NOW, after, timing_factory
from timegate.domain.jobs.job import JobStatus
from timegate.domain.ledger.ledger import abandoned, gap_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason

#: Its instants are NOW and every minute after.
TIMING = timing_factory(anchored_at=after(-60), version=7)


@pytest.mark.parametrize(
    ("first", "until", "expected"),
    [
        pytest.param(0, 120, (NOW, after(120), 3), id="both-ends"),
        pytest.param(0.001, 119.999, (after(60), after(60), 1), id="within"),
        pytest.param(61, 119.999, None, id="between"),
        pytest.param(60, 0, None, id="reversed"),
    ],
)
def test_a_gap_has_both_its_ends(first: float, until: float, expected: object) -> None:
    """First and last are instants; a range without any is no gap."""
    gap = gap_between(
        TIMING, first=after(first), until=after(until), reason=Reason.PAUSED, now=after(999)
    )

    assert expected == (gap and (gap.first, gap.last, gap.count))


def test_a_gap_tells_whose_and_when() -> None:
    """And which version of the job named its instants."""
    gap = gap_between(TIMING, first=NOW, until=NOW, reason=Reason.PAUSED, now=after(9))

    assert gap is not None
    assert (gap.tenant, gap.job_id) == (TIMING.tenant, TIMING.job_id)
    assert (gap.job_version, gap.reason, gap.recorded_at) == (7, Reason.PAUSED, after(9))


@pytest.mark.parametrize(
    ("seconds", "count"),
    [pytest.param(-0.001, 0, id="not yet"), pytest.param(0, 1, id="at the instant")],
)
def test_a_schedule_that_ends_leaves_what_had_passed(seconds: float, count: int) -> None:
    """Up to the very instant of its end; what was planned ahead are runs."""
    gap = abandoned(TIMING, Reason.SUPERSEDED, now=after(seconds))

    assert count == (gap.count if gap is not None else 0)
    assert gap is None or gap.reason is Reason.SUPERSEDED


def test_what_a_pause_held_back_is_paused_whatever_ends_it() -> None:
    """The cancel came later."""
    held = timing_factory(
        anchored_at=after(-60), status=JobStatus.PAUSED, next_run_at=None, held_at=after(60)
    )
    gap = abandoned(held, Reason.JOB_CANCELLED, now=after(180))

    assert gap is not None
    assert (gap.first, gap.count, gap.reason) == (after(60), 3, Reason.PAUSED)


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(Schedule(kind=ScheduleKind.AT, at=NOW), id="at"),
        pytest.param(Schedule(kind=ScheduleKind.IMMEDIATE), id="immediate"),
        pytest.param(Schedule(kind=ScheduleKind.DELAY, delay_seconds=0.0), id="delay"),
    ],
)
def test_an_only_instant_is_a_gap_of_one(schedule: Schedule) -> None:
    """First and last are the same."""
    timing = timing_factory(schedule=schedule, anchored_at=NOW)
    gap = abandoned(timing, Reason.JOB_CANCELLED, now=after(60))

    assert gap is not None
    assert (gap.first, gap.last, gap.count) == (NOW, NOW, 1)


def test_a_job_that_waits_for_nothing_leaves_nothing() -> None:
    """All its instants have records."""
    assert abandoned(timing_factory(next_run_at=None), Reason.SUPERSEDED, now=after(60)) is None
