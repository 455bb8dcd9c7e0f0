"""Business days against an oracle that walks from day to day."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.calendars.business_day_oracle import (
    CLOSED_AUGUST,
    GERMANY,
    JAPAN,
    business_days_of_month,
    every_day,
    is_business,
    is_nth,
    shown,
)
from tests.property.calendars.test_calendars import is_covered, moments, named_by
from tests.property.restrictions.restriction_strategies import NAMES, calendars, monthly_rule
from tests.support.factories import NOW, TENANT, timing_factory
from timegate.domain.calendars.business_days import is_business_day, monthly_business_day
from timegate.domain.calendars.calendar import WEEKEND, Calendar, CalendarName, DayRange
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.calendar_filter import is_admitted, stretches
from timegate.domain.restrictions.restrictions import Restrictions

EPOCH = date(1970, 1, 1)
YEAR = 2025
BANKS = [
    pytest.param("Asia/Tokyo", JAPAN, WEEKEND, id="japan"),
    pytest.param("Europe/Berlin", GERMANY, WEEKEND, id="germany"),
    pytest.param("Asia/Riyadh", (), frozenset({4, 5}), id="saudi-arabia"),
    pytest.param("America/New_York", CLOSED_AUGUST, WEEKEND, id="closed-august"),
    pytest.param("Pacific/Auckland", (), frozenset(), id="no-weekend"),
]


def bank(zone: str, days: tuple[DayRange, ...], weekend: frozenset[int]) -> Calendar:
    name = CalendarName("bank")
    return Calendar(
        tenant=TENANT, name=name, timezone=zone, days=days, weekend=weekend, updated_at=NOW
    )


@pytest.mark.parametrize(("zone", "days", "weekend"), BANKS)
def test_a_whole_year_has_the_oracles_business_days(
    zone: str, days: tuple[DayRange, ...], weekend: frozenset[int]
) -> None:
    """Day by day, and for each month every n-th of them from both ends; else there is none."""
    calendar = bank(zone, days, weekend)
    day = date(YEAR, 1, 1)
    while day.year == YEAR:
        number = (day - EPOCH).days
        assert is_business_day(calendar, number) is is_business(calendar, day), day
        if day.day in {1, 15, 28}:
            own = business_days_of_month(calendar, day)
            for n in range(1, 24):
                found = [monthly_business_day(calendar, number, each) for each in (n, -n)]
                expected = [own[n - 1], own[-n]] if n <= len(own) else [None, None]
                assert found == [each and (each - EPOCH).days for each in expected], (day, n)
        day += timedelta(days=1)


@pytest.mark.parametrize(("zone", "days", "weekend"), BANKS)
@pytest.mark.parametrize("number", [1, 3, 23, -1, -5])
def test_a_daily_job_runs_on_one_business_day_of_each_month(
    zone: str, days: tuple[DayRange, ...], weekend: frozenset[int], number: int
) -> None:
    """The oracle's, over a whole year; in a month that has not so many it does not run."""
    calendar = bank(zone, days, weekend)
    schedule = Schedule(kind=ScheduleKind.CRON, cron="30 16 * * *", timezone=zone)
    rule = CalendarRule(calendar="bank", business_day=number)
    start = datetime(YEAR, 1, 1, tzinfo=UTC) - timedelta(days=1)
    timing = timing_factory(schedule=schedule, anchored_at=start, calendars=(rule,))
    restrictions = Restrictions(calendars={"bank": calendar})
    instants = every_day(YEAR, 16, 30, zone)
    found = [
        instant
        for stretch in stretches(timing, instants[0], instants[-1], restrictions)
        if stretch.admitted
        for instant in named_by(timing, stretch.span.first, stretch.span.last)
    ]

    assert found == [
        each for each in instants if is_nth(calendar, shown(calendar, each).date(), number)
    ]


@settings(max_examples=some(60))
@given(data=st.data(), around=moments, rule=monthly_rule)
def test_any_instant_is_judged_as_the_oracle_judges_it(
    data: st.DataObject, around: datetime, rule: CalendarRule
) -> None:
    """Any calendar agrees over changes of the clocks; covered hours of the day stay out."""
    drawn = {name: data.draw(calendars(name, around)) for name in NAMES}
    calendar, restrictions = drawn[rule.calendar], Restrictions(calendars=drawn)
    every = data.draw(st.sampled_from([420, 3600, 90_000]))
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every)
    timing = timing_factory(schedule=schedule, anchored_at=around, calendars=(rule,))
    until = around + timedelta(minutes=data.draw(st.integers(1, 9000)))
    found = []
    for stretch in stretches(timing, around, until, restrictions):
        for instant in named_by(timing, stretch.span.first, stretch.span.last):
            picked = is_nth(calendar, shown(calendar, instant).date(), rule.business_day or 0)
            expected = picked and not is_covered(calendar, instant)
            assert is_admitted(timing, instant, restrictions) is expected, instant
            assert stretch.admitted is expected, instant
            found.append(instant)

    assert found == named_by(timing, around, until)
