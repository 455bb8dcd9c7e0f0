"""Counts of a schedule's instants in each minute, without walking through them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import groupby, takewhile

from timegate.domain.recurrence.counting import are_many, spans_of_members
from timegate.domain.recurrence.cron.pattern import CronPattern, pattern_of
from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.cron.walls import CronWalls
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.wall_times.counts import count_instants
from timegate.domain.recurrence.wall_times.fires import wall_instants
from timegate.domain.recurrence.zones.clock_changes import ClockRule, clock_rule
from timegate.domain.recurrence.zones.zone_clock import stretch_at
from timegate.domain.values.instants import MILLISECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_MINUTE_MS = 60_000
_MINUTE = 60

#: A minute, counted from 1970, and how many instants lie in it. A minute may come in parts.
MinuteCount = tuple[int, int]


def minute_counts(
    schedule: Schedule, *, created_at: datetime, first: datetime, until: datetime
) -> Iterator[MinuteCount]:
    """Yield the minutes that have instants with ``first`` <= instant <= ``until``.

    The bounds of the schedule count, ``max_runs`` and jitter do not. Rates, crons and unions
    take some steps a minute at most, however often they fire; rules one step an instant.
    """
    opening = next_fire(schedule, created_at=created_at, after=first - MILLISECOND)
    if opening is None or opening > until:
        return
    if schedule.ends_at is not None:
        until = min(until, schedule.ends_at)
    match schedule.kind:
        case ScheduleKind.RATE:
            yield from _of_rate(schedule, opening, until)
        case ScheduleKind.CRON:
            begin, end = (opening - _EPOCH) // _SECOND, (until - _EPOCH) // _SECOND
            yield from _of_cron(schedule, begin, end)
        case ScheduleKind.RRULE:
            begin, end = (opening - _EPOCH) // _SECOND, (until - _EPOCH) // _SECOND
            yield from _of_rule(schedule, begin, end)
        case ScheduleKind.UNION:
            yield from _of_union(schedule, created_at, opening, until)
        case _:
            yield minute_of(opening), 1


def minute_of(instant: datetime) -> int:
    """The minute of an instant, counted from 1970."""
    return (instant - _EPOCH) // _SECOND // _MINUTE


def _of_rate(schedule: Schedule, opening: datetime, until: datetime) -> Iterator[MinuteCount]:
    every = (schedule.every_seconds or 1) * 1000
    begin, end = (opening - _EPOCH) // MILLISECOND, (until - _EPOCH) // MILLISECOND
    if every >= _MINUTE_MS:
        yield from ((at // _MINUTE_MS, 1) for at in range(begin, end + 1, every))
        return
    passed = 0
    for minute in range(begin // _MINUTE_MS, end // _MINUTE_MS + 1):
        last = min((minute + 1) * _MINUTE_MS - 1, end)
        reached = (last - begin) // every + 1
        yield minute, reached - passed
        passed = reached


def _of_cron(schedule: Schedule, begin: int, end: int) -> Iterator[MinuteCount]:
    pattern = pattern_of(schedule)
    zone, rule = schedule.timezone, clock_rule(schedule, CronWalls(pattern))
    if len(pattern.seconds) == 1:
        yield from _walk(pattern, zone, rule, begin, end)
        return
    while begin <= end:
        last = min(begin // DAY_SECONDS * DAY_SECONDS + DAY_SECONDS - 1, end)
        if _runs_evenly(zone, begin, last):
            yield from _of_even_day(pattern, zone, rule, begin, last)
        else:
            yield from _walk(pattern, zone, rule, begin, last)
        begin = last + 1


def _of_rule(schedule: Schedule, begin: int, end: int) -> Iterator[MinuteCount]:
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.rrule.named import rrule_instants  # noqa: PLC0415

    instants = takewhile(lambda each: each <= end, rrule_instants(schedule, begin))
    for minute, those in groupby(instants, lambda each: each // _MINUTE):
        yield minute, sum(1 for _ in those)


def _of_union(
    schedule: Schedule, created_at: datetime, opening: datetime, until: datetime
) -> Iterator[MinuteCount]:
    spans = spans_of_members(schedule, created_at=created_at, first=opening, until=until)
    if not are_many(spans):
        after = opening - MILLISECOND
        fires = fires_between(schedule, created_at=created_at, after=after, until=until)
        yield from ((minute_of(fire), 1) for fire in fires)
        return
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.union.days import UnionDays  # noqa: PLC0415

    begin, end = (opening - _EPOCH) // MILLISECOND, (until - _EPOCH) // MILLISECOND
    yield from UnionDays(schedule.members, created_at).minutes(begin, end)


def _of_even_day(
    pattern: CronPattern, zone: str, rule: ClockRule, begin: int, end: int
) -> Iterator[MinuteCount]:
    """Whole minutes have each second of the pattern; the first and last minute are counted."""
    whole, behind = -(-begin // _MINUTE), (end + 1) // _MINUTE
    edges = [(begin, min(whole * _MINUTE - 1, end)), (max(behind * _MINUTE, begin), end)]
    if whole > behind:
        edges = edges[:1]
    for first, last in edges:
        if first <= last and (count := count_instants(CronWalls(pattern), zone, rule, first, last)):
            yield first // _MINUTE, count
    sparse = replace(pattern, seconds=pattern.seconds[:1])
    for minute, _ in _walk(sparse, zone, rule, whole * _MINUTE, behind * _MINUTE - 1):
        yield minute, len(pattern.seconds)


def _walk(
    pattern: CronPattern, zone: str, rule: ClockRule, begin: int, end: int
) -> Iterator[MinuteCount]:
    for instant in wall_instants(CronWalls(pattern), zone, rule, begin):
        if instant > end:
            return
        yield instant // _MINUTE, 1


def _runs_evenly(zone: str, begin: int, end: int) -> bool:
    """The zone's clock shows new times only, by whole minutes from UTC."""
    stretch = stretch_at(zone, begin - 1)
    shows_new = begin + stretch.offset >= stretch.shown_until
    return stretch.end > end and shows_new and stretch.offset % _MINUTE == 0
