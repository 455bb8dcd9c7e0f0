"""Walking a cron pattern along a wall clock that knows no time zone.

A wall time is a number: the seconds from 1970-01-01 00:00 to what the clock shows.
"""

from bisect import bisect_left
from calendar import isleap
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from timegate.domain.recurrence.cron.pattern import CronPattern

DAY_SECONDS = 86_400
#: 1970-01-01 as ``date`` counts days.
EPOCH_DAY = date(1970, 1, 1).toordinal()
#: The rarest pattern, 29 February on a given weekday, comes back within 40 years.
_HORIZON_YEARS = 50
#: Nothing fires later: well within what a datetime can hold, in any zone.
LAST_YEAR = 9000
_FEBRUARY = 2
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def walls_from(pattern: "CronPattern", start: int) -> Iterator[int]:
    """The matching wall times from ``start`` on, in order; ends when none comes for decades."""
    first_day, second_of_day = divmod(start, DAY_SECONDS)
    for day in _days_from(pattern, first_day):
        midnight = day * DAY_SECONDS
        for second in _seconds_from(pattern, second_of_day if day == first_day else 0):
            yield midnight + second


def _days_from(pattern: "CronPattern", start: int) -> Iterator[int]:
    """The matching days from ``start`` on, counted from 1970-01-01."""
    for first, days in months_from(pattern, date.fromordinal(start + EPOCH_DAY)):
        remaining = days
        if first < start:
            passed = start - first
            remaining = days >> passed << passed
        while remaining:
            lowest = remaining & -remaining
            yield first + lowest.bit_length() - 1
            remaining ^= lowest


def months_from(pattern: "CronPattern", begin: date) -> Iterator[tuple[int, int]]:
    """The months a pattern names: the day each begins, and the set of its matching days."""
    for year in _years_from(pattern, begin.year):
        for month in pattern.months:
            if year == begin.year and month < begin.month:
                continue
            first = date(year, month, 1).toordinal()
            length = _MONTH_DAYS[month - 1] + (month == _FEBRUARY and isleap(year))
            # Ordinal 1 was a Monday.
            yield first - EPOCH_DAY, pattern.day_rule.days_of(length, (first - 1) % 7)


def _years_from(pattern: "CronPattern", first: int) -> Iterable[int]:
    if pattern.years is not None:
        return [year for year in pattern.years if year >= first]
    return range(first, min(first + _HORIZON_YEARS, LAST_YEAR + 1))


def _seconds_from(pattern: "CronPattern", start: int) -> Iterator[int]:
    """The matching seconds of a day from ``start`` on."""
    first_hour, rest = divmod(start, 3600)
    first_minute = rest // 60
    for hour in pattern.hours[bisect_left(pattern.hours, first_hour) :]:
        minutes = pattern.minutes
        if hour == first_hour:
            minutes = minutes[bisect_left(minutes, first_minute) :]
        for minute in minutes:
            second_of_day = hour * 3600 + minute * 60
            for second in pattern.seconds:
                if second_of_day + second >= start:
                    yield second_of_day + second
