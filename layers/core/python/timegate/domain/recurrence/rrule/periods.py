"""The days that a rule names, year by year, at any distance from its beginning."""

from calendar import isleap
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from timegate.domain.recurrence.cron.wall_clock import EPOCH_DAY, LAST_YEAR
from timegate.domain.recurrence.rrule.days import DayFilter, days_of_year
from timegate.domain.recurrence.rrule.parts import Frequency
from timegate.value_classes import dataclass

#: A rule that names nothing for so long has ended.
HORIZON_YEARS = 100
_WEEK = 7
_MONTHS = 12
_LONGEST_YEAR = 366


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleDays:
    """Days by filter, in every ``interval``-th period from the one that holds ``first_day``.

    Days are counted from 1970-01-01. Steps shorter than a day are none of its business.
    """

    filter: DayFilter
    freq: Frequency
    interval: int
    first_day: int

    def of_year(self, year: int) -> int:
        """The days of a year, as bits from 1 January."""
        return _of_year(self, year)

    def following(self, first: int) -> Iterator[int]:
        """The days from one on, in order; ends when a hundred years have none."""
        year = last = year_of(first)
        while year <= min(last + HORIZON_YEARS, LAST_YEAR):
            begin = first_day_of(year)
            passed = max(first - begin, 0)
            days = self.of_year(year) >> passed << passed
            last = year if days else last
            while days:
                lowest = days & -days
                yield begin + lowest.bit_length() - 1
                days ^= lowest
            year += 1

    def has(self, day: int) -> bool:
        """Tell whether a day is one of them."""
        year = year_of(day)
        return bool(self.of_year(year) >> day - first_day_of(year) & 1)

    def filtered(self, first: int, days: int) -> int:
        """Return the days within two years that the filter lets pass, as bits from the first."""
        year = year_of(first)
        begin, end = first_day_of(year), first_day_of(year + 1)
        bits = days_of_year(self.filter, year) >> first - begin
        if first + days > end:
            bits |= days_of_year(self.filter, year + 1) << end - first
        return bits & (1 << days) - 1

    @property
    def first_week(self) -> int:
        """The first day of the week that the weeks are counted from."""
        # 1970-01-01 was a Thursday.
        return self.first_day - (self.first_day + 3 - self.filter.wkst) % _WEEK


@lru_cache(maxsize=65_536)
def _of_year(rule: RuleDays, year: int) -> int:
    days = days_of_year(rule.filter, year)
    return days and days & _in_phase(rule, year)


def _in_phase(rule: RuleDays, year: int) -> int:
    """The days of a year in every ``interval``-th period."""
    begin = first_day_of(year)
    whole = (1 << _LONGEST_YEAR) - 1
    if rule.interval == 1:
        return whole
    match rule.freq:
        case Frequency.YEARLY:
            return 0 if (year - year_of(rule.first_day)) % rule.interval else whole
        case Frequency.MONTHLY:
            return _months_in_phase(rule, year)
        case Frequency.WEEKLY:
            return _periods(_WEEK, rule.interval * _WEEK, (rule.first_week - begin)) & whole
        case Frequency.DAILY:
            return _periods(1, rule.interval, rule.first_day - begin) & whole
        case _:
            return whole


def _months_in_phase(rule: RuleDays, year: int) -> int:
    start = date.fromordinal(rule.first_day + EPOCH_DAY)
    bits = 0
    for month in range(1, _MONTHS + 1):
        if ((year - start.year) * _MONTHS + month - start.month) % rule.interval == 0:
            first = date(year, month, 1).toordinal() - date(year, 1, 1).toordinal()
            bits |= (1 << month_length(year, month)) - 1 << first
    return bits


def _periods(length: int, step: int, first: int) -> int:
    """Bits of a year in periods of ``length``, each ``step`` after another, one of them first."""
    offset = first % step
    bits = 0
    # The period before may reach into the year.
    for begin in range(offset - step, _LONGEST_YEAR, step):
        period = (1 << length) - 1
        bits |= period << begin if begin >= 0 else period >> -begin
    return bits


def year_of(day: int) -> int:
    """The year that holds a day."""
    return date.fromordinal(day + EPOCH_DAY).year


def first_day_of(year: int) -> int:
    """The number of 1 January."""
    return date(year, 1, 1).toordinal() - EPOCH_DAY


def month_length(year: int, month: int) -> int:
    """Return the number of days of a month."""
    following = date(year + month // _MONTHS, month % _MONTHS + 1, 1)
    return following.toordinal() - date(year, month, 1).toordinal()


def year_length(year: int) -> int:
    """Return the number of days of a year."""
    return 365 + isleap(year)
