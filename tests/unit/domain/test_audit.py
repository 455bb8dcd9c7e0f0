"""What must be on record by now."""

from datetime import timedelta

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    NOW,
    after,
    freeze_factory,
    gap_factory,
    timing_factory,
)
from timegate.domain.audit import (
    FAR_BACK,
    MAX_INSTANTS,
    NEAR_BACK,
    OVERDUE_AFTER,
    SETTLED_AFTER,
    expected_instants,
)
from timegate.domain.instants import MILLISECOND
from timegate.domain.restrictions import Restrictions
from timegate.domain.schedule import Schedule, ScheduleKind

HOURLY = Schedule(kind=ScheduleKind.CRON, cron="0 * * * *")
SECONDLY = Schedule(kind=ScheduleKind.RATE, every_seconds=1)


def test_what_passed_lately_is_not_expected_yet() -> None:
    """At five minutes it is, a millisecond later it is not."""
    timing = timing_factory(anchored_at=after(-600), next_run_at=after(60))
    at_five = expected_instants(timing, now=NOW)
    just_less = expected_instants(timing, now=NOW - timedelta(milliseconds=1))

    assert at_five is not None
    assert just_less is not None
    assert at_five.last == NOW - SETTLED_AFTER
    assert just_less.last == NOW - SETTLED_AFTER - timedelta(minutes=1)
    assert at_five.first == after(-540)


@pytest.mark.parametrize(
    ("overdue", "expected"),
    [
        pytest.param(OVERDUE_AFTER - timedelta(milliseconds=1), False, id="late"),
        pytest.param(OVERDUE_AFTER, True, id="missed"),
    ],
)
def test_what_is_still_to_be_planned_is_a_miss_after_a_while(
    overdue: timedelta, *, expected: bool
) -> None:
    """Until then it is late work of the planner."""
    timing = timing_factory(
        schedule=HOURLY, anchored_at=NOW - timedelta(minutes=59), next_run_at=NOW
    )

    assert (expected_instants(timing, now=NOW + overdue) is not None) is expected


def test_a_schedule_answers_for_its_own_time_only() -> None:
    """Nothing from before it was given, and nothing that is too long ago."""
    young = timing_factory(schedule=HOURLY, anchored_at=after(-7200), next_run_at=after(3600))
    old = timing_factory(schedule=HOURLY, anchored_at=after(-90 * 86_400), next_run_at=after(3600))
    of_young, of_old = (expected_instants(timing, now=NOW) for timing in (young, old))

    assert of_young is not None
    assert of_old is not None
    assert of_young.instants == (after(-7200), after(-3600))
    assert of_old.first == NOW - FAR_BACK


def test_a_busy_job_is_audited_near_by() -> None:
    """At most so many instants, of the last hour."""
    timing = timing_factory(schedule=SECONDLY, anchored_at=after(-86_400), next_run_at=after(600))
    expected = expected_instants(timing, now=NOW)

    assert expected is not None
    assert len(expected.instants) == MAX_INSTANTS
    assert expected.first == NOW - NEAR_BACK


@pytest.mark.parametrize("next_run_at", [None, after(60)], ids=["no more", "the first"])
def test_a_job_without_a_past_owes_nothing(next_run_at: object) -> None:
    """Nothing to fire any more, or nothing fired yet."""
    timing = timing_factory(schedule=EVERY_MINUTE, anchored_at=NOW, next_run_at=next_run_at)

    assert expected_instants(timing, now=NOW) is None


def test_runs_and_gaps_account_for_instants() -> None:
    """A gap for all from its first to its last, a run for one."""
    timing = timing_factory(anchored_at=after(-660), next_run_at=after(60))
    expected = expected_instants(timing, now=NOW)
    assert expected is not None
    assert expected.instants == tuple(after(-60 * n) for n in range(10, 4, -1))
    gap = gap_factory(first=after(-540), last=after(-480), count=2)

    assert expected.without([after(-600), after(-300)], [gap]) == (after(-420), after(-360))


def test_what_a_freeze_holds_back_is_expected_once_it_has_ended() -> None:
    """Not a moment before it is overdue then."""
    timing = timing_factory(next_run_at=NOW)
    restrictions = Restrictions(freezes=(freeze_factory(),))
    end = after(3600) + OVERDUE_AFTER
    early = expected_instants(timing, now=end - MILLISECOND, restrictions=restrictions)
    late = expected_instants(timing, now=end, restrictions=restrictions)

    assert early is not None
    assert early.last == after(-60)
    assert late is not None
    assert late.last == after(3600)
