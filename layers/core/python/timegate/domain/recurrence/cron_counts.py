"""How many instants a cron pattern has in a range, without walking through them."""

from bisect import bisect_left
from datetime import date

from timegate.domain.recurrence.clock_changes import ClockRule
from timegate.domain.recurrence.cron_pattern import CronPattern
from timegate.domain.recurrence.wall_clock import DAY_SECONDS, EPOCH_DAY, months_from
from timegate.domain.recurrence.zone_clock import stretch_at


def count_instants(
    pattern: CronPattern, zone_name: str, rule: ClockRule, start: int, end: int
) -> int:
    """How many of ``cron_instants`` lie in ``start`` <= instant <= ``end``.

    The same walk along the stretches of the zone's clock, but each stretch is counted by its months
    and its first and last day: some dozen steps a year, however often the pattern fires.
    """
    total, position = 0, start - 1
    while position < end:
        stretch = stretch_at(zone_name, position)
        first_wall = position + stretch.offset
        if rule.runs_once:
            first_wall = max(first_wall, stretch.shown_until)
        begin = max(first_wall, start + stretch.offset)
        jump = stretch.end + stretch.offset
        total += _count_walls(pattern, begin, min(end + 1 + stretch.offset, jump))
        position = stretch.end
        jumped_to = stretch.end + stretch.next_offset
        if (
            rule.makes_up
            and stretch.end <= end
            and _count_walls(pattern, max(jump, first_wall), jumped_to)
        ):
            total += 1
            position += 1
    return total


def _count_walls(pattern: CronPattern, begin: int, end: int) -> int:
    """The matching wall times with ``begin`` <= wall < ``end``."""
    if begin >= end:
        return 0
    first_day, first_second = divmod(begin, DAY_SECONDS)
    last_day, last_second = divmod(end, DAY_SECONDS)
    a_day = len(pattern.hours) * len(pattern.minutes) * len(pattern.seconds)
    total = _count_days(pattern, first_day, last_day - 1) * a_day
    total -= _count_days(pattern, first_day, first_day) * _seconds_before(pattern, first_second)
    total += _count_days(pattern, last_day, last_day) * _seconds_before(pattern, last_second)
    return total


def _count_days(pattern: CronPattern, first: int, last: int) -> int:
    """The matching days of a closed range, counted from 1970-01-01."""
    total = 0
    if first > last:
        return total
    for month, days in months_from(pattern, date.fromordinal(first + EPOCH_DAY)):
        if month > last:
            break
        below = max(first - month, 0)
        within = (1 << (last - month + 1)) - 1
        total += ((days & within) >> below).bit_count()
    return total


def _seconds_before(pattern: CronPattern, second_of_day: int) -> int:
    """The matching seconds of a matching day before one of its seconds."""
    hour, rest = divmod(second_of_day, 3600)
    minute, second = divmod(rest, 60)
    a_minute = len(pattern.seconds)
    an_hour = len(pattern.minutes) * a_minute
    total = bisect_left(pattern.hours, hour) * an_hour
    if hour in pattern.hours:
        total += bisect_left(pattern.minutes, minute) * a_minute
        if minute in pattern.minutes:
            total += bisect_left(pattern.seconds, second)
    return total
