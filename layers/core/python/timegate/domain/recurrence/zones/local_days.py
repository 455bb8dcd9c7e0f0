"""Days of a zone's wall clock, counted from 1970-01-01."""

from datetime import UTC, datetime, timedelta

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS, EPOCH_DAY
from timegate.domain.recurrence.zones.zone_clock import EvenPeriod, stretch_at

__all__ = ["EPOCH_DAY", "at_wall", "day_of", "same_time_on", "start_of", "wall_of", "weekday_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
#: 1970-01-01 was a Thursday.
_FIRST_WEEKDAY = 3


def wall_of(timezone: str, instant: datetime) -> tuple[int, EvenPeriod]:
    """The wall time of an instant in seconds, and the stretch in which the clock runs evenly."""
    seconds = (instant - _EPOCH) // _SECOND
    stretch = stretch_at(timezone, seconds)
    return seconds + stretch.offset, stretch


def at_wall(timezone: str, wall: int) -> datetime:
    """The first instant at which the clock shows a wall time, or the end of the jump over it."""
    # No zone is further than a day from UTC: begin well before, and go from jump to jump.
    at = wall - 2 * DAY_SECONDS
    stretch = stretch_at(timezone, at)
    while stretch.end + stretch.offset <= wall and stretch.end + stretch.next_offset <= wall:
        stretch = stretch_at(timezone, stretch.end)
    return _EPOCH + min(wall - stretch.offset, stretch.end) * _SECOND


def day_of(timezone: str, instant: datetime) -> int:
    """The local day of an instant."""
    return wall_of(timezone, instant)[0] // DAY_SECONDS


def start_of(timezone: str, day: int) -> datetime:
    """The first moment of a local day."""
    return at_wall(timezone, day * DAY_SECONDS)


def same_time_on(timezone: str, instant: datetime, day: int) -> datetime:
    """The local time of an instant on another day, to the millisecond.

    A time that the clock jumps over is the first moment after the jump; of one that it shows
    twice, the first.
    """
    wall, _ = wall_of(timezone, instant)
    fraction = (instant - _EPOCH) % _SECOND
    return at_wall(timezone, day * DAY_SECONDS + wall % DAY_SECONDS) + fraction


def weekday_of(day: int) -> int:
    """The weekday of a day; 0 is Monday."""
    return (day + _FIRST_WEEKDAY) % 7
