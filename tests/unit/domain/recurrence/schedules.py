"""Schedules written short, and instants as people write them."""

from datetime import datetime
from typing import Any

from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written

#: Before every instant the tests ask for; anchors nothing but the kinds that say so.
LONG_AGO = datetime.fromisoformat("2000-01-01T00:00Z")


def utc(text: str) -> datetime:
    """``2026-03-29 01:00`` in UTC, with seconds where they are given."""
    return datetime.fromisoformat(f"{text.replace(' ', 'T')}+00:00")


def cron(expression: str, zone: str = "UTC", **fields: Any) -> Schedule:  # noqa: ANN401
    """A cron schedule."""
    return Schedule(kind=ScheduleKind.CRON, cron=expression, timezone=zone, **fields)


def rate(every_seconds: int, **fields: Any) -> Schedule:  # noqa: ANN401
    """A rate."""
    return Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds, **fields)


def at(instant: datetime) -> Schedule:
    """Once, at an instant."""
    return Schedule(kind=ScheduleKind.AT, at=instant)


def delay(seconds: float) -> Schedule:
    """Once, so many seconds after creation."""
    return Schedule(kind=ScheduleKind.DELAY, delay_seconds=seconds)


IMMEDIATE = Schedule(kind=ScheduleKind.IMMEDIATE)
MANUAL = Schedule(kind=ScheduleKind.MANUAL)


def fires(
    schedule: Schedule, after: str, until: str, *, created_at: datetime = LONG_AGO
) -> list[str]:
    """Return the instants in a window as text: ``after`` is outside it and ``until`` inside."""
    found = fires_between(schedule, created_at=created_at, after=utc(after), until=utc(until))
    return [written(instant) for instant in found]


def written(instant: datetime) -> str:
    """Return an instant as ``utc`` reads it: seconds only if there are some."""
    text = instant.replace(tzinfo=None).isoformat(" ")
    return text[: len("2026-03-29 01:00")] if text.endswith(":00") else text


def rrule(rule: str, zone: str = "UTC", **fields: Any) -> Schedule:  # noqa: ANN401
    """A recurrence rule that begins on 1 November 2026, 09:00 in UTC, unless ``fields`` say."""
    fields = {"starts_at": utc("2026-11-01 09:00"), **fields}
    return as_written(Schedule(kind=ScheduleKind.RRULE, rrule=rule, timezone=zone, **fields))


def union(*members: Schedule, **fields: Any) -> Schedule:  # noqa: ANN401
    """A union of schedules without bounds."""
    return as_written(Schedule(kind=ScheduleKind.UNION, any_of=members, **fields))
