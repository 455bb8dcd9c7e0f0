"""The times of a day that a rule names, in seconds from its midnight."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import gcd
from typing import Protocol

from timegate.domain.recurrence.wall_times.bits import repeated
from timegate.value_classes import dataclass

_DAY_SECONDS = 86_400
_HOUR_SECONDS = 3600
_MINUTES = 60
_HOURS = 24
#: Bits are looked at in pieces: a number of 86,400 of them is slow to take apart.
_PIECE = 1024


class DayTimes(Protocol):
    """The times of each day; days are counted from 1970-01-01."""

    @property
    def is_interval(self) -> bool:
        """Tell whether they are all 24 hours, or all 60 minutes of their hours."""

    @property
    def can_match(self) -> bool:
        """Tell whether some day has any."""

    @property
    def per_day(self) -> int | None:
        """Return the number of times in each day; ``None`` where days differ."""

    def count(self, day: int) -> int:
        """Count the times of a day."""

    def before(self, day: int, second: int) -> int:
        """Count the times of a day before a second of it."""

    def following(self, day: int, second: int) -> Iterator[int]:
        """Yield the times of a day from a second on, in order."""


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """Each hour with each minute with each second: the same on every day."""

    hours: tuple[int, ...]
    minutes: tuple[int, ...]
    seconds: tuple[int, ...]

    @property
    def is_interval(self) -> bool:
        """Tell it from the lists themselves."""
        return len(self.hours) == _HOURS or len(self.minutes) == _MINUTES

    @property
    def can_match(self) -> bool:
        """Always: none of the three is empty."""
        return True

    @property
    def per_day(self) -> int:
        """Multiply the three."""
        return len(self.hours) * len(self.minutes) * len(self.seconds)

    def at(self, index: int) -> int:
        """Find the time that comes after ``index`` others."""
        rest, second = divmod(index, len(self.seconds))
        hour, minute = divmod(rest, len(self.minutes))
        return self.hours[hour] * _HOUR_SECONDS + self.minutes[minute] * 60 + self.seconds[second]

    def count(self, _: int) -> int:
        """Give the number of every day."""
        return self.per_day

    def before(self, _: int, second: int) -> int:
        """Count in each of the three lists."""
        hour, rest = divmod(second, _HOUR_SECONDS)
        minute, second_of_minute = divmod(rest, 60)
        total = bisect_left(self.hours, hour) * len(self.minutes) * len(self.seconds)
        if hour in self.hours:
            total += bisect_left(self.minutes, minute) * len(self.seconds)
            if minute in self.minutes:
                total += bisect_left(self.seconds, second_of_minute)
        return total

    def following(self, day: int, second: int) -> Iterator[int]:
        """Walk the product of the three."""
        return map(self.at, range(self.before(day, second), self.per_day))


@dataclass(frozen=True, slots=True)
class PickedTimes:
    """Some times, the same on every day."""

    seconds: tuple[int, ...]

    @property
    def is_interval(self) -> bool:
        """Never: each is named for itself."""
        return False

    @property
    def can_match(self) -> bool:
        """Tell whether the list has any."""
        return bool(self.seconds)

    @property
    def per_day(self) -> int:
        """Count the list."""
        return len(self.seconds)

    def count(self, _: int) -> int:
        """Give the number of every day."""
        return len(self.seconds)

    def before(self, _: int, second: int) -> int:
        """Search the list."""
        return bisect_left(self.seconds, second)

    def following(self, day: int, second: int) -> Iterator[int]:
        """Continue the list."""
        return iter(self.seconds[self.before(day, second) :])


@dataclass(frozen=True, kw_only=True)
class SteppedTimes:
    """Every so many hours, minutes or seconds of the wall clock, counted across days.

    A unit that is stepped on has the times ``within`` it.
    """

    unit_seconds: int
    interval: int
    #: The unit that the steps are counted from, from 1970-01-01 on.
    anchor: int
    #: The units of a day that may be stepped on, as bits.
    allowed: int
    #: Seconds within a unit, in order.
    within: tuple[int, ...]

    @cached_property
    def units(self) -> int:
        """Return the number of units of a day."""
        return _DAY_SECONDS // self.unit_seconds

    @cached_property
    def differs_by_day(self) -> bool:
        """Tell whether the steps fall on other units on the next day."""
        return self.units % self.interval != 0

    @cached_property
    def is_unrestricted(self) -> bool:
        """Tell whether every unit of a day may be stepped on."""
        return self.allowed == (1 << self.units) - 1

    @cached_property
    def can_match(self) -> bool:
        """Tell whether the steps ever meet a unit that is allowed.

        On all days together they meet those that are apart by the greatest common divisor.
        """
        apart = gcd(self.interval, self.units)
        steps = _comb(apart, self.units) << self.anchor % apart & self.allowed
        return bool(self.within and steps)

    @cached_property
    def is_interval(self) -> bool:
        """Tell it from the day of the anchor."""
        hours = [self._hour(self._steps_of_anchor, hour) for hour in range(_HOURS)]
        if all(hours):
            return True
        return self.unit_seconds < _HOUR_SECONDS and all(map(self._has_all_minutes, hours))

    @cached_property
    def per_day(self) -> int | None:
        """Count the day of the anchor, where all are alike."""
        if self.differs_by_day:
            return None
        return self._steps_of_anchor.bit_count() * len(self.within)

    @cached_property
    def _steps_of_anchor(self) -> int:
        return self._steps_from(self.first_step(self.anchor // self.units))

    def count(self, day: int) -> int:
        """Count the units; without restrictions by arithmetic."""
        if self.per_day is not None:
            return self.per_day
        if not self.is_unrestricted:
            return self._steps(day).bit_count() * len(self.within)
        first = self.first_step(day)
        steps = (self.units - 1 - first) // self.interval + 1 if first < self.units else 0
        return steps * len(self.within)

    def before(self, day: int, second: int) -> int:
        """Count whole units, and then within the one that holds the second."""
        unit, rest = divmod(second, self.unit_seconds)
        steps = self._steps(day)
        total = (steps & (1 << unit) - 1).bit_count() * len(self.within)
        return total + (bisect_left(self.within, rest) if steps >> unit & 1 else 0)

    def following(self, day: int, second: int) -> Iterator[int]:
        """Walk the units from the one that holds the second."""
        first = second // self.unit_seconds
        for unit in _bits_from(self._steps(day), first, self.units):
            begin = unit * self.unit_seconds
            for each in self.within:
                if begin + each >= second:
                    yield begin + each

    def first_step(self, day: int) -> int:
        """Find the first step from a day's midnight on, in units; it may lie beyond that day."""
        return (self.anchor - day * self.units) % self.interval

    def _steps(self, day: int) -> int:
        return (
            self._steps_from(self.first_step(day)) if self.differs_by_day else self._steps_of_anchor
        )

    def _steps_from(self, first: int) -> int:
        if first >= self.units:
            return 0
        return _comb(self.interval, self.units) << first & self.allowed

    def _hour(self, steps: int, hour: int) -> int:
        units = self.units // _HOURS
        return steps >> hour * units & (1 << units) - 1

    def _has_all_minutes(self, hour: int) -> bool:
        """An hour without any time is no part of what is named."""
        units = self.units // (_HOURS * _MINUTES)
        whole = (1 << units) - 1
        return not hour or all(hour >> minute * units & whole for minute in range(_MINUTES))


def picked_indices(positions: Sequence[int], size: int) -> list[int]:
    """Turn positions, from 1 or from -1 back, into indices from 0, in order and each once."""
    found = {position - 1 if position > 0 else size + position for position in positions}
    return sorted(index for index in found if 0 <= index < size)


def as_bits(numbers: Sequence[int]) -> int:
    """Turn numbers into a set of bits."""
    return sum(1 << number for number in numbers)


@lru_cache(maxsize=256)
def _comb(step: int, width: int) -> int:
    """Set the bits 0, ``step``, and so on below ``width``."""
    return repeated(1, step, (width - 1) // step + 1) if step < width else 1


def _bits_from(bits: int, first: int, width: int) -> Iterator[int]:
    """Walk the bits that are set from ``first`` on."""
    for begin in range(first, width, _PIECE):
        piece = bits >> begin & (1 << _PIECE) - 1
        while piece:
            lowest = piece & -piece
            yield begin + lowest.bit_length() - 1
            piece ^= lowest
