"""The instants a schedule names, whatever its kind."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import count, groupby, islice, takewhile

from timegate.domain.recurrence.cron.wall_clock import LAST_YEAR
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.wall_times.fires import wall_instants
from timegate.domain.recurrence.wall_times.pattern import wall_pattern
from timegate.domain.recurrence.zones.clock_changes import clock_rule
from timegate.domain.values.instants import to_milliseconds

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_MICROSECOND = timedelta(microseconds=1)


def next_fire(schedule: Schedule, *, created_at: datetime, after: datetime) -> datetime | None:
    """The first instant strictly later than ``after``; ``None`` when there is no more.

    ``starts_at`` and ``ends_at`` are both inclusive. ``max_runs`` is left to the planner, which
    counts runs. ``created_at`` anchors ``immediate``, ``delay`` and a rate without ``starts_at``;
    it does not bound a cron or an anchored rate, so that a range before the job's creation can be
    filled.
    """
    return next(_fires(schedule, created_at, after), None)


def fires_between(
    schedule: Schedule, *, created_at: datetime, after: datetime, until: datetime
) -> Iterator[datetime]:
    """The instants with ``after`` < instant <= ``until``, strictly increasing, computed lazily."""
    return takewhile(lambda fire: fire <= until, _fires(schedule, created_at, after))


def nominates(schedule: Schedule, *, created_at: datetime, instant: datetime) -> bool:
    """Tell if the schedule names this instant, ``max_runs`` aside."""
    before = instant - _MICROSECOND
    return next_fire(schedule, created_at=created_at, after=before) == instant


def preview(
    schedule: Schedule, *, created_at: datetime, after: datetime, count: int
) -> list[datetime]:
    """The next ``count`` instants after ``after``; fewer when the schedule ends before.

    ``max_runs`` counts from the first one shown.
    """
    limit = count if schedule.max_runs is None else min(count, schedule.max_runs)
    return list(islice(_fires(schedule, created_at, after), limit))


def _fires(schedule: Schedule, created_at: datetime, after: datetime) -> Iterator[datetime]:
    if not schedule.is_recurring:
        return (fire for fire in _once(schedule, created_at) if fire > after)
    # The year 1 has no instant before its first.
    if schedule.starts_at is not None and schedule.starts_at > after:
        after = max(after, schedule.starts_at - _MICROSECOND)
    fires = _RECURRING[schedule.kind](schedule, created_at, after)
    ends_at = schedule.ends_at
    return fires if ends_at is None else takewhile(lambda fire: fire <= ends_at, fires)


def _once(schedule: Schedule, created_at: datetime) -> tuple[datetime, ...]:
    """The one instant of a kind that does not recur; none of ``manual``, or out of reach."""
    if schedule.is_manual:
        return ()
    if schedule.kind is ScheduleKind.AT:
        return () if schedule.at is None else (schedule.at,)
    try:
        delay = timedelta(seconds=schedule.delay_seconds or 0)
        return (to_milliseconds(created_at + delay),)
    except OverflowError:
        return ()


def _cron(schedule: Schedule, _: datetime, after: datetime) -> Iterator[datetime]:
    pattern = wall_pattern(schedule)
    rule = clock_rule(schedule, pattern)
    start = _second_after(after)
    return _as_datetimes(wall_instants(pattern, schedule.timezone, rule, start), after)


def _rrule(schedule: Schedule, _: datetime, after: datetime) -> Iterator[datetime]:
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.rrule.named import rrule_instants  # noqa: PLC0415

    return _as_datetimes(rrule_instants(schedule, _second_after(after)), after)


def _second_after(after: datetime) -> int:
    """Find the whole second after an instant, which may itself be one; none before 1970."""
    return (max(after, _EPOCH - _SECOND) - _EPOCH) // _SECOND + 1


def _as_datetimes(instants: Iterator[int], after: datetime) -> Iterator[datetime]:
    if after >= _END:
        return
    for instant in instants:
        yield datetime.fromtimestamp(instant, UTC)


def _rate(schedule: Schedule, created_at: datetime, after: datetime) -> Iterator[datetime]:
    """Every instant is computed from the anchor, so no error adds up."""
    try:
        every = timedelta(seconds=schedule.every_seconds or 0)
        first = schedule.starts_at or created_at + every
        passed = max(0, (after - first) // every + 1)
        for number in count(passed):
            yield first + number * every
    except (OverflowError, ZeroDivisionError):
        return


def _union(schedule: Schedule, created_at: datetime, after: datetime) -> Iterator[datetime]:
    """Each instant once, however many members name it."""
    named = merge(*(_fires(member, created_at, after) for member in schedule.members))
    return (instant for instant, _ in groupby(named))


_RECURRING = {
    ScheduleKind.CRON: _cron,
    ScheduleKind.RATE: _rate,
    ScheduleKind.RRULE: _rrule,
    ScheduleKind.UNION: _union,
}
