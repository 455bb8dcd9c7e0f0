"""Ranges of instants, measured in bounded time: a pause of ten years is not walked through."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.wall_times.counts import count_instants
from timegate.domain.recurrence.wall_times.pattern import wall_pattern
from timegate.domain.recurrence.zones.clock_changes import clock_rule
from timegate.domain.values.instants import MILLISECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
#: Instants of a union's members that are walked through, in some milliseconds.
MOST_WALKED = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantSeries:
    """Instants of a schedule that follow one another; there is at least one."""

    first: datetime
    last: datetime
    count: int


def span_between(
    schedule: Schedule,
    *,
    created_at: datetime,
    first: datetime,
    until: datetime,
    at_most: int | None = None,
) -> InstantSeries | None:
    """All instants with ``first`` <= instant <= ``until``, or the last ``at_most`` of them.

    ``None`` without any. The bounds of the schedule count, ``max_runs`` does not.
    """
    if at_most == 0:
        return None
    opening = next_fire(schedule, created_at=created_at, after=first - MILLISECOND)
    if opening is None or opening > until:
        return None
    if schedule.ends_at is not None:
        until = min(until, schedule.ends_at)
    match schedule.kind:
        case ScheduleKind.RATE:
            return _of_rate(schedule, opening, until, at_most)
        case ScheduleKind.CRON | ScheduleKind.RRULE:
            return _of_walls(schedule, opening, until, at_most)
        case ScheduleKind.UNION:
            return _of_union(schedule, created_at, (opening, until), at_most)
        case _:
            return InstantSeries(first=opening, last=opening, count=1)


def spans_of_members(
    union: Schedule, *, created_at: datetime, first: datetime, until: datetime
) -> list[InstantSeries]:
    """The span of each member that has instants; an instant of several is in several."""
    found = (
        span_between(member, created_at=created_at, first=first, until=until)
        for member in union.members
    )
    return [span for span in found if span is not None]


def are_many(spans: Iterable[InstantSeries]) -> bool:
    """Tell whether they are too many to be walked through."""
    return sum(span.count for span in spans) > MOST_WALKED


def _of_rate(
    schedule: Schedule, opening: datetime, until: datetime, at_most: int | None
) -> InstantSeries:
    every = timedelta(seconds=schedule.every_seconds or 1)
    steps = (until - opening) // every
    count = steps + 1 if at_most is None else min(steps + 1, at_most)
    last = opening + steps * every
    return InstantSeries(first=last - (count - 1) * every, last=last, count=count)


def _of_walls(
    schedule: Schedule, opening: datetime, until: datetime, at_most: int | None
) -> InstantSeries:
    begin, end = (opening - _EPOCH) // _SECOND, (until - _EPOCH) // _SECOND
    total = _count(schedule, begin, end)
    count = total if at_most is None else min(total, at_most)
    return InstantSeries(
        first=opening if count == total else _from_end(schedule, count, begin, end),
        last=_from_end(schedule, 1, begin, end),
        count=count,
    )


def _of_union(
    schedule: Schedule,
    created_at: datetime,
    within: tuple[datetime, datetime],
    at_most: int | None,
) -> InstantSeries:
    """Few instants are walked through; of many, overlaps are counted day by day."""
    opening, until = within
    spans = spans_of_members(schedule, created_at=created_at, first=opening, until=until)
    last = max(span.last for span in spans)
    if not are_many(spans):
        after = opening - MILLISECOND
        fires = list(fires_between(schedule, created_at=created_at, after=after, until=last))
        first = fires[0] if at_most is None else fires[-min(at_most, len(fires))]
        return InstantSeries(first=first, last=last, count=len(fires) - fires.index(first))
    # Imported here: few schedules need it, and every function would pay for it.
    from timegate.domain.recurrence.union.days import UnionDays  # noqa: PLC0415

    days = UnionDays(schedule.members, created_at)
    begin, end = (opening - _EPOCH) // MILLISECOND, (last - _EPOCH) // MILLISECOND
    total = days.count(begin, end)
    count = total if at_most is None else min(total, at_most)
    first = opening if count == total else _EPOCH + days.latest(count, begin, end) * MILLISECOND
    return InstantSeries(first=first, last=last, count=count)


def _from_end(schedule: Schedule, number: int, begin: int, end: int) -> datetime:
    """The instant at which the last ``number`` instants of a range begin, by halving it."""
    earliest, latest = begin, end
    while earliest < latest:
        middle = (earliest + latest + 1) // 2
        if _count(schedule, middle, end) >= number:
            earliest = middle
        else:
            latest = middle - 1
    return datetime.fromtimestamp(earliest, UTC)


def _count(schedule: Schedule, begin: int, end: int) -> int:
    if schedule.kind is ScheduleKind.RRULE:
        # Imported here: few schedules need it, and every function would pay for it.
        from timegate.domain.recurrence.rrule.named import count_rrule  # noqa: PLC0415

        return count_rrule(schedule, begin, end)
    pattern = wall_pattern(schedule)
    rule = clock_rule(schedule, pattern)
    return count_instants(pattern, schedule.timezone, rule, begin, end)
