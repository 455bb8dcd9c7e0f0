"""Other spellings where a cron expression is expected: ``rate(…)``, ``at(…)`` and ``@every``."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NoReturn

from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import CronDialect, Schedule, ScheduleKind
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND

#: Ten years, as in every field of seconds.
MAX_EVERY_SECONDS = 315_360_000

_RATE = re.compile(r"rate\(\s*(?P<number>\d{1,9})\s+(?P<unit>minute|hour|day)s?\s*\)", re.ASCII)
_AT = re.compile(r"at\(\s*(?P<local>\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d)\s*\)", re.ASCII)
#: The units of Go's ``time.ParseDuration``.
_GO_UNITS = {
    "ns": Fraction(1, 1_000_000_000),
    "us": Fraction(1, 1_000_000),
    "µs": Fraction(1, 1_000_000),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
_GO_PART = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)")
_RATE_UNITS = {"minute": 60, "hour": 3600, "day": 86_400}
_EVERY = "@every"


def respelt(schedule: Schedule) -> Schedule:
    """Turn a cron schedule with another spelling into the kind that the spelling names.

    ``rate(5 minutes)`` (EventBridge Scheduler, "Schedule types") and ``@every 5m`` (robfig/cron)
    become a rate. ``at(2026-12-01T09:00:00)`` becomes an instant: a local time of the schedule's
    zone, right after a gap that it falls into, the first time in a fold. Raises ``InvalidInput``
    with code ``invalid_cron`` or ``unknown_timezone``.
    """
    text = (schedule.cron or "").strip().lower()
    if text.startswith("rate("):
        return _rate(schedule, _eventbridge_seconds(text))
    if text.startswith(_EVERY):
        return _rate(schedule, _go_seconds(text.removeprefix(_EVERY).strip()))
    if text.startswith("at("):
        return _at(schedule, text)
    return schedule


def _rate(schedule: Schedule, seconds: int) -> Schedule:
    if not 1 <= seconds <= MAX_EVERY_SECONDS:
        _refuse(f"The interval must be 1 to {MAX_EVERY_SECONDS} seconds.")
    return replace(
        schedule,
        kind=ScheduleKind.RATE,
        cron=None,
        dialect=CronDialect.TIMEGATE,
        every_seconds=seconds,
    )


def _eventbridge_seconds(text: str) -> int:
    match = _RATE.fullmatch(text)
    if match is None:
        _refuse("Write a rate such as rate(5 minutes): a number, and minutes, hours or days.")
    return int(match["number"]) * _RATE_UNITS[match["unit"]]


def _go_seconds(text: str) -> int:
    parts = _GO_PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        _refuse("Write an interval such as @every 1h30m, with the units h, m and s.")
    total = sum((Fraction(number) * _GO_UNITS[unit] for number, unit in parts), Fraction(0))
    if total.denominator != 1:
        _refuse("@every counts whole seconds here.")
    return int(total)


def _at(schedule: Schedule, text: str) -> Schedule:
    """Find the instant as the only fire of a pattern with a year: one rule for gaps and folds."""
    local = _local_time(text)
    load_zone(schedule.timezone)
    once = Schedule(
        kind=ScheduleKind.CRON,
        cron=f"{local:%S %M %H %d %m} ? {local.year}",
        timezone=schedule.timezone,
    )
    day_before = local - timedelta(days=2)
    before = day_before.replace(tzinfo=load_zone("UTC")) - MILLISECOND
    found = next_fire(once, created_at=before, after=before)
    if found is None:
        _refuse("at(…) reads instants from 1970 on.")
    default = Schedule(kind=ScheduleKind.AT)
    return replace(
        schedule,
        kind=ScheduleKind.AT,
        cron=None,
        at=found,
        timezone=default.timezone,
        dialect=default.dialect,
    )


def _local_time(text: str) -> datetime:
    match = _AT.fullmatch(text)
    try:
        local = datetime.fromisoformat(match["local"].upper() if match else "")
    except ValueError:
        _refuse("Write a local time such as at(2026-12-01T09:00:00); timezone names its zone.")
    if not 1970 <= local.year <= 2099:  # noqa: PLR2004 - the years of a cron expression
        _refuse("at(…) reads the years 1970 to 2099.")
    return local


def _refuse(detail: str) -> NoReturn:
    raise InvalidInput("schedule.cron", "invalid_cron", detail)
