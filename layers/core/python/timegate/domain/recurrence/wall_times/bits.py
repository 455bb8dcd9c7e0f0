"""Seconds of days, as bits of whole numbers."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS


def days_within(first: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the days of a closed range, and of each the seconds ``low`` <= second < ``high``."""
    for day in range(first // DAY_SECONDS, last // DAY_SECONDS + 1):
        begin = day * DAY_SECONDS
        yield day, max(first - begin, 0), min(last + 1 - begin, DAY_SECONDS)


def cut(bits: int, low: int, high: int) -> int:
    """Keep the bits ``low`` <= bit < ``high`` in their places."""
    if high < DAY_SECONDS:
        bits &= (1 << high) - 1
    return bits >> low << low


def as_bits(instants: Sequence[int], begin: int) -> int:
    """The instants of the day that begins then."""
    low, high = bisect_left(instants, begin), bisect_left(instants, begin + DAY_SECONDS)
    return sum(1 << each - begin for each in instants[low:high])


def repeated(bits: int, width: int, times: int) -> int:
    """Lay a pattern of bits end to end, by doubling what is there."""
    whole, done = bits, 1
    while done * 2 <= times:
        whole |= whole << done * width
        done *= 2
    return whole | whole << (times - done) * width if done < times else whole
