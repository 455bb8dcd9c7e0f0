"""Counting the instants of spans that end or begin where the zone's clock changes."""

from datetime import UTC, datetime, timedelta

import pytest

from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import MILLISECOND

FORWARD = datetime(2026, 3, 29, 1, tzinfo=UTC)
BACK = datetime(2026, 10, 25, 1, tzinfo=UTC)
PATTERNS = ("* * * * *", "0 * * * *", "30 2 * * *", "0 3 * * *", "* * * * * *", "1 0 3 * * *")
OFFSETS = (-60, -2, -1, 0, 1, 2, 60)


@pytest.mark.parametrize("changed_at", [FORWARD, BACK], ids=["forward", "back"])
@pytest.mark.parametrize("cron", PATTERNS)
@pytest.mark.parametrize("at_the_end", [False, True], ids=["begins", "ends"])
def test_a_span_counts_the_instants_at_a_change_of_the_clock(
    changed_at: datetime, cron: str, *, at_the_end: bool
) -> None:
    """The first instant after the change is in a span that ends with it, and none is in twice."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron, timezone="Europe/Berlin")
    hour, created_at = timedelta(hours=1), changed_at - timedelta(days=1)
    for seconds in OFFSETS:
        edge = changed_at + timedelta(seconds=seconds)
        first, until = (edge - hour, edge) if at_the_end else (edge, edge + hour)
        fires = list(
            fires_between(schedule, created_at=created_at, after=first - MILLISECOND, until=until)
        )
        span = span_between(schedule, created_at=created_at, first=first, until=until)

        walked = InstantSeries(first=fires[0], last=fires[-1], count=len(fires)) if fires else None
        assert span == walked
