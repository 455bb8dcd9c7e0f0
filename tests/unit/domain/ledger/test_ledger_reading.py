"""Reading the ledger: which gaps are shown as one."""

from dataclasses import replace

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    after,
    attempt_factory,
    gap_factory,
    timing_factory,
)
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.ledger.ledger_reading import Record, joined
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason

FIRST = gap_factory(first=after(-600), last=after(-300), count=6, reason=Reason.PAUSED)


def gap(first: float, last: float, *, count: int = 3, reason: Reason = Reason.PAUSED) -> Gap:
    return gap_factory(first=after(first), last=after(last), count=count, reason=reason)


@pytest.mark.parametrize(
    ("later", "anchored_at", "count"),
    [
        pytest.param(gap(-240, -120), -3600, 9, id="touching"),
        pytest.param(gap(-180, -120), -3600, None, id="an-instant-between"),
        pytest.param(gap(-180, -120), -180, 9, id="of-a-schedule-that-is-gone"),
        pytest.param(gap(-240, -120, reason=Reason.SUPERSEDED), -3600, None, id="another-reason"),
        pytest.param(attempt_factory(due_at=after(-240)), -3600, None, id="a-run"),
    ],
)
def test_gaps_that_touch_are_one(later: Record, anchored_at: float, count: int | None) -> None:
    """If they have one reason, and the schedule names nothing between them."""
    timing = timing_factory(schedule=EVERY_MINUTE, anchored_at=after(anchored_at))
    one = joined(FIRST, later, timing)

    assert (one.count if one else None) == count
    assert one is None or (one.first, one.last) == (FIRST.first, after(-120))


@pytest.mark.parametrize(
    ("first", "later", "count"),
    [
        pytest.param(None, None, 9, id="touching"),
        pytest.param(-60, None, None, id="an-instant-between"),
        pytest.param(None, Naming(schedule=EVERY_MINUTE, anchored_at=after(-270)), None, id="two"),
    ],
)
def test_gaps_of_a_schedule_that_is_gone_are_judged_by_that(
    first: float | None, later: Naming | None, count: int | None
) -> None:
    """The present schedule does not judge it; gaps of two schedules stay two."""
    naming = Naming(schedule=EVERY_MINUTE, anchored_at=after(-3600))
    one = replace(FIRST, last=after(-300 + (first or 0)), naming=naming)
    other = replace(gap(-240, -120), naming=later or naming)
    daily = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
    found = joined(one, other, timing_factory(schedule=daily, anchored_at=after(-7200)))

    assert (found.count if found else None) == count
