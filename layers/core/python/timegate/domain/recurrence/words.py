"""A schedule in words."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.cron.words import describe_pattern, names_clock_times
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.zones.clock_changes import NamedTimes, is_interval
from timegate.domain.recurrence.zones.zone_clock import never_changes
from timegate.domain.values.instants import rfc3339

#: Kinds without a field.
_FIELDLESS = {
    ScheduleKind.IMMEDIATE: "Once, at creation",
    ScheduleKind.MANUAL: "Only when it is triggered, or follows another job",
}
_UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))


def describe(schedule: Schedule) -> str:
    """The schedule for people, such as ``At 09:00 on Monday to Friday, Europe/Berlin time``.

    Raises ``InvalidInput`` when its cron expression cannot be read.
    """
    return ", ".join(_parts(schedule))


def _parts(schedule: Schedule) -> Iterator[str]:
    match schedule.kind:
        case ScheduleKind.IMMEDIATE | ScheduleKind.MANUAL:
            yield _FIELDLESS[schedule.kind]
        case ScheduleKind.AT:
            yield f"Once, at {_instant(schedule.at)}"
        case ScheduleKind.DELAY:
            yield f"Once, {_span(schedule.delay_seconds or 0)} after creation"
        case ScheduleKind.RATE:
            yield f"Every {_span(schedule.every_seconds or 0).removeprefix('1 ')}"
        case ScheduleKind.CRON:
            yield from _cron_parts(schedule)
        case ScheduleKind.RRULE:
            yield from _rrule_parts(schedule)
        case ScheduleKind.UNION:
            yield _union_words(schedule)
    yield from _bounds(schedule)


def _cron_parts(schedule: Schedule) -> Iterator[str]:
    pattern = pattern_of(schedule)
    yield describe_pattern(pattern)
    yield from _zone_parts(schedule, pattern, lists_times=names_clock_times(pattern))


def _rrule_parts(schedule: Schedule) -> Iterator[str]:
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.rrule.reading import rule_of  # noqa: PLC0415
    from timegate.domain.recurrence.rrule.words import (  # noqa: PLC0415
        describe_exceptions,
        describe_rule,
        lists_clock_times,
    )

    rule = rule_of(schedule)
    yield describe_rule(rule.parts)
    yield from _zone_parts(schedule, rule, lists_times=lists_clock_times(rule.parts))
    yield from describe_exceptions(schedule, rule.parts)


def _union_words(union: Schedule) -> str:
    """Join the members: ``At 09:00 …, UTC; and every 2 hours``; bounds are those of all of them."""
    first, *others = map(describe, union.any_of)
    words = [first, *(f"and {each[:1].lower()}{each[1:]}" for each in others)]
    return "; ".join([*words, "all of it"] if any(_bounds(union)) else words)


def _zone_parts(schedule: Schedule, pattern: NamedTimes, *, lists_times: bool) -> Iterator[str]:
    """Name the zone, and tell an interval from fixed times where the times themselves do not."""
    yield "UTC" if schedule.timezone == "UTC" else f"{schedule.timezone} time"
    if never_changes(schedule.timezone):
        return
    if is_interval(schedule, pattern):
        yield "following real time when its clock changes"
    elif not lists_times:
        yield "as fixed times of the day"
    if schedule.gap is GapPolicy.SKIP:
        yield "never in place of a time its clock skips"
    if schedule.fold is FoldPolicy.BOTH:
        yield "both times when its clock shows a time twice"


def _bounds(schedule: Schedule) -> Iterator[str]:
    if schedule.starts_at is not None:
        yield f"from {_instant(schedule.starts_at)}"
    if schedule.ends_at is not None:
        yield f"until {_instant(schedule.ends_at)}"
    if schedule.max_runs is not None:
        yield "once" if schedule.max_runs == 1 else f"at most {schedule.max_runs} times"
    if schedule.jitter_seconds:
        yield f"each up to {_span(schedule.jitter_seconds)} late"


def _span(seconds: float) -> str:
    """In the largest unit that makes it a whole number."""
    if seconds != int(seconds):
        return f"{round(seconds, 3)} seconds"
    unit, size = next((unit, size) for unit, size in _UNITS if not seconds % size)
    number = int(seconds) // size if seconds else 0
    return f"1 {unit}" if number == 1 else f"{number} {unit if seconds else 'second'}s"


def _instant(instant: datetime | None) -> str:
    return rfc3339(instant) if instant is not None else "no instant"
