"""The days of a year that a rule names, as a set of bits; ``dateutil`` expands one year of it.

A year's days depend on the weekday it begins on, on its length, and, for week numbers, on the
length of the year before. There are 21 such kinds of years, so that a rule is expanded 21 times at
most, whatever its range.
"""

from calendar import isleap
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache

from timegate.value_classes import dataclass

_WEEK = 7
_LONGEST_YEAR = 366
#: A month has no weekday more often.
_MOST_IN_MONTH = 5
_EVERY_DAY = tuple((weekday, 0) for weekday in range(_WEEK))
#: One step of it leaves the calendar: ``dateutil`` stops behind the first year.
_ONE_YEAR_ONLY = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class DayFilter:
    """The parts of a rule that choose days within a year."""

    bymonth: tuple[int, ...] = ()
    byweekno: tuple[int, ...] = ()
    byyearday: tuple[int, ...] = ()
    bymonthday: tuple[int, ...] = ()
    #: Weekdays from Monday 0, with ordinals within the months of ``bymonth``, or within the year.
    byday: tuple[tuple[int, int], ...] = ()
    wkst: int = 0

    @property
    def is_empty(self) -> bool:
        """Tell whether every day passes."""
        return not (
            self.bymonth or self.byweekno or self.byyearday or self.bymonthday or self.byday
        )


def days_of_year(wanted: DayFilter, year: int) -> int:
    """The days that pass, as bits from 1 January; 0 without any."""
    if wanted.is_empty:
        return (1 << 365 + isleap(year)) - 1
    kind = date(year, 1, 1).weekday(), isleap(year), isleap(year - 1)
    return _days_of_kind(wanted, *kind)


@lru_cache(maxsize=8192)
def _days_of_kind(
    wanted: DayFilter,
    first_weekday: int,
    leap: bool,
    after_leap: bool,
) -> int:
    first = datetime(_year_of_kind(first_weekday, leap, after_leap), 1, 1)  # noqa: DTZ001 - local
    byday = wanted.byday or _EVERY_DAY
    every = [(day, nth) for day, nth in byday if not nth]
    # dateutil looks for the twentieth Sunday of October behind the end of the year, and fails.
    most = _MOST_IN_MONTH if wanted.bymonth else _LONGEST_YEAR
    ordinal = [(day, nth) for day, nth in byday if nth and abs(nth) <= most]
    # Expanded apart: dateutil lets no day pass that is not in both.
    return _expanded(wanted, every, first) | _expanded(wanted, ordinal, first)


def _expanded(wanted: DayFilter, byday: Sequence[tuple[int, int]], first: datetime) -> int:
    # Imported here: no other schedule needs it, and every function would pay for it.
    from dateutil.rrule import YEARLY, rrule, weekday  # noqa: PLC0415

    if not byday:
        return 0
    found = rrule(
        YEARLY,
        dtstart=first,
        interval=_ONE_YEAR_ONLY,
        wkst=wanted.wkst,
        bymonth=wanted.bymonth or None,
        byweekno=wanted.byweekno or None,
        byyearday=wanted.byyearday or None,
        bymonthday=wanted.bymonthday or None,
        byweekday=[weekday(day, nth or None) for day, nth in byday],
        byhour=0,
        byminute=0,
        bysecond=0,
    )
    return sum(1 << (day - first).days for day in found)


@lru_cache(maxsize=32)
def _year_of_kind(first_weekday: int, leap: bool, after_leap: bool) -> int:
    """Find a year that begins on this weekday, with this length, after a year of that length."""
    return next(
        year
        for year in range(2000, 2400)
        if (date(year, 1, 1).weekday(), isleap(year), isleap(year - 1))
        == (first_weekday, leap, after_leap)
    )
