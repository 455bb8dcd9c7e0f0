"""The instants of an ``rrule`` schedule: its rule within UNTIL, its dates added, those left out."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from heapq import merge
from itertools import takewhile

from timegate.domain.recurrence.cron.wall_clock import LAST_YEAR
from timegate.domain.recurrence.rrule.parts import parse_rrule
from timegate.domain.recurrence.rrule.reading import rule_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.counts import count_instants
from timegate.domain.recurrence.wall_times.fires import instant_of, wall_instants
from timegate.domain.recurrence.zones.clock_changes import clock_rule
from timegate.value_classes import dataclass

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Seconds from 1970 on that differ from what the rule names; in order."""

    added: tuple[int, ...]
    left_out: tuple[int, ...]


def rrule_instants(schedule: Schedule, start: int) -> Iterator[int]:
    """The instants from ``start`` on, strictly increasing, as seconds from 1970-01-01 UTC.

    Other bounds than COUNT and UNTIL are left to the caller.
    """
    named = _ruled(schedule, start)
    if not schedule.rdates and not schedule.exdates:
        return named
    added = sorted({_seconds(each) for each in schedule.rdates})
    left_out = {_seconds(each) for each in schedule.exdates}
    return _without(left_out, merge(named, added[bisect_left(added, start) :]))


def count_rrule(schedule: Schedule, start: int, end: int) -> int:
    """Count those with ``start`` <= instant <= ``end``, in bounded time."""
    until = until_of(schedule)
    last = end if until is None else min(end, until)
    pattern = rule_of(schedule)
    rule = clock_rule(schedule, pattern)
    total = count_instants(pattern, schedule.timezone, rule, start, last) if start <= last else 0
    if not schedule.rdates and not schedule.exdates:
        return total
    found = exceptions_of(schedule)
    return total + _within(found.added, start, end) - _within(found.left_out, start, end)


def _ruled(schedule: Schedule, start: int) -> Iterator[int]:
    """Yield the instants that the rule itself names."""
    pattern = rule_of(schedule)
    instants = wall_instants(pattern, schedule.timezone, clock_rule(schedule, pattern), start)
    until = until_of(schedule)
    return instants if until is None else takewhile(lambda each: each <= until, instants)


def _without(left_out: set[int], instants: Iterator[int]) -> Iterator[int]:
    """Each instant once, however often it is named."""
    last = None
    for instant in instants:
        if instant != last and instant not in left_out:
            yield instant
        last = instant


def until_of(schedule: Schedule) -> int | None:
    """Find the last second of UNTIL; ``None`` without one.

    Nothing fires after ``LAST_YEAR``: a later one, as some calendars write, bounds nothing.
    """
    until = parse_rrule(schedule.rrule or "").until
    if until is None or until.at.year > LAST_YEAR:
        return None
    seconds = _seconds(until.at.replace(tzinfo=UTC))
    return seconds if until.is_utc else instant_of(schedule.timezone, seconds)


@lru_cache(maxsize=256)
def exceptions_of(schedule: Schedule) -> Exceptions:
    """Compare the dates of a schedule with its rule; each look costs some microseconds."""
    left_out = {_seconds(each) for each in schedule.exdates}
    added = {_seconds(each) for each in schedule.rdates} - left_out
    return Exceptions(
        added=tuple(sorted(each for each in added if not _is_ruled(schedule, each))),
        left_out=tuple(sorted(each for each in left_out if _is_ruled(schedule, each))),
    )


def _is_ruled(schedule: Schedule, instant: int) -> bool:
    return next(_ruled(schedule, instant), None) == instant


def _within(instants: tuple[int, ...], start: int, end: int) -> int:
    return bisect_right(instants, end) - bisect_left(instants, start)


def _seconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _SECOND
