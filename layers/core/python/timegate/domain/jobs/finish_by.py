"""The instant by which a run is to have ended, as a job names it."""

import re
from datetime import UTC, datetime, timedelta

from timegate.domain.recurrence.zones.zone_clock import load_zone, stretch_at
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: A week: a longer span is no promise to wait for.
MAX_WITHIN_SECONDS = 604_800
#: Hours and minutes of a day, perhaps with seconds.
TIME_OF_DAY = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_DAY_SECONDS = 86_400


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishBy:
    """A span after a run's instant, or a local time of day: one of the two."""

    within_seconds: int | None = None
    #: ``HH:MM`` or ``HH:MM:SS``: the first such time after the run's instant.
    time: str | None = None
    #: IANA name; ``None``: the zone of the job's schedule.
    timezone: str | None = None


def check_finish_by(finish_by: FinishBy | None) -> None:
    """Refuse a deadline that names no instant, or two; raises ``InvalidInput``."""
    if finish_by is None:
        return
    if finish_by.time is None and finish_by.within_seconds is None:
        detail = "Give a time of day, or within_seconds."
        raise InvalidInput("finish_by", "required", detail)
    if finish_by.time is not None and finish_by.within_seconds is not None:
        detail = "Give a time of day or within_seconds, and not both."
        raise InvalidInput("finish_by.within_seconds", "contradictory", detail)
    if finish_by.timezone is None:
        return
    if finish_by.time is None:
        detail = "A span is the same in every time zone; leave it out."
        raise InvalidInput("finish_by.timezone", "without_effect", detail)
    try:
        load_zone(finish_by.timezone)
    except InvalidInput as unknown:
        raise InvalidInput("finish_by.timezone", unknown.code, unknown.detail) from unknown


def finish_instant(finish_by: FinishBy, schedule_zone: str, *, after: datetime) -> datetime:
    """The deadline of the run whose instant is ``after``."""
    if finish_by.within_seconds is not None:
        return after + timedelta(seconds=finish_by.within_seconds)
    zone = finish_by.timezone or schedule_zone
    hours, minutes, seconds = _parts(finish_by.time or "")
    return _first_passing(zone, hours * 3600 + minutes * 60 + seconds, after=after)


def _parts(time: str) -> tuple[int, int, int]:
    match = TIME_OF_DAY.fullmatch(time)
    if match is None:
        message = f"{time!r} is no time of day"
        raise ValueError(message)
    return int(match[1]), int(match[2]), int(match[3] or 0)


def _first_passing(zone: str, second_of_day: int, *, after: datetime) -> datetime:
    """The first instant later than ``after`` at which the zone's clock comes to a time of day.

    A clock that jumps over the time comes to it at the jump. A clock that is set back comes to it
    twice, and each time counts.
    """
    start = position = (after - _EPOCH) // _SECOND
    while True:
        stretch = stretch_at(zone, position)
        wall = _next_wall(second_of_day, max(position, start + 1) + stretch.offset)
        if wall - stretch.offset < stretch.end:
            return _EPOCH + (wall - stretch.offset) * _SECOND
        if wall < stretch.end + stretch.next_offset:
            return _EPOCH + stretch.end * _SECOND
        position = stretch.end


def _next_wall(second_of_day: int, start: int) -> int:
    """The first wall time from ``start`` on that shows a second of the day."""
    return start + (second_of_day - start) % _DAY_SECONDS
