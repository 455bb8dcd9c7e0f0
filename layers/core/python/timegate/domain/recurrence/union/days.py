"""The instants of a union, as bits of days: overlaps are counted by arithmetic, not by walking.

A day is 86,400 bits, one for each second. Members that run on whole seconds share one row of days;
rates whose anchor has a fraction of a second share another one, which meets no whole second.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.rrule.times import repeated
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.wall_times.counts import Shown, shown_parts
from timegate.domain.recurrence.wall_times.pattern import WallPattern, wall_pattern
from timegate.domain.recurrence.zones.clock_changes import clock_rule
from timegate.domain.values.instants import MILLISECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND_MS = 1000
_MINUTE = 60
_WHOLE_DAY = (1 << DAY_SECONDS) - 1
_WHOLE_MINUTE = (1 << _MINUTE) - 1
#: Days of one pattern that are kept, 11 KB each at most.
_KEPT = 64


class _Member(Protocol):
    def on_day(self, day: int) -> int:
        """The seconds of a day in UTC on which it runs, as bits."""


class UnionDays:
    """Counts the instants of a union; each member costs some microseconds a day."""

    def __init__(self, members: Sequence[Schedule], created_at: datetime) -> None:
        rows: dict[int, list[_Member]] = {}
        for schedule in members:
            if schedule.kind is ScheduleKind.RATE:
                seconds, fraction = divmod(_first_ms(schedule, created_at), _SECOND_MS)
                member: _Member = _RateDays(schedule.every_seconds or 1, seconds)
            else:
                member, fraction = _WallDays(schedule), 0
            rows.setdefault(fraction, []).append(member)
        self._rows = [_Row(fraction, each) for fraction, each in rows.items()]

    def count(self, begin: int, end: int) -> int:
        """Count those from ``begin`` to ``end``, both included, in milliseconds from 1970."""
        return sum(row.count(*row.seconds(begin, end)) for row in self._rows)

    def latest(self, number: int, begin: int, end: int) -> int:
        """Find the millisecond at which the last ``number`` of a range begin, by halving it."""
        while begin < end:
            middle = (begin + end + 1) // 2
            if self.count(middle, end) >= number:
                begin = middle
            else:
                end, number = middle - 1, number - self.count(middle, end)
        return begin

    def minutes(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield each minute of a range that has some, and how many, row by row."""
        for row in self._rows:
            yield from row.minutes(*row.seconds(begin, end))


class _Row:
    """Members whose instants have the same fraction of a second."""

    def __init__(self, fraction: int, members: Sequence[_Member]) -> None:
        self._fraction = fraction
        self._members = members
        self._counts: dict[int, int] = {}

    def seconds(self, begin: int, end: int) -> tuple[int, int]:
        """The first and the last second whose instant lies within some milliseconds."""
        first = -((self._fraction - begin) // _SECOND_MS)
        return first, (end - self._fraction) // _SECOND_MS

    def count(self, first: int, last: int) -> int:
        """Count those on the seconds of a closed range."""
        return sum(
            self._of_whole_day(day)
            if low == 0 and high == DAY_SECONDS
            else self._of(day, low, high)
            for day, low, high in _days(first, last)
        )

    def minutes(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield each minute of a closed range that has some."""
        for day, low, high in _days(first, last):
            bits = _cut(self._on_day(day), low, high)
            minute = day * (DAY_SECONDS // _MINUTE)
            for number in range(DAY_SECONDS // _MINUTE if bits else 0):
                seconds = bits >> number * _MINUTE & _WHOLE_MINUTE
                if seconds:
                    yield minute + number, seconds.bit_count()

    def _of_whole_day(self, day: int) -> int:
        if day not in self._counts:
            self._counts[day] = self._on_day(day).bit_count()
        return self._counts[day]

    def _of(self, day: int, low: int, high: int) -> int:
        return _cut(self._on_day(day), low, high).bit_count()

    def _on_day(self, day: int) -> int:
        bits = 0
        for member in self._members:
            bits |= member.on_day(day)
        return bits


class _RateDays:
    """A rate, by its first second."""

    def __init__(self, every: int, first: int) -> None:
        self._first, self._every = first, every
        steps = (DAY_SECONDS - 1) // every + 1
        self._from_midnight = repeated(1, every, steps) if every < DAY_SECONDS else 1

    def on_day(self, day: int) -> int:
        """Lay its steps over the day."""
        ahead = self._first - day * DAY_SECONDS
        step = ahead if ahead >= 0 else ahead % self._every
        return self._from_midnight << step & _WHOLE_DAY if step < DAY_SECONDS else 0


class _WallDays:
    """A pattern of wall times, on the clock of its zone."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._pattern = wall_pattern(schedule)
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
        return bits if self._schedule.kind is ScheduleKind.CRON else self._of_rrule(bits, begin)

    def _of_rrule(self, bits: int, begin: int) -> int:
        """Apply UNTIL, and the dates that are added or left out."""
        from timegate.domain.recurrence.rrule.named import exceptions_of, until_of  # noqa: PLC0415

        until = until_of(self._schedule)
        if until is not None:
            bits = _cut(bits, 0, min(max(until + 1 - begin, 0), DAY_SECONDS))
        if self._schedule.rdates or self._schedule.exdates:
            found = exceptions_of(self._schedule)
            bits |= _as_bits(found.added, begin)
            bits &= ~_as_bits(found.left_out, begin)
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
        for day, low, high in _days(begin, behind - 1):
            key = self._pattern.day_key(day)
            if key is not None:
                named = _cut(self._bits(self._alike.setdefault(key, day)), low, high)
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


def _days(first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the days of a closed range, and of each the seconds ``low`` <= second < ``high``."""
    for day in range(first // DAY_SECONDS, last // DAY_SECONDS + 1):
        begin = day * DAY_SECONDS
        yield day, max(first - begin, 0), min(last + 1 - begin, DAY_SECONDS)


def _cut(bits: int, low: int, high: int) -> int:
    """Keep the bits ``low`` <= bit < ``high`` in their places."""
    if high < DAY_SECONDS:
        bits &= (1 << high) - 1
    return bits >> low << low


def _as_bits(instants: Sequence[int], begin: int) -> int:
    """The instants of the day that begins then."""
    low, high = bisect_left(instants, begin), bisect_left(instants, begin + DAY_SECONDS)
    return sum(1 << each - begin for each in instants[low:high])


def _first_ms(rate: Schedule, created_at: datetime) -> int:
    first = rate.starts_at or created_at + timedelta(seconds=rate.every_seconds or 1)
    return (first - _EPOCH) // MILLISECOND
