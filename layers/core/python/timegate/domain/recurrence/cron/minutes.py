"""Counts of a pattern's instants in each minute."""

from collections.abc import Iterator
from dataclasses import replace

from timegate.domain.recurrence.cron.pattern import CronPattern, pattern_of
from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.cron.walls import CronWalls
from timegate.domain.recurrence.kinds.kind import MINUTE_SECONDS as _MINUTE
from timegate.domain.recurrence.kinds.kind import MinuteCount
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.counts import count_instants
from timegate.domain.recurrence.wall_times.fires import wall_instants
from timegate.domain.recurrence.zones.clock_changes import ClockRule, clock_rule
from timegate.domain.recurrence.zones.zone_clock import stretch_at


def cron_minutes(schedule: Schedule, begin: int, end: int) -> Iterator[MinuteCount]:
    """Yield the minutes of a range, whose ends are seconds from 1970 and lie in it."""
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
