"""The wall times of a cron pattern."""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import date

from timegate.domain.recurrence.cron.pattern import CronPattern
from timegate.domain.recurrence.cron.wall_clock import (
    DAY_SECONDS,
    EPOCH_DAY,
    months_from,
    walls_from,
)
from timegate.value_classes import dataclass


@dataclass(frozen=True, slots=True)
class CronWalls:
    """A pattern, walked and counted along a wall clock."""

    pattern: CronPattern

    @property
    def is_interval(self) -> bool:
        """Tell it from the pattern."""
        return self.pattern.is_interval

    def walls_from(self, start: int) -> Iterator[int]:
        """Walk the matching wall times from ``start`` on."""
        return walls_from(self.pattern, start)

    def count_walls(self, begin: int, end: int) -> int:
        """Count the matching wall times with ``begin`` <= wall < ``end``, month by month."""
        return _count_walls(self.pattern, begin, end)

    def day_key(self, day: int) -> int | None:
        """All days that match are alike."""
        return 0 if _count_days(self.pattern, day, day) else None


def _count_walls(pattern: CronPattern, begin: int, end: int) -> int:
    if begin >= end:
        return 0
    first_day, first_second = divmod(begin, DAY_SECONDS)
    last_day, last_second = divmod(end, DAY_SECONDS)
    a_day = len(pattern.hours) * len(pattern.minutes) * len(pattern.seconds)
    total = _count_days(pattern, first_day, last_day - 1) * a_day
    total -= _count_days(pattern, first_day, first_day) * _seconds_before(pattern, first_second)
    total += _count_days(pattern, last_day, last_day) * _seconds_before(pattern, last_second)
    return total


def _count_days(pattern: CronPattern, first: int, last: int) -> int:
    """The matching days of a closed range, counted from 1970-01-01."""
    total = 0
    if first > last:
        return total
    for month, days in months_from(pattern, date.fromordinal(first + EPOCH_DAY)):
        if month > last:
            break
        below = max(first - month, 0)
        within = (1 << (last - month + 1)) - 1
        total += ((days & within) >> below).bit_count()
    return total


def _seconds_before(pattern: CronPattern, second_of_day: int) -> int:
    """The matching seconds of a matching day before one of its seconds."""
    hour, rest = divmod(second_of_day, 3600)
    minute, second = divmod(rest, 60)
    a_minute = len(pattern.seconds)
    an_hour = len(pattern.minutes) * a_minute
    total = bisect_left(pattern.hours, hour) * an_hour
    if hour in pattern.hours:
        total += bisect_left(pattern.minutes, minute) * a_minute
        if minute in pattern.minutes:
            total += bisect_left(pattern.seconds, second)
    return total
