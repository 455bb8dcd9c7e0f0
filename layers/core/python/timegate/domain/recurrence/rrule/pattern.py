"""A recurrence rule on a wall clock that knows no time zone: which times it names, and how many.

A wall time is a number: the seconds from 1970-01-01 00:00 to what the clock shows. A rule is never
walked from its beginning: each period and step is computed from its distance to the beginning.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from itertools import product, takewhile

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.rrule.days import DayFilter
from timegate.domain.recurrence.rrule.parts import Frequency, RruleParts, parse_rrule
from timegate.domain.recurrence.rrule.periods import HORIZON_YEARS, RuleDays
from timegate.domain.recurrence.rrule.positions import PositionWalls
from timegate.domain.recurrence.rrule.times import (
    ClockTimes,
    DayTimes,
    PickedTimes,
    SteppedTimes,
    as_bits,
    picked_indices,
)
from timegate.domain.recurrence.rrule.walls import DailyWalls
from timegate.domain.recurrence.wall_times.bits import repeated
from timegate.value_classes import dataclass

_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall clock has no zone
_UNIT_SECONDS = {Frequency.HOURLY: 3600, Frequency.MINUTELY: 60, Frequency.SECONDLY: 1}
_COUNT_SECONDS = HORIZON_YEARS * 366 * DAY_SECONDS


@dataclass(frozen=True, eq=False)
class RrulePattern:
    """The wall times of a rule, from its beginning to the last one that COUNT allows."""

    #: With the parts that were left to the beginning.
    parts: RruleParts
    #: The wall time of the beginning; DTSTART in the RFC.
    first: int
    walls: DailyWalls | PositionWalls

    @property
    def is_interval(self) -> bool:
        """Tell whether its days have all 24 hours, or all 60 minutes of their hours."""
        return self.walls.is_interval

    @cached_property
    def can_count(self) -> bool:
        """Tell whether COUNT is reached within a hundred years, or never begun."""
        within = self.walls.count_walls(self.first, self.first + _COUNT_SECONDS)
        return self.parts.count is None or not within or within >= self.parts.count

    @cached_property
    def last(self) -> int | None:
        """Find the last wall time of COUNT, by halving; ``None`` without one."""
        count = self.parts.count
        if count is None or not self.can_count:
            return None
        earliest, latest = self.first, self.first + _COUNT_SECONDS
        while earliest < latest:
            middle = (earliest + latest) // 2
            if self.walls.count_walls(self.first, middle + 1) >= count:
                latest = middle
            else:
                earliest = middle + 1
        return earliest

    def walls_from(self, start: int) -> Iterator[int]:
        """The matching wall times from ``start`` on, in order."""
        walls = self.walls.walls_from(max(start, self.first))
        last = self.last
        return walls if last is None else takewhile(lambda wall: wall <= last, walls)

    def count_walls(self, begin: int, end: int) -> int:
        """Count the matching wall times with ``begin`` <= wall < ``end``."""
        if self.last is not None:
            end = min(end, self.last + 1)
        return self.walls.count_walls(max(begin, self.first), end)

    def day_key(self, day: int) -> int | None:
        """Give days with the same times the same key; the first and the last one have their own."""
        begin, end = day * DAY_SECONDS, (day + 1) * DAY_SECONDS
        last = end if self.last is None else self.last
        if end <= self.first or begin > last:
            return None
        is_cut = begin < self.first or last < end
        return -1 - day if is_cut else self.walls.day_key(day)


@lru_cache(maxsize=2048)
def rrule_pattern(text: str, first: int) -> RrulePattern:
    """Read a rule that begins at a wall time; raises ``InvalidInput``: see ``parse_rrule``."""
    parts = completed(parse_rrule(text), _EPOCH + timedelta(seconds=first))
    days = RuleDays(
        filter=_day_filter(parts),
        freq=parts.freq,
        interval=parts.interval,
        first_day=first // DAY_SECONDS,
    )
    if parts.bysetpos and parts.freq < Frequency.DAILY:
        return RrulePattern(parts, first, PositionWalls(days, _clock_times(parts), parts.bysetpos))
    return RrulePattern(parts, first, DailyWalls(days, _times(parts, first)))


def completed(parts: RruleParts, start: datetime) -> RruleParts:
    """Take from the beginning what a rule leaves out (RFC 5545, section 3.3.10)."""
    freq = parts.freq
    if not (parts.byday or parts.bymonthday or parts.byyearday):
        if freq is Frequency.WEEKLY or parts.byweekno:
            parts = replace(parts, byday=((start.weekday(), 0),))
        elif freq <= Frequency.MONTHLY:
            parts = replace(parts, bymonthday=(start.day,))
            if freq is Frequency.YEARLY and not parts.bymonth:
                parts = replace(parts, bymonth=(start.month,))
    return replace(
        parts,
        byhour=parts.byhour or ((start.hour,) if freq < Frequency.HOURLY else ()),
        byminute=parts.byminute or ((start.minute,) if freq < Frequency.MINUTELY else ()),
        bysecond=parts.bysecond or ((start.second,) if freq < Frequency.SECONDLY else ()),
    )


def _day_filter(parts: RruleParts) -> DayFilter:
    bymonth = parts.bymonth
    if parts.freq is Frequency.MONTHLY and any(nth for _, nth in parts.byday):
        # Ordinals count within the months that are named.
        bymonth = bymonth or tuple(range(1, 13))
    return DayFilter(
        bymonth=bymonth,
        byweekno=parts.byweekno,
        byyearday=parts.byyearday,
        bymonthday=parts.bymonthday,
        byday=parts.byday,
        wkst=parts.wkst,
    )


def _clock_times(parts: RruleParts) -> ClockTimes:
    return ClockTimes(parts.byhour, parts.byminute, parts.bysecond)


def _times(parts: RruleParts, first: int) -> DayTimes:
    if parts.freq > Frequency.DAILY:
        return _stepped(parts, first)
    times = _clock_times(parts)
    if not parts.bysetpos:
        return times
    return PickedTimes(tuple(map(times.at, picked_indices(parts.bysetpos, times.per_day))))


def _stepped(parts: RruleParts, first: int) -> SteppedTimes:
    unit = _UNIT_SECONDS[parts.freq]
    within: tuple[int, ...] = (0,)
    if unit > 1:
        minutes = parts.byminute if parts.freq is Frequency.HOURLY else (0,)
        within = tuple(minute * 60 + second for minute, second in product(minutes, parts.bysecond))
    if parts.bysetpos:
        within = tuple(within[index] for index in picked_indices(parts.bysetpos, len(within)))
    return SteppedTimes(
        unit_seconds=unit,
        interval=parts.interval,
        anchor=first // unit,
        allowed=_allowed(parts),
        within=within,
    )


def _allowed(parts: RruleParts) -> int:
    """The hours, minutes or seconds of a day that may be stepped on, as bits."""
    bits, width = 1, 1
    if parts.freq is Frequency.SECONDLY:
        bits, width = as_bits(parts.bysecond or range(60)), 60
    if parts.freq >= Frequency.MINUTELY:
        minutes = parts.byminute or range(60)
        bits, width = _laid_out(bits, width, minutes), width * 60
    return _laid_out(bits, width, parts.byhour or range(24))


def _laid_out(bits: int, width: int, places: tuple[int, ...] | range) -> int:
    if isinstance(places, range):
        return repeated(bits, width, len(places))
    return sum(bits << place * width for place in places)
