"""Wall clocks of time zones: stretches of constant offset, and the jumps between them.

``zoneinfo`` tells the offset at an instant but not when it changes. The changes are found by
looking once a day and halving the days between which the offset differs: no zone changes its
offset and back within a day (since 1999 never within six; a test holds this).
Instants are seconds from 1970-01-01 00:00 UTC; wall times the same on the local clock.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from timegate.domain.values.errors import InvalidInput

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_DAY_SECONDS = 86_400
#: Stretches are computed and kept in windows of 2**25 seconds, a little more than a year.
_WINDOW_BITS = 25
#: A window begins to look this much early, to know what a clock that was just set back has shown.
_LOOK_BACK_SECONDS = 2 * _DAY_SECONDS
_NOTHING_SHOWN = -(1 << 62)
#: Files in a machine's zone folder beside the zones: other machines have another file under such a
#: name, or none, and ``right/`` counts leap seconds.
_OF_THIS_MACHINE = frozenset({"Factory", "localtime", "posixrules"})
_NAMES_OF_UTC = frozenset(
    {"UTC", "UCT", "Universal", "Zulu", "GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich"}
)
_OTHER_COLLECTIONS = ("posix/", "right/")


class EvenPeriod(NamedTuple):
    """A period in which the clock runs evenly."""

    #: The instant it ends: the clock jumps, or the window is over.
    end: int
    #: Seconds the clock is ahead of UTC.
    offset: int
    #: The offset after it; greater means a gap follows, smaller a fold.
    next_offset: int
    #: Wall times before this one have been shown before.
    shown_until: int


def load_zone(name: str) -> "ZoneInfo":
    """The zone of an IANA name; raises ``InvalidInput`` with code ``unknown_timezone``."""
    if name in _OF_THIS_MACHINE or name.startswith(_OTHER_COLLECTIONS):
        raise _unknown_zone(name)
    # Most invocations of an executor load no zone.
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError) as error:
        raise _unknown_zone(name) from error


def is_known(name: str) -> bool:
    """Tell if a zone that was accepted is in the database still: an update may withdraw it."""
    try:
        load_zone(name)
    except InvalidInput:
        return False
    return True


def never_changes(name: str) -> bool:
    """Tell whether the zone has one offset by definition.

    ``Etc`` holds the zones of fixed offsets, and older names of UTC lead there
    (https://github.com/eggert/tz, files ``etcetera`` and ``backward``).
    """
    return name.startswith("Etc/") or name in _NAMES_OF_UTC


def _unknown_zone(name: str) -> InvalidInput:
    right = _spellings().get(name.strip().lower().replace(" ", "_"))
    # The list may have a name that the zones of this machine lack.
    hint = f"Write {right}." if right not in {None, name} else "Write one such as Europe/Berlin."
    detail = f"{name!r} is no IANA time zone name. {hint}"
    return InvalidInput("schedule.timezone", "unknown_timezone", detail)


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    """Map names in lower case to the names that ``tzdata`` lists."""
    from importlib.resources import files  # noqa: PLC0415 - few names are wrong

    listed = (files("tzdata") / "zones").read_text().split()
    return {name.lower(): name for name in listed}


def stretch_at(zone_name: str, instant: int) -> EvenPeriod:
    """The stretch that holds an instant."""
    ends, stretches = _window(zone_name, instant >> _WINDOW_BITS)
    return stretches[bisect_right(ends, instant)]


@lru_cache(maxsize=4096)
def _window(zone_name: str, number: int) -> tuple[tuple[int, ...], tuple[EvenPeriod, ...]]:
    begin = number << _WINDOW_BITS
    end = (number + 1) << _WINDOW_BITS
    zone = load_zone(zone_name)
    stretches = []
    shown_until = _NOTHING_SHOWN
    for jump, before, after in _jumps(zone, begin - _LOOK_BACK_SECONDS, end):
        stretches.append(EvenPeriod(jump, before, after, shown_until))
        shown_until = max(shown_until, jump + before)
    if not stretches or stretches[-1].end < end:
        offset = _offset(zone, end)
        stretches.append(EvenPeriod(end, offset, offset, shown_until))
    return tuple(stretch.end for stretch in stretches), tuple(stretches)


def _jumps(zone: "ZoneInfo", begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Instants after ``begin`` up to ``end`` at which the offset changes, with both offsets."""
    earlier, before = begin, _offset(zone, begin)
    while earlier < end:
        later = min(earlier + _DAY_SECONDS, end)
        after = _offset(zone, later)
        if after != before:
            yield _first_with_another_offset(zone, earlier, later), before, after
        earlier, before = later, after


def _first_with_another_offset(zone: "ZoneInfo", earlier: int, later: int) -> int:
    """The first instant in (earlier, later] whose offset is not that of ``earlier``."""
    before = _offset(zone, earlier)
    while later - earlier > 1:
        middle = (earlier + later) // 2
        if _offset(zone, middle) == before:
            earlier = middle
        else:
            later = middle
    return later


def _offset(zone: "ZoneInfo", instant: int) -> int:
    offset = datetime.fromtimestamp(instant, zone).utcoffset()
    return int(offset.total_seconds()) if offset else 0
