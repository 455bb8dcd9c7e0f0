"""Counts of a pattern's instants in a range, without walking through them."""

from collections.abc import Iterator
from typing import NamedTuple

from timegate.domain.recurrence.wall_times.pattern import WallPattern
from timegate.domain.recurrence.zones.clock_changes import ClockRule
from timegate.domain.recurrence.zones.zone_clock import stretch_at


class Shown(NamedTuple):
    """Wall times that a clock shows with one offset: ``begin`` <= wall < ``behind``."""

    begin: int
    behind: int
    offset: int


def count_instants(
    pattern: WallPattern, zone_name: str, rule: ClockRule, start: int, end: int
) -> int:
    """Count those of ``wall_instants`` with ``start`` <= instant <= ``end``.

    The pattern counts each stretch: some dozen steps a year, however often it fires.
    """
    return sum(
        pattern.count_walls(part.begin, part.behind) if isinstance(part, Shown) else 1
        for part in shown_parts(pattern, zone_name, rule, start, end)
    )


def shown_parts(
    pattern: WallPattern, zone_name: str, rule: ClockRule, start: int, end: int
) -> Iterator[Shown | int]:
    """Yield the walls that run from ``start`` to ``end``, and instants right after a gap.

    The walk along the stretches of the zone's clock is that of ``wall_instants``.
    """
    position = start - 1
    while position <= end:
        stretch = stretch_at(zone_name, position)
        first_wall = position + stretch.offset
        if rule.runs_once:
            first_wall = max(first_wall, stretch.shown_until)
        begin = max(first_wall, start + stretch.offset)
        jump = stretch.end + stretch.offset
        yield Shown(begin, min(end + 1 + stretch.offset, jump), stretch.offset)
        position = stretch.end
        jumped_to = stretch.end + stretch.next_offset
        if (
            rule.makes_up
            and stretch.end <= end
            and pattern.count_walls(max(jump, first_wall), jumped_to)
        ):
            yield stretch.end
            position += 1
