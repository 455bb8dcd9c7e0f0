"""Rules of a schedule, checked before a job is created with it."""

from collections.abc import Collection
from datetime import datetime

from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import defaults_of

#: A run may start up to a day late by jitter; more would be another schedule.
MAX_JITTER_SECONDS = 86_400

_INSTANTS = ("at", "starts_at", "ends_at")


def validate_schedule(schedule: Schedule, *, now: datetime) -> None:
    """Refuse a schedule that is contradictory, or names no instant from ``now`` on.

    One of kind ``manual`` is to name none.
    Raises ``InvalidInput`` naming the field. An ``at`` of exactly ``now`` is accepted, an
    earlier one is not: there is no grace.
    """
    _check_fields_of_kind(schedule)
    _check_instants(schedule)
    kind_of(schedule.kind).check(schedule, now)
    check_bounds(schedule)
    _check_fires(schedule, now)


def _check_fields_of_kind(schedule: Schedule) -> None:
    defaults = defaults_of(Schedule)
    changed = [name for name, default in defaults.items() if getattr(schedule, name) != default]
    check_fields(schedule.kind, changed)


def check_fields(kind: ScheduleKind, given: Collection[str]) -> None:
    """Refuse a kind without its own field, or with one that it does not use."""
    rules = kind_of(kind)
    if rules.required is not None and rules.required not in given:
        _refuse(rules.required, "required", f"A schedule of kind {kind} needs it.")
    for name in given:
        if name not in rules.fields:
            _refuse(name, "not_for_this_kind", f"A schedule of kind {kind} does not use it.")


def _check_instants(schedule: Schedule) -> None:
    for name in _INSTANTS:
        instant = getattr(schedule, name)
        if instant is not None and instant.utcoffset() is None:
            _refuse(name, "no_utc_offset", "It says no time zone offset, such as Z.")


def check_bounds(schedule: Schedule) -> None:
    """Refuse bounds that contradict one another; raises ``InvalidInput``."""
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
    field = "ends_at" if schedule.ends_at is not None else kind_of(schedule.kind).required or "kind"
    _refuse(field, "never_fires", "It names no instant from now on within its bounds.")


def _check_at_least(field: str, value: int | None, least: int) -> None:
    if value is not None and value < least:
        _refuse(field, "out_of_range", f"It must be {least} or more.")


def _refuse(field: str, code: str, detail: str) -> None:
    raise InvalidInput(f"schedule.{field}", code, detail)
