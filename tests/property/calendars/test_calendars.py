"""Calendars against a clock that is watched minute by minute, and knows no arithmetic of time."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import ZONES
from tests.property.restrictions.restriction_strategies import MINUTE, NAMES, calendars, rules
from tests.support.factories import timing_factory
from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.calendar_filter import is_admitted, runs_at, stretches
from timegate.domain.restrictions.restrictions import Restrictions

#: Around the changes of the clocks in America, Europe and the south, and between them.
EDGES = [
    datetime(2026, 3, 8, tzinfo=UTC),
    datetime(2026, 3, 29, tzinfo=UTC),
    datetime(2026, 4, 5, tzinfo=UTC),
    datetime(2026, 10, 25, tzinfo=UTC),
    datetime(2026, 11, 21, tzinfo=UTC),
]
moments = st.tuples(st.sampled_from(EDGES), st.integers(-2000, 2000)).map(
    lambda drawn: drawn[0] + drawn[1] * MINUTE
)
PATIENCE_DAYS = 12


def wall(calendar: Calendar, moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(calendar.timezone)).replace(tzinfo=None)


def is_whole_day(calendar: Calendar, moment: datetime) -> bool:
    """By date, or by weekday."""
    shown = wall(calendar, moment)
    by_date = any(each.first <= shown.date() <= each.last for each in calendar.days)
    return by_date or shown.weekday() in calendar.weekdays


def is_covered(calendar: Calendar, moment: datetime) -> bool:
    """Entry by entry."""
    shown = wall(calendar, moment)
    for window in calendar.windows:
        opened_today = shown.weekday() in window.weekdays and shown.time() >= window.opens
        if window.opens < window.closes:
            if opened_today and shown.time() < window.closes:
                return True
            continue
        opened_before = (shown.weekday() - 1) % 7 in window.weekdays
        if opened_today or (opened_before and shown.time() < window.closes):
            return True
    within = any(each.start <= moment < each.end for each in calendar.periods)
    return within or is_whole_day(calendar, moment)


def blocks(rule: CalendarRule, calendar: Calendar, moment: datetime) -> bool:
    return is_covered(calendar, moment) is (rule.mode is CalendarMode.EXCLUDE)


def minutes_after(moment: datetime) -> list[datetime]:
    return [moment + n * MINUTE for n in range(1, PATIENCE_DAYS * 24 * 60)]


def walked_past(rule: CalendarRule, calendar: Calendar, moment: datetime) -> datetime | None:
    """Minute by minute, to where this calendar may let it run."""
    time_of_day, day = wall(calendar, moment).time(), wall(calendar, moment).date()
    if rule.mode is CalendarMode.EXCLUDE:
        if is_whole_day(calendar, moment):
            tomorrow = day + timedelta(days=1)
            for minute in minutes_after(moment):
                shown = wall(calendar, minute)
                if shown.date() > tomorrow or (
                    shown.date() == tomorrow and shown.time() >= time_of_day
                ):
                    return minute
            return None
        return next((m for m in minutes_after(moment) if not is_covered(calendar, m)), None)
    first = next((m for m in minutes_after(moment) if is_covered(calendar, m)), None)
    if first is None or not is_whole_day(calendar, first):
        return first
    of_day = wall(calendar, first).date()
    for minute in [first, *minutes_after(first)]:
        shown = wall(calendar, minute)
        if shown.date() > of_day or shown.time() >= time_of_day:
            return minute
    return None


def walked_to(
    named: list[tuple[CalendarRule, Calendar]], instant: datetime, before: datetime
) -> datetime | None:
    """Return the run instant of an instant, found by walking."""
    at_first = [rule for rule, calendar in named if blocks(rule, calendar, instant)]
    if any(rule.action is CalendarAction.SKIP for rule in at_first):
        return None
    moment: datetime | None = instant
    while moment is not None and moment < before:
        at = moment
        blocking = [each for each in named if blocks(*each, at)]
        if not blocking:
            return moment
        moment = walked_past(*blocking[0], moment)
    return None


@settings(max_examples=some(120))
@given(data=st.data(), around=moments)
def test_a_calendar_covers_what_its_entries_cover(data: st.DataObject, around: datetime) -> None:
    """At every minute, and its answer stays the same until it says it may change."""
    calendar = data.draw(calendars("office", around))
    start = around + data.draw(st.integers(-1000, 1000)) * MINUTE
    until = calendar.coverage.next_change(start)
    for number in range(0, 3000, 7):
        moment = start + number * MINUTE
        assert covers(calendar, moment) is is_covered(calendar, moment), moment
        if until is None or moment < until:
            assert is_covered(calendar, moment) is is_covered(calendar, start), moment


@settings(max_examples=some(60))
@given(data=st.data(), around=moments, wanted=rules)
def test_an_instant_is_put_off_to_where_one_would_walk(
    data: st.DataObject, around: datetime, wanted: tuple[CalendarRule, ...]
) -> None:
    """Before the next one is due; whatever the calendars, and over changes of the clocks."""
    drawn = {name: data.draw(calendars(name, around)) for name in NAMES}
    timing = timing_factory(calendars=wanted)
    following = around + data.draw(st.sampled_from([1, 60, 600, 1440, 7000])) * MINUTE
    named = [(rule, drawn[rule.calendar]) for rule in wanted]
    found = runs_at(timing, around, following, Restrictions(calendars=drawn))

    # Where a clock jumps, the walk meets the minute after it; both are the first there is.
    assert found == walked_to(named, around, following)


@settings(max_examples=some(60))
@given(data=st.data(), around=moments, wanted=rules)
def test_stretches_hold_every_instant_once(
    data: st.DataObject, around: datetime, wanted: tuple[CalendarRule, ...]
) -> None:
    """In order, each judged as it is when it is asked about alone."""
    every = data.draw(st.sampled_from([60, 420, 3600, 90_000]))
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every)
    timing = timing_factory(schedule=schedule, anchored_at=around, calendars=wanted)
    restrictions = Restrictions(
        calendars={name: data.draw(calendars(name, around)) for name in NAMES}
    )
    until = around + data.draw(st.integers(1, 4000)) * MINUTE
    expected = named_by(timing, around, until)
    found = []
    for stretch in stretches(timing, around, until, restrictions):
        own = named_by(timing, stretch.span.first, stretch.span.last)
        assert len(own) == stretch.span.count
        for instant in own:
            assert is_admitted(timing, instant, restrictions) is stretch.admitted
        found += own

    assert found == expected


def named_by(timing: Timing, first: datetime, last: datetime) -> list[datetime]:
    """The instants of a closed range."""
    before = first - timedelta(milliseconds=1)
    return list(
        fires_between(timing.schedule, created_at=timing.anchored_at, after=before, until=last)
    )


def test_the_zones_have_changes_to_offer() -> None:
    """Otherwise the walk would prove little."""
    assert len(ZONES) > 3
