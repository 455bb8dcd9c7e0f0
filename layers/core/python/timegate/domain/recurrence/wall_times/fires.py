"""From wall times to instants: when a pattern fires in a time zone."""

from collections.abc import Iterator

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.wall_times.pattern import WallPattern
from timegate.domain.recurrence.zones.clock_changes import ClockRule
from timegate.domain.recurrence.zones.zone_clock import stretch_at


def wall_instants(
    pattern: WallPattern, zone_name: str, rule: ClockRule, start: int
) -> Iterator[int]:
    """The instants from ``start`` on, strictly increasing, as seconds from 1970-01-01 UTC.

    The pattern is walked along each stretch in which the zone's clock runs evenly. At a gap, a
    fixed time that the clock jumps over fires at the jump, however many such times there are.
    After a fold, a fixed time that was shown before the clock was set back is not taken again.
    """
    # One second early, so that a jump at ``start`` itself is seen.
    position = start - 1
    while True:
        stretch = stretch_at(zone_name, position)
        first_wall = position + stretch.offset
        if rule.runs_once:
            first_wall = max(first_wall, stretch.shown_until)
        for wall in pattern.walls_from(first_wall):
            if wall >= stretch.end + stretch.offset:
                break
            if wall - stretch.offset >= start:
                yield wall - stretch.offset
        else:
            return
        position = stretch.end
        if rule.makes_up and wall < stretch.end + stretch.next_offset:
            yield stretch.end
            position += 1
        if stretch.next_offset >= stretch.offset and _runs_on_for_a_day(zone_name, stretch.end):
            # Nothing matches before ``wall``, which no clock shows a day early.
            position = max(position, wall - DAY_SECONDS)


def _runs_on_for_a_day(zone_name: str, instant: int) -> bool:
    """A clock set back sooner might show again what it showed before ``instant``."""
    return stretch_at(zone_name, instant).end - instant >= DAY_SECONDS


def instant_of(zone_name: str, wall: int) -> int:
    """Find the instant of one wall time: in a gap the end of it, in a fold the first time."""
    position = wall - 2 * DAY_SECONDS
    while True:
        stretch = stretch_at(zone_name, position)
        if wall < stretch.end + stretch.offset:
            return wall - stretch.offset
        if wall < stretch.end + stretch.next_offset:
            return stretch.end
        position = stretch.end
