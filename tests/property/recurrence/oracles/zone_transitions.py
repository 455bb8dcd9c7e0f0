"""Every change of an offset from UTC in 2000 to 2037, in every zone, found by looking at clocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

FIRST = datetime(2000, 1, 1, tzinfo=UTC)
LAST = datetime(2038, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
#: No zone has changed its clock and changed it back within so few days; the complete sweep looks.
STRIDE = timedelta(days=4)

#: When, and the offset on either side.
Change = tuple[datetime, timedelta, timedelta]


@dataclass(frozen=True, slots=True)
class Transition:
    """A clock that was or will be changed."""

    #: The first by name of the zones whose clocks have been changed alike throughout.
    zone: str
    #: The first instant under the new offset.
    instant: datetime
    before: timedelta
    after: timedelta

    @property
    def jump(self) -> timedelta:
        """Distance by which the clock is put forward; negative: backward."""
        return self.after - self.before

    @property
    def walls(self) -> tuple[datetime, datetime]:
        """The two times that the wall shows at the change, the earlier one first."""
        naive = self.instant.replace(tzinfo=None)
        first, second = sorted([naive + self.before, naive + self.after])
        return first, second


def changes_in(zone_name: str, stride: timedelta = STRIDE) -> tuple[Change, ...]:
    """All changes of a zone's offset, to the second, by bisection."""
    zone = ZoneInfo(zone_name)

    def offset_at(instant: datetime) -> timedelta:
        offset = instant.astimezone(zone).utcoffset()
        assert offset is not None
        return offset

    def found() -> Iterator[Change]:
        begin, offset = FIRST, offset_at(FIRST)
        while begin < LAST:
            end = begin + stride
            while offset_at(end) != offset:
                low, high = begin, end
                while high - low > SECOND:
                    middle = low + (high - low) // 2 // SECOND * SECOND
                    low, high = (middle, high) if offset_at(middle) == offset else (low, middle)
                yield high, offset, offset_at(high)
                begin, offset = high, offset_at(high)
            begin = end

    return tuple(found())


@cache
def zones() -> dict[tuple[Change, ...], list[str]]:
    """Zone names by how their clocks are changed; many names share one history."""
    alike: dict[tuple[Change, ...], list[str]] = {}
    for name in sorted(available_timezones() - {"localtime", "Factory"}):
        if not name.startswith(("posix/", "right/")):
            alike.setdefault(changes_in(name), []).append(name)
    return alike


@cache
def transitions() -> tuple[Transition, ...]:
    """Each change of each different history, in order of time."""
    found = [
        Transition(names[0], *change) for changes, names in zones().items() for change in changes
    ]
    return tuple(sorted(found, key=lambda each: (each.instant, each.zone)))
