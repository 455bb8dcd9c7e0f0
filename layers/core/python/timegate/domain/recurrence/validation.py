"""Rules of a schedule, checked before a job is created with it."""

import math
from collections.abc import Collection
from dataclasses import Field, fields
from datetime import datetime
from typing import Any

from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.zones.clock_changes import NamedTimes, is_interval
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND

#: A run may start up to a day late by jitter; more would be another schedule.
MAX_JITTER_SECONDS = 86_400

_BOUNDS = frozenset({"starts_at", "ends_at", "max_runs", "jitter_seconds"})
_FIELDS_OF_KIND = {
    ScheduleKind.IMMEDIATE: frozenset[str](),
    ScheduleKind.AT: frozenset({"at"}),
    ScheduleKind.DELAY: frozenset({"delay_seconds"}),
    ScheduleKind.CRON: frozenset({"cron", "dialect", "timezone", "dst", "gap", "fold"}) | _BOUNDS,
    ScheduleKind.RATE: frozenset({"every_seconds"}) | _BOUNDS,
    ScheduleKind.RRULE: frozenset({"rrule", "timezone", "exdates", "rdates", "dst", "gap", "fold"})
    | _BOUNDS,
    ScheduleKind.UNION: frozenset({"any_of"}) | _BOUNDS,
    ScheduleKind.MANUAL: frozenset[str](),
}
_REQUIRED = {
    ScheduleKind.AT: "at",
    ScheduleKind.DELAY: "delay_seconds",
    ScheduleKind.CRON: "cron",
    ScheduleKind.RATE: "every_seconds",
    ScheduleKind.RRULE: "rrule",
    ScheduleKind.UNION: "any_of",
}
_CLOCK_POLICIES = {"dst": None, "gap": GapPolicy.RUN_AFTER, "fold": FoldPolicy.FIRST}
_INSTANTS = ("at", "starts_at", "ends_at")


def validate_schedule(schedule: Schedule, *, now: datetime) -> None:
    """Refuse a schedule that is contradictory, or names no instant from ``now`` on.

    One of kind ``manual`` is to name none.
    Raises ``InvalidInput`` naming the field. An ``at`` of exactly ``now`` is accepted, an
    earlier one is not: there is no grace.
    """
    _check_fields_of_kind(schedule)
    _check_instants(schedule)
    match schedule.kind:
        case ScheduleKind.CRON:
            _check_cron(schedule)
        case ScheduleKind.RRULE:
            _check_rrule(schedule)
        case ScheduleKind.RATE:
            _check_at_least("every_seconds", schedule.every_seconds, 1)
        case ScheduleKind.DELAY:
            _check_delay(schedule.delay_seconds)
        case ScheduleKind.AT:
            _check_at(schedule.at, now)
        case ScheduleKind.UNION:
            _check_union(schedule, now)
        case ScheduleKind.IMMEDIATE | ScheduleKind.MANUAL:
            pass
    _check_bounds(schedule)
    _check_fires(schedule, now)


def _check_fields_of_kind(schedule: Schedule) -> None:
    changed = [each.name for each in fields(schedule) if _is_changed(schedule, each)]
    check_fields(schedule.kind, changed)


def _is_changed(schedule: Schedule, field: Field[Any]) -> bool:
    return field.name != "kind" and getattr(schedule, field.name) != field.default


def check_fields(kind: ScheduleKind, given: Collection[str]) -> None:
    """Refuse a kind without its own field, or with one that it does not use."""
    required = _REQUIRED.get(kind)
    if required is not None and required not in given:
        _refuse(required, "required", f"A schedule of kind {kind} needs it.")
    for name in given:
        if name not in _FIELDS_OF_KIND[kind]:
            _refuse(name, "not_for_this_kind", f"A schedule of kind {kind} does not use it.")


def _check_instants(schedule: Schedule) -> None:
    for name in _INSTANTS:
        instant = getattr(schedule, name)
        if instant is not None and instant.utcoffset() is None:
            _refuse(name, "no_utc_offset", "It says no time zone offset, such as Z.")


def _check_cron(schedule: Schedule) -> None:
    load_zone(schedule.timezone)
    pattern = pattern_of(schedule)
    if not pattern.can_match:
        detail = "No date matches its day, month and weekday together."
        _refuse("cron", "never_fires", detail)
    _check_clock_changes(schedule, pattern)


def _check_rrule(schedule: Schedule) -> None:
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.rrule.rules import check_rrule  # noqa: PLC0415

    _check_clock_changes(schedule, check_rrule(schedule))


def _check_union(schedule: Schedule, now: datetime) -> None:
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.union.rules import check_members  # noqa: PLC0415

    _check_bounds(schedule)
    check_members(schedule, check_member=lambda each: validate_schedule(each, now=now))


def _check_clock_changes(schedule: Schedule, pattern: NamedTimes) -> None:
    """Refuse a policy that can have no effect: its writer expects one."""
    for name, default in _CLOCK_POLICIES.items():
        if getattr(schedule, name) == default:
            continue
        if never_changes(schedule.timezone):
            detail = f"The clock of {schedule.timezone} is never changed. Leave it out."
            _refuse(name, "without_effect", detail)
        if name != "dst" and is_interval(schedule, pattern):
            _refuse(
                name,
                "without_effect",
                "The schedule is an interval, which follows real time through clock changes. "
                "Leave it out, or set dst to fixed.",
            )


def _check_at(at: datetime | None, now: datetime) -> None:
    if at is not None and at < now:
        _refuse("at", "in_the_past", "It has already passed.")


def _check_delay(delay_seconds: float | None) -> None:
    if delay_seconds is not None and not (delay_seconds >= 0 and math.isfinite(delay_seconds)):
        _refuse("delay_seconds", "out_of_range", "It must be 0 or more.")


def _check_bounds(schedule: Schedule) -> None:
    _check_at_least("max_runs", schedule.max_runs, 1)
    _check_at_least("jitter_seconds", schedule.jitter_seconds, 0)
    if schedule.jitter_seconds > MAX_JITTER_SECONDS:
        _refuse("jitter_seconds", "out_of_range", f"It must be {MAX_JITTER_SECONDS} or less.")
    rates = (schedule, *schedule.any_of)
    every = min((each.every_seconds for each in rates if each.every_seconds), default=None)
    if every is not None and schedule.jitter_seconds > every:
        _refuse("jitter_seconds", "out_of_range", f"Another run is due after {every} s.")
    starts_at, ends_at = schedule.starts_at, schedule.ends_at
    if starts_at is not None and ends_at is not None and ends_at < starts_at:
        _refuse("ends_at", "ends_before_start", "It is earlier than starts_at.")


def _check_fires(schedule: Schedule, now: datetime) -> None:
    """A schedule that recurs begins after ``now``; one that does not may name ``now`` itself."""
    after = now if schedule.is_recurring else now - MILLISECOND
    if schedule.is_manual or next_fire(schedule, created_at=now, after=after) is not None:
        return
    field = "ends_at" if schedule.ends_at is not None else _REQUIRED.get(schedule.kind, "kind")
    _refuse(field, "never_fires", "It names no instant from now on within its bounds.")


def _check_at_least(field: str, value: int | None, least: int) -> None:
    if value is not None and value < least:
        _refuse(field, "out_of_range", f"It must be {least} or more.")


def _refuse(field: str, code: str, detail: str) -> None:
    raise InvalidInput(f"schedule.{field}", code, detail)
