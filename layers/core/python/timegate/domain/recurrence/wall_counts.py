"""How many instants a pattern of wall times has in a range, without walking through them."""

from timegate.domain.recurrence.clock_changes import ClockRule
from timegate.domain.recurrence.wall_pattern import WallPattern
from timegate.domain.recurrence.zone_clock import stretch_at


def count_instants(
    pattern: WallPattern, zone_name: str, rule: ClockRule, start: int, end: int
) -> int:
    """Count those of ``wall_instants`` with ``start`` <= instant <= ``end``.

    The walk along the stretches of the zone's clock is the same, but the pattern counts each
    stretch: some dozen steps a year, however often it fires.
    """
    total, position = 0, start - 1
    while position <= end:
        stretch = stretch_at(zone_name, position)
        first_wall = position + stretch.offset
        if rule.runs_once:
            first_wall = max(first_wall, stretch.shown_until)
        begin = max(first_wall, start + stretch.offset)
        jump = stretch.end + stretch.offset
        total += pattern.count_walls(begin, min(end + 1 + stretch.offset, jump))
        position = stretch.end
        jumped_to = stretch.end + stretch.next_offset
        if (
            rule.makes_up
            and stretch.end <= end
            and pattern.count_walls(max(jump, first_wall), jumped_to)
        ):
            total += 1
            position += 1
    return total
