"""Rules with BYSETPOS: of the times of each week, month or year, those at some positions."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import accumulate

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS, EPOCH_DAY, LAST_YEAR
from timegate.domain.recurrence.rrule.parts import Frequency
from timegate.domain.recurrence.rrule.periods import (
    HORIZON_YEARS,
    RuleDays,
    first_day_of,
    month_length,
    year_length,
    year_of,
)
from timegate.domain.recurrence.rrule.times import ClockTimes, picked_indices
from timegate.value_classes import dataclass

_WEEK = 7
_MONTHS = 12
_LONGEST_YEAR = 366
#: The first day of a period, and how many it has.
_Period = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PositionWalls:
    """The times of a period are those of its days; a position counts from 1, or from -1 back."""

    days: RuleDays
    times: ClockTimes
    positions: tuple[int, ...]

    @property
    def is_interval(self) -> bool:
        """Never: each time is picked for itself."""
        return False

    def walls_from(self, start: int) -> Iterator[int]:
        """Yield walls from ``start`` on, in order; ends when a hundred years have none."""
        last = start // DAY_SECONDS
        for period in self._periods_from(last, LAST_YEAR):
            if period[0] - last > HORIZON_YEARS * _LONGEST_YEAR:
                return
            walls = self._walls_of(period)
            last = period[0] if walls else last
            yield from walls[bisect_left(walls, start) :]

    def count_walls(self, begin: int, end: int) -> int:
        """Count those with ``begin`` <= wall < ``end``."""
        if begin >= end:
            return 0
        # A week belongs to the year of its first day, and may end in the next.
        first = year_of(begin // DAY_SECONDS) - 1
        years = range(first, year_of(end // DAY_SECONDS) + 1)
        return sum(self._before(year, end) - self._before(year, begin) for year in years)

    def day_key(self, day: int) -> int | None:
        """Each day that has times has its own: a position picks them from the whole period."""
        begin = day * DAY_SECONDS
        return -1 - day if self.count_walls(begin, begin + DAY_SECONDS) else None

    def _before(self, year: int, wall: int) -> int:
        """Count those before a wall time, of the periods that begin in a year."""
        day, second = divmod(wall, DAY_SECONDS)
        beginnings, counts = _up_to_each_period(self, year)
        whole = bisect_right(beginnings, day) - 1
        if whole < 0:
            return 0
        first, length = beginnings[whole], self._length_of(beginnings[whole])
        if first + length <= day:
            return counts[whole + 1]
        bits = self.days.filtered(first, length)
        before = (bits & (1 << day - first) - 1).bit_count() * self.times.per_day
        if bits >> day - first & 1:
            before += self.times.before(day, second)
        indices = _indices(self.positions, bits.bit_count() * self.times.per_day)
        return counts[whole] + bisect_left(indices, before)

    def periods_of(self, year: int) -> Iterator[_Period]:
        """The periods in phase that begin in a year."""
        begin = first_day_of(year)
        return (period for period in self._periods_from(begin, year) if period[0] >= begin)

    def count_in(self, period: _Period) -> int:
        """Count those of a period."""
        size = self.days.filtered(*period).bit_count() * self.times.per_day
        return len(_indices(self.positions, size)) if size else 0

    def _length_of(self, first: int) -> int:
        """The days of the period that begins on a day."""
        if self.days.freq is Frequency.WEEKLY:
            return _WEEK
        begin = date.fromordinal(first + EPOCH_DAY)
        if self.days.freq is Frequency.MONTHLY:
            return month_length(begin.year, begin.month)
        return year_length(begin.year)

    def _walls_of(self, period: _Period) -> list[int]:
        first, length = period
        bits = self.days.filtered(first, length)
        days = [first + day for day in range(length) if bits >> day & 1]
        a_day = self.times.per_day
        picked = [divmod(index, a_day) for index in _indices(self.positions, len(days) * a_day)]
        return [days[day] * DAY_SECONDS + self.times.at(time) for day, time in picked]

    def _periods_from(self, day: int, last_year: int) -> Iterator[_Period]:
        """The periods in phase, from the one that holds a day or the next, by their first days."""
        match self.days.freq:
            case Frequency.WEEKLY:
                return self._weeks_from(day, first_day_of(last_year + 1))
            case Frequency.MONTHLY:
                return self._months_from(day, last_year)
            case _:
                return self._years_from(day, last_year)

    def _weeks_from(self, day: int, end: int) -> Iterator[_Period]:
        step = _WEEK * self.days.interval
        passed = (day - self.days.first_week) % step
        begin = day - passed if passed < _WEEK else day - passed + step
        return ((first, _WEEK) for first in range(begin, end, step))

    def _months_from(self, day: int, last_year: int) -> Iterator[_Period]:
        begin = _month_number(day)
        begin += (_month_number(self.days.first_day) - begin) % self.days.interval
        for number in range(begin, (last_year + 1) * _MONTHS, self.days.interval):
            year, month = divmod(number, _MONTHS)
            first = date(year, month + 1, 1).toordinal() - EPOCH_DAY
            yield first, month_length(year, month + 1)

    def _years_from(self, day: int, last_year: int) -> Iterator[_Period]:
        begin = year_of(day)
        begin += (year_of(self.days.first_day) - begin) % self.days.interval
        for year in range(begin, last_year + 1, self.days.interval):
            yield first_day_of(year), year_length(year)


@lru_cache(maxsize=4096)
def _up_to_each_period(walls: PositionWalls, year: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first days of a year's periods, and the count before each and before the end."""
    periods = list(walls.periods_of(year))
    counts = accumulate(map(walls.count_in, periods), initial=0)
    return tuple(first for first, _ in periods), tuple(counts)


@lru_cache(maxsize=4096)
def _indices(positions: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Remember the indices: most periods of a rule have one of a few sizes."""
    return tuple(picked_indices(positions, size))


def _month_number(day: int) -> int:
    found = date.fromordinal(day + EPOCH_DAY)
    return found.year * _MONTHS + found.month - 1
