"""Schedules as a program writes them; each is the API's own form, and may be extended as one."""

from datetime import datetime

from timegate.client.schemas import (
    AtSchedule,
    CronScheduleInput,
    ManualSchedule,
    RateScheduleInput,
    RruleScheduleInput,
)
from timegate.domain.values.instants import rfc3339

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def cron(pattern: str, *, tz: str = "UTC") -> CronScheduleInput:
    """Every time when the wall clock of the zone ``tz`` matches the pattern."""
    return {"kind": "cron", "cron": pattern, "timezone": tz}


def rrule(rule: str, *, tz: str = "UTC") -> RruleScheduleInput:
    """Every time of a recurrence rule (RFC 5545) on the wall clock of the zone ``tz``."""
    return {"kind": "rrule", "rrule": rule, "timezone": tz}


def every(span: int | str) -> RateScheduleInput:
    """Every so many seconds, or every ``30s``, ``5m``, ``6h``, ``1d``, ``2w`` or ``PT5M``.

    Raises ``ValueError`` for another text.
    """
    return {"kind": "rate", "every_seconds": _seconds(span)}


def at(instant: datetime | str) -> AtSchedule:
    """Once, at an instant: RFC 3339, or an aware ``datetime``.

    Raises ``ValueError`` for a ``datetime`` without a zone.
    """
    if isinstance(instant, datetime):
        if instant.tzinfo is None:
            message = f"{instant.isoformat()} has no time zone"
            raise ValueError(message)
        instant = rfc3339(instant)
    return {"kind": "at", "at": instant}


def manual() -> ManualSchedule:
    """Never by itself: triggers and other jobs start its runs."""
    return {"kind": "manual"}


def _seconds(span: int | str) -> int | str:
    if isinstance(span, int):
        return span
    text = span if isinstance(span, str) else ""
    # The API reads durations of ISO 8601 by itself.
    if text.startswith("P"):
        return text
    number, unit = text[:-1], text[-1:]
    if not (number.isdecimal() and number.isascii() and unit in _SECONDS):
        message = f"{span!r} is no span: write 30s, 5m, 6h, 1d, 2w or PT5M"
        raise ValueError(message)
    return int(number) * _SECONDS[unit]
