"""The fields of a job in a document, and how each is read."""

from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from typing import Any, get_type_hints

from timegate.domain.calendars.business_days import MAX_BUSINESS_DAY
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.finish_by import MAX_WITHIN_SECONDS, TIME_OF_DAY, FinishBy
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import MAX_FAILURES_IN_A_ROW
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS
from timegate.domain.limits.overlap import MAX_CONCURRENT, Overlap, OverlapPolicy
from timegate.domain.recurrence.kinds.kind import BOUNDS
from timegate.domain.recurrence.schedule import (
    MAX_DATES,
    MAX_RUNS,
    MEMBER_KINDS,
    DstPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.union.fields import BESIDE_ANY_OF, NOT_A_MEMBER
from timegate.domain.recurrence.validation import MAX_JITTER_SECONDS, check_fields
from timegate.domain.rules.rule import MAX_LATE_SECONDS
from timegate.domain.simulation.parsing.fields import (
    Fields,
    Read,
    flag,
    instant,
    many,
    number,
    one_of,
    or_null,
    seconds,
    table,
    text,
    whole,
)
from timegate.domain.simulation.parsing.trigger_fields import (
    read_collapse,
    read_json,
    read_trigger,
)
from timegate.domain.simulation.scenario import Edit, Pause, RunOutcome, TimeSpan
from timegate.domain.values.durations import MAX_SECONDS
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, parse_job_id

MAX_TAGS = 20
_UNTOLD = {Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE, Occasion.NEEDS_DECISION}
_CATCH_UP = CatchUp()


def _members(value: object, path: str) -> tuple[Schedule, ...]:
    return many(_member)(value, path)


def _member(value: object, path: str) -> Schedule:
    """A member has no members: what nests is refused before it is read."""
    given = Fields(value, path)
    kind = given.required("kind", one_of(ScheduleKind))
    if kind not in MEMBER_KINDS:
        raise InvalidInput(f"{path}.kind", "invalid_choice", NOT_A_MEMBER)
    for name in BOUNDS:
        if name in given.given():
            raise InvalidInput(given.path(name), "not_for_this_kind", BESIDE_ANY_OF)
    return read_schedule(value, path)


#: Those that have limits, or may be null; the others are read by their types.
_LIMITED: dict[str, Read[Any]] = {
    "at": instant,
    "delay_seconds": seconds(number(0, MAX_SECONDS)),
    "every_seconds": seconds(whole(1, MAX_SECONDS)),
    "starts_at": or_null(instant),
    "ends_at": or_null(instant),
    "max_runs": or_null(whole(1, MAX_RUNS)),
    "dst": or_null(one_of(DstPolicy)),
    "jitter_seconds": seconds(whole(0, MAX_JITTER_SECONDS)),
}


def _reader(name: str, hint: Any) -> Read[Any]:  # noqa: ANN401 - a type
    if name in _LIMITED:
        return _LIMITED[name]
    if hint in {str, str | None}:
        return text
    if hint == tuple[datetime, ...]:
        return many(instant, most=MAX_DATES)
    return _members if hint == tuple[Schedule, ...] else one_of(hint)


_HINTS = get_type_hints(Schedule)
_SCHEDULE = {
    each.name: _reader(each.name, _HINTS[each.name])
    for each in fields(Schedule)
    if each.name != "kind"
}


def read_schedule(value: object, path: str) -> Schedule:
    """Read a schedule; raises ``InvalidInput`` for a field that its kind does not use."""
    given = Fields(value, path)
    kind = given.required("kind", one_of(ScheduleKind))
    there = given.given()
    options = {n: given.required(n, read) for n, read in _SCHEDULE.items() if n in there}
    given.done()
    try:
        check_fields(kind, list(options))
        return as_written(Schedule(kind=kind, **options))
    except InvalidInput as refused:
        inner = refused.field.removeprefix("schedule")
        raise InvalidInput(f"{path}{inner}", refused.code, refused.detail) from refused


def read_span(value: object, path: str) -> TimeSpan:
    """A span of time."""
    given = Fields(value, path)
    span = TimeSpan(start=given.required("from", instant), end=given.required("to", instant))
    given.done()
    return span


def read_job_id(value: object, path: str) -> JobId:
    """A job's id."""
    job_id = parse_job_id(text(value, path))
    if job_id is None:
        raise InvalidInput(path, "invalid_format", "It has not the shape of a job's id.")
    return job_id


def _catch_up(value: object, path: str) -> CatchUp:
    given = Fields(value, path)
    policy = given.required("policy", one_of(CatchUpPolicy))
    match policy:
        case CatchUpPolicy.SKIP:
            _refuse_unused(given, policy, "limit", "window_seconds")
        case CatchUpPolicy.LATEST:
            _refuse_unused(given, policy, "limit")
        case CatchUpPolicy.ALL:
            pass
    catch_up = CatchUp(
        policy=policy,
        limit=given.optional("limit", whole(1, MAX_RUNS), _CATCH_UP.limit),
        window_seconds=given.optional(
            "window_seconds", seconds(whole(1, MAX_SECONDS)), _CATCH_UP.window_seconds
        ),
        grace_seconds=given.optional(
            "grace_seconds", seconds(whole(0, 86_400)), _CATCH_UP.grace_seconds
        ),
    )
    is_own = catch_up.grace_seconds != _CATCH_UP.grace_seconds
    if is_own and catch_up.grace_seconds > catch_up.window_seconds:
        detail = "It is longer than window_seconds, beyond which nothing runs."
        raise InvalidInput(given.path("grace_seconds"), "contradictory", detail)
    given.done()
    return catch_up


def _finish_by(value: object, path: str) -> FinishBy:
    given = Fields(value, path)
    finish_by = FinishBy(
        within_seconds=given.optional(
            "within_seconds", seconds(whole(1, MAX_WITHIN_SECONDS)), None
        ),
        time=given.optional("time", _time_of_day, None),
        timezone=given.optional("timezone", text, None),
    )
    given.done()
    return finish_by


def _time_of_day(value: object, path: str) -> str:
    named = text(value, path)
    if TIME_OF_DAY.fullmatch(named) is None:
        raise InvalidInput(path, "invalid_format", "It must be HH:MM or HH:MM:SS.")
    return named


def _overlap(value: object, path: str) -> Overlap:
    given = Fields(value, path)
    policy = given.required("policy", one_of(OverlapPolicy))
    if policy is OverlapPolicy.ALLOW:
        _refuse_unused(given, policy, "max_concurrent", "concurrency_key")
    overlap = Overlap(
        policy=policy,
        max_concurrent=given.optional("max_concurrent", whole(1, MAX_CONCURRENT), 1),
        concurrency_key=given.optional("concurrency_key", text, None),
    )
    given.done()
    return overlap


def _refuse_unused(given: Fields, policy: StrEnum, *names: str) -> None:
    """Refuse fields that a policy does not use: they contradict it."""
    for name in names:
        if name in given.given():
            detail = f"The policy {policy} does not use it."
            raise InvalidInput(given.path(name), "not_for_this_policy", detail)


def _pause(value: object, path: str) -> Pause:
    given = Fields(value, path)
    end: datetime | None = given.optional("to", instant, None)
    if end is None and "catch_up" in given.given():
        detail = "A pause without to is never resumed."
        raise InvalidInput(given.path("catch_up"), "not_resumed", detail)
    pause = Pause(
        start=given.required("from", instant),
        end=end,
        catch_up=given.optional("catch_up", flag, default=False),
    )
    given.done()
    return pause


def _edit(value: object, path: str) -> Edit:
    given = Fields(value, path)
    edit = Edit(
        at=given.required("at", instant), schedule=given.required("schedule", read_schedule)
    )
    given.done()
    return edit


def _calendar_rule(value: object, path: str) -> CalendarRule:
    given = Fields(value, path)
    rule = CalendarRule(
        calendar=given.required("calendar", text),
        mode=given.optional("mode", one_of(CalendarMode), CalendarMode.EXCLUDE),
        action=given.optional("action", one_of(CalendarAction), CalendarAction.SKIP),
        business_day=given.optional("business_day", _business_day, None),
        roll=given.optional("roll", one_of(Roll), None),
    )
    given.done()
    return rule


def _business_day(value: object, path: str) -> int | None:
    return None if value is None else whole(-MAX_BUSINESS_DAY, MAX_BUSINESS_DAY)(value, path)


def _run_seconds(value: object, path: str) -> tuple[float, ...]:
    takes = seconds(number(0, MAX_SECONDS))
    return many(takes)(value, path) if isinstance(value, list) else (takes(value, path),)


def _told_on(value: object, path: str) -> tuple[Occasion, ...]:
    """Occasions on which the job's channels are told, in a fixed order."""
    named = many(one_of(Occasion))(value, path)
    for at, occasion in enumerate(named):
        if occasion in _UNTOLD:
            detail = "No simulation tells of it: rows show deadlines, and no approval waits."
            raise InvalidInput(f"{path}.{at}", "invalid_choice", detail)
    return tuple(occasion for occasion in Occasion if occasion in named)


def _outcomes(value: object, path: str) -> tuple[RunOutcome, ...]:
    read = one_of(RunOutcome)
    return many(read)(value, path) if isinstance(value, list) else (read(value, path),)


#: Those that every job may have, beside its schedule and its beginning.
JOB_FIELDS: dict[str, Read[Any]] = {
    "catch_up": _catch_up,
    "overlap": _overlap,
    "start_within_seconds": seconds(whole(1, MAX_SECONDS)),
    "finish_by": _finish_by,
    "precision": one_of(Precision),
    "job_id": read_job_id,
    "calendar_rules": many(_calendar_rule),
    "tags": table(text, most=MAX_TAGS),
    "pauses": many(_pause),
    "edits": many(_edit),
    "cancelled_at": instant,
    "collapse": read_collapse,
    "triggers": many(read_trigger),
    "run_seconds": _run_seconds,
    "outcomes": _outcomes,
    "late_after_seconds": seconds(whole(0, MAX_LATE_SECONDS)),
    "absent_after_seconds": seconds(whole(MIN_ABSENT_SECONDS, MAX_ABSENT_SECONDS)),
    "pause_after_failures": whole(1, MAX_FAILURES_IN_A_ROW),
    "resumes": many(instant),
    "told_on": _told_on,
    "payload": read_json,
}
