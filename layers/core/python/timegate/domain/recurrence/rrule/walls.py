"""The wall times of a rule: its days with the times of each."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.rrule.periods import RuleDays, first_day_of, year_length, year_of
from timegate.domain.recurrence.rrule.times import DayTimes, SteppedTimes
from timegate.value_classes import dataclass

#: Steps that fall on none of the times that are allowed are followed over so many days.
MAX_EMPTY_DAYS = 10_000


@dataclass(frozen=True, eq=False)
class DailyWalls:
    """Each day has its times."""

    days: RuleDays
    times: DayTimes

    @property
    def is_interval(self) -> bool:
        """Tell it from the times of a day."""
        return self.times.is_interval

    def walls_from(self, start: int) -> Iterator[int]:
        """Yield walls from ``start`` on, in order; ends when none comes for decades."""
        if not self.times.can_match:
            return
        first_day, second = divmod(start, DAY_SECONDS)
        empty = 0
        for day in self.days.following(first_day):
            empty += 1
            for each in self.times.following(day, second if day == first_day else 0):
                empty = 0
                yield day * DAY_SECONDS + each
            if empty > MAX_EMPTY_DAYS:
                return

    def count_walls(self, begin: int, end: int) -> int:
        """Count those with ``begin`` <= wall < ``end``."""
        if begin >= end or not self.times.can_match:
            return 0
        first_day, first_second = divmod(begin, DAY_SECONDS)
        last_day, last_second = divmod(end, DAY_SECONDS)
        total = sum(
            self._on_days(year, first_day, last_day)
            for year in range(year_of(first_day), year_of(last_day) + 1)
        )
        if self.days.has(first_day):
            total -= self.times.before(first_day, first_second)
        if self.days.has(last_day):
            total += self.times.before(last_day, last_second)
        return total

    def day_key(self, day: int) -> int | None:
        """Give days with the same times the same key: their first step, where days differ."""
        if not self.times.can_match or not self.days.has(day):
            return None
        if isinstance(self.times, SteppedTimes) and self.times.differs_by_day:
            return self.times.first_step(day)
        return 0

    def _on_days(self, year: int, first: int, last: int) -> int:
        """Count those on the days of a year from ``first`` up to ``last``, which is not one."""
        begin = first_day_of(year)
        low, high = max(first - begin, 0), min(last - begin, year_length(year))
        if low >= high:
            return 0
        if self.times.per_day is None:
            counts = _up_to_each_day(self, year)
            return counts[high] - counts[low]
        days = self.days.of_year(year) & (1 << high) - 1
        return (days >> low).bit_count() * self.times.per_day


@lru_cache(maxsize=1024)
def _up_to_each_day(walls: DailyWalls, year: int) -> tuple[int, ...]:
    """Count the times of a year before each of its days, and before its end."""
    begin, days = first_day_of(year), walls.days.of_year(year)
    counts = (
        walls.times.count(begin + day) if days >> day & 1 else 0 for day in range(year_length(year))
    )
    return tuple(accumulate(counts, initial=0))
