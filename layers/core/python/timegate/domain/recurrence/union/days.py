"""The instants of a union, as bits of days: overlaps are counted by arithmetic, not by walking.

A day is 86,400 bits, one for each second. Members that run on whole seconds share one row of days;
rates whose anchor has a fraction of a second share another one, which meets no whole second.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.kinds.kind import MemberDays, MemberKind
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.bits import cut, days_within

_SECOND_MS = 1000
_MINUTE = 60
_WHOLE_MINUTE = (1 << _MINUTE) - 1


class UnionDays:
    """Counts the instants of a union; each member costs some microseconds a day."""

    def __init__(self, members: Sequence[Schedule], created_at: datetime) -> None:
        rows: dict[int, list[MemberDays]] = {}
        for schedule in members:
            kind = kind_of(schedule.kind)
            if isinstance(kind, MemberKind):
                fraction, days = kind.days(schedule, created_at)
                rows.setdefault(fraction, []).append(days)
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

    def __init__(self, fraction: int, members: Sequence[MemberDays]) -> None:
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
            for day, low, high in days_within(first, last)
        )

    def minutes(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield each minute of a closed range that has some."""
        for day, low, high in days_within(first, last):
            bits = cut(self._on_day(day), low, high)
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
        return cut(self._on_day(day), low, high).bit_count()

    def _on_day(self, day: int) -> int:
        bits = 0
        for member in self._members:
            bits |= member.on_day(day)
        return bits
