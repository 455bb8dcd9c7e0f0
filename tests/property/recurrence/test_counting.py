"""Counting instants agrees with walking through them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import (
    MILLISECOND,
    Look,
    bounded,
    looks,
)
from tests.support.values.effort import effort_of
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

#: Plain loops of 50,000 steps that a count of ten years may take.
MOST = 300


def walked(look: Look, at_most: int | None) -> InstantSeries | None:
    """The span, by enumeration."""
    fires = fires_between(
        look.schedule, created_at=look.created_at, after=look.after - MILLISECOND, until=look.until
    )
    found = list(fires)
    last = found if at_most is None else found[len(found) - min(at_most, len(found)) :]
    return InstantSeries(first=last[0], last=last[-1], count=len(last)) if last else None


@settings(max_examples=some(500))
@given(look=st.one_of(looks(), bounded()), at_most=st.none() | st.integers(0, 50))
def test_a_span_is_what_walking_through_it_finds(look: Look, at_most: int | None) -> None:
    """For every kind, zone, policy and bound, on days that change the clock and others."""
    span = span_between(
        look.schedule,
        created_at=look.created_at,
        first=look.after,
        until=look.until,
        at_most=at_most,
    )

    assert span == walked(look, at_most)


@settings(max_examples=some(60))
@given(look=looks(), days=st.integers(200, 900))
def test_so_it_is_over_several_changes_of_the_clock(look: Look, days: int) -> None:
    """Rare patterns over years: stretches meet without a seam."""
    schedule = replace(look.schedule)
    if schedule.kind is ScheduleKind.RATE:
        schedule = replace(schedule, every_seconds=(schedule.every_seconds or 1) + 3600)
    if schedule.cron is not None and len(schedule.cron.split()) == 6:
        schedule = replace(schedule, cron=f"0 {' '.join(schedule.cron.split()[1:])}")
    longer = replace(look, schedule=schedule, until=look.after + timedelta(days=days))
    span = span_between(
        schedule, created_at=look.created_at, first=longer.after, until=longer.until
    )

    assert span == walked(longer, None)


def test_ten_years_of_every_second_take_no_time() -> None:
    """Three hundred million instants, some counted by hand."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron="* * * * * *", timezone="America/New_York")
    first, until = datetime(2016, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    found: list[InstantSeries | None] = []

    def count() -> None:
        found.append(span_between(schedule, created_at=first, first=first, until=until))

    assert effort_of(count, MOST) <= MOST
    (span, *_) = found
    assert span == InstantSeries(
        first=first, last=until, count=(until - first) // timedelta(seconds=1) + 1
    )
