"""Calendars: what they cover, and what is no calendar."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from tests.support.factories import after, calendar_factory
from timegate.domain.calendars.calendar import (
    MAX_ENTRIES,
    MAX_WEEKLY_CHANGES,
    WEEK,
    Calendar,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
    check_calendar,
    covers,
)
from timegate.domain.values.errors import InvalidInput

NOTHING = calendar_factory(weekdays=frozenset())
MS = timedelta(milliseconds=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def covered(calendar: Calendar, text: str) -> tuple[bool, bool]:
    """A millisecond before, and at an instant."""
    return covers(calendar, utc(text) - MS), covers(calendar, utc(text))


def test_a_week_leaves_a_day_for_business() -> None:
    """Six days may be its weekend, seven may not."""
    check_calendar(replace(NOTHING, weekend=WEEK - {3}))
    with pytest.raises(InvalidInput) as caught:
        check_calendar(replace(NOTHING, weekend=WEEK))

    assert (caught.value.field, caught.value.code) == ("weekend", "too_long")


def test_a_weekend_is_not_covered() -> None:
    """It says which days are no business days, and leaves nothing out by itself."""
    calendar = replace(NOTHING, weekend=WEEK - {3})

    assert covered(calendar, "2026-11-21T12:00") == (False, False)


def test_a_day_is_a_local_one() -> None:
    """Christmas in Berlin begins and ends at 23:00 UTC."""
    days = (DayRange(first=date(2026, 12, 24), last=date(2026, 12, 26)),)
    calendar = replace(NOTHING, days=days)

    assert covered(calendar, "2026-12-23T23:00") == (False, True)
    assert covered(calendar, "2026-12-26T23:00") == (True, False)


def test_a_weekday_comes_every_week() -> None:
    """Saturday and Sunday, a clock change or not."""
    weekends = calendar_factory()

    assert covered(weekends, "2026-11-20T23:00") == (False, True)
    assert covered(weekends, "2026-11-22T23:00") == (True, False)
    assert covered(weekends, "2026-10-23T22:00") == (False, True)
    assert covered(weekends, "2026-10-25T23:00") == (True, False)


def test_a_window_opens_on_its_weekdays() -> None:
    """From its opening, included, to its closing, excluded; Wednesday 25 November 2026."""
    window = DailyWindow(weekdays=frozenset({2}), opens=time(9), closes=time(17, 30))
    calendar = replace(NOTHING, windows=(window,))

    assert covered(calendar, "2026-11-25T08:00") == (False, True)
    assert covered(calendar, "2026-11-25T16:30") == (True, False)
    assert covered(calendar, "2026-11-26T08:00") == (False, False)


def test_a_window_reaches_into_the_next_day() -> None:
    """That of a Sunday into Monday; closing when it opens, it is open for a day."""
    night = DailyWindow(weekdays=frozenset({6}), opens=time(22), closes=time(6))
    calendar = replace(NOTHING, windows=(night,))

    assert covered(calendar, "2026-11-22T21:00") == (False, True)
    assert covered(calendar, "2026-11-23T05:00") == (True, False)
    day = replace(night, closes=time(22))
    assert covered(replace(NOTHING, windows=(day,)), "2026-11-23T21:00") == (True, False)


def test_a_window_is_open_by_the_wall_clock() -> None:
    """An hour that Berlin skips opens it where the clock jumps; one it repeats, opens it twice."""
    window = DailyWindow(opens=time(2, 30), closes=time(4))
    calendar = replace(NOTHING, windows=(window,))

    assert covered(calendar, "2026-03-29T01:00") == (False, True)
    assert covered(calendar, "2026-10-25T00:30") == (False, True)
    assert covered(calendar, "2026-10-25T01:00") == (True, False)
    assert covered(calendar, "2026-10-25T01:30") == (False, True)
    assert covered(calendar, "2026-10-25T03:00") == (True, False)


def test_a_period_is_real_time() -> None:
    """To the millisecond, in no time zone."""
    calendar = replace(NOTHING, periods=(Period(start=after(1), end=after(2)),))

    assert [covers(calendar, after(s)) for s in (0.999, 1, 1.999, 2)] == [False, True, True, False]


def test_entries_add_up() -> None:
    """It covers what any of them covers; without entries, nothing."""
    calendar = calendar_factory(periods=(Period(start=after(0), end=after(7 * 86_400)),))

    assert all(covers(calendar, after(hours * 3600)) for hours in range(7 * 24))
    assert not any(covers(NOTHING, after(hours * 3600)) for hours in range(7 * 24))


def every_twenty_minutes(count: int) -> tuple[DailyWindow, ...]:
    """So many windows of a week, ten minutes each."""
    return tuple(
        DailyWindow(
            weekdays=frozenset({n // 72}),
            opens=time(n % 72 // 3, n % 3 * 20),
            closes=time(n % 72 // 3, n % 3 * 20 + 10),
        )
        for n in range(count)
    )


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        pytest.param({"name": "No Name"}, "name", "invalid_format", id="name"),
        pytest.param({"name": "-x"}, "name", "invalid_format", id="dash"),
        pytest.param({"name": "x" * 65}, "name", "invalid_format", id="long-name"),
        pytest.param({"timezone": "Mars/Olympus"}, "timezone", "unknown_timezone", id="zone"),
        pytest.param({"weekdays": frozenset({7})}, "weekdays", "out_of_range", id="weekday"),
        pytest.param({"description": "x" * 2001}, "description", "too_long", id="description"),
        pytest.param(
            {"days": (DayRange(first=date(2026, 1, 2), last=date(2026, 1, 1)),)},
            "days.0.last",
            "range_reversed",
            id="days",
        ),
        pytest.param(
            {"periods": (Period(start=after(0), end=after(0)),)},
            "periods.0.end",
            "range_reversed",
            id="period",
        ),
        pytest.param(
            {"windows": (DailyWindow(weekdays=frozenset(), opens=time(1), closes=time(2)),)},
            "windows.0.weekdays",
            "too_short",
            id="no-day",
        ),
        pytest.param(
            {"windows": (DailyWindow(opens=time(1), closes=time(2, 0, 0, 1)),)},
            "windows.0.closes",
            "invalid_format",
            id="fraction",
        ),
        pytest.param(
            {
                "weekdays": frozenset(),
                "windows": every_twenty_minutes(MAX_WEEKLY_CHANGES // 2 + 1),
            },
            "windows",
            "too_complex",
            id="too-often",
        ),
        pytest.param(
            {"periods": (Period(start=after(0), end=after(1)),) * (MAX_ENTRIES - 1)},
            "calendar",
            "too_many",
            id="entries",
        ),
    ],
)
def test_what_is_no_calendar_is_refused(fields: dict[str, Any], field: str, code: str) -> None:
    """With the field and a code."""
    with pytest.raises(InvalidInput) as refused:
        check_calendar(calendar_factory(**fields))

    assert (refused.value.field, refused.value.code) == (field, code)


def test_the_busiest_calendar_is_one() -> None:
    """The maximum of weekly changes is accepted; touching windows count as one."""
    windows = every_twenty_minutes(MAX_WEEKLY_CHANGES // 2)
    check_calendar(calendar_factory(weekdays=frozenset(), windows=windows))
    touching = tuple(
        DailyWindow(opens=time(n // 60, n % 60), closes=time((n + 1) // 60 % 24, (n + 1) % 60))
        for n in range(1440)
    )
    check_calendar(calendar_factory(windows=touching))


def test_the_largest_calendar_is_one() -> None:
    """The longest name and as many entries as there may be."""
    periods = (Period(start=after(0), end=after(1)),) * (MAX_ENTRIES - 2)
    check_calendar(calendar_factory(name=CalendarName("x" * 64), periods=periods))
