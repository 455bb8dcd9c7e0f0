"""The days of wall times, as bits."""

from functools import lru_cache

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.bits import cut, days_within
from timegate.domain.recurrence.wall_times.counts import Shown, shown_parts
from timegate.domain.recurrence.wall_times.pattern import WallPattern
from timegate.domain.recurrence.zones.clock_changes import clock_rule

#: Days of one pattern that are kept, 11 KB each at most.
_KEPT = 64


class WallDays:
    """A pattern of wall times, on the clock of its zone."""

    def __init__(self, schedule: Schedule, pattern: WallPattern) -> None:
        self._schedule = schedule
        self._pattern = pattern
        self._rule = clock_rule(schedule, self._pattern)
        self._local = _LocalDays(self._pattern)

    def on_day(self, day: int) -> int:
        """Gather them from the parts of the day in which the clock runs evenly."""
        # Patterns name nothing before 1970.
        if day < 0:
            return 0
        bits, begin = 0, day * DAY_SECONDS
        zone, end = self._schedule.timezone, begin + DAY_SECONDS - 1
        for part in shown_parts(self._pattern, zone, self._rule, begin, end):
            if isinstance(part, Shown):
                named = self._local.between(part.begin, part.behind)
                bits |= named << part.begin - part.offset - begin if named else 0
            else:
                bits |= 1 << part - begin
        return bits


class _LocalDays:
    """The times of local days; days with the same times are written down once."""

    def __init__(self, pattern: WallPattern) -> None:
        self._pattern = pattern
        self._alike: dict[int, int] = {}
        self._bits = lru_cache(maxsize=_KEPT)(self._of_day)

    def between(self, begin: int, behind: int) -> int:
        """Return the walls with ``begin`` <= wall < ``behind``; bit 0 is ``begin``."""
        bits = 0
        for day, low, high in days_within(begin, behind - 1):
            key = self._pattern.day_key(day)
            if key is not None:
                named = cut(self._bits(self._alike.setdefault(key, day)), low, high)
                ahead = day * DAY_SECONDS - begin
                bits |= named << ahead if ahead >= 0 else named >> -ahead
        return bits

    def _of_day(self, day: int) -> int:
        begin = day * DAY_SECONDS
        found = bytearray(DAY_SECONDS // 8)
        for wall in self._pattern.walls_from(begin):
            second = wall - begin
            if second >= DAY_SECONDS:
                break
            found[second >> 3] |= 1 << (second & 7)
        return int.from_bytes(found, "little")
