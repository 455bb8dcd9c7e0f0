"""Buckets: how far a watcher of an index has come, and when no writer can enter behind it any more.

A writer that enters something into an index reads the clock first, and enters it under no earlier
instant than that. Then he may take as long as he lives: his process stands still, his requests are
repeated. So a bucket is looked at twice: soon, which finds nearly everything, and once more when
every process that could have meant to write into it is dead. Only then it is sealed.

One that is not empty by then holds what a store refuses to write. It is kept apart, by name, and no
bucket behind it waits for it.
"""

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime, timedelta

from timegate.domain.values.instants import MILLISECOND, minute_of, minute_start, minutes_between
from timegate.value_classes import dataclass

#: The watermark stays this far behind: an index shows a write only after a moment.
INDEX_MARGIN = timedelta(minutes=2)
#: Lambda ends every invocation by then, and no function asks for more.
LONGEST_LIFE = timedelta(minutes=15)
#: A shard's very first tick begins this long before the shard was opened, however long ago that
#: is: nothing was written into it earlier but by clocks that are behind.
FIRST_LOOK_BACK = timedelta(hours=1)
#: Most buckets of a shard that are kept apart: with them its cursor is one unit of writes.
MOST_APART = 48


def second_look(sealed: datetime, watermark: datetime, *, now: datetime) -> list[str]:
    """The minutes that can be sealed now, if they are empty still; none that the first look reads.

    One a minute, while ticks come each minute.
    """
    passed = minutes_between(sealed, _end(now) - MILLISECOND)
    first = minute_of(watermark)
    return [minute for minute in passed if minute < first]


@dataclass(kw_only=True, slots=True)
class Reading:
    """Buckets that were read one after the other, and not found empty."""

    open: list[str] = field(default_factory=list)
    #: First one for which there was no time; ``None``: all were read.
    unread: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class BucketProgress:
    """Marks before which the buckets of a shard are empty."""

    #: Every bucket before it was found empty.
    watermark: datetime
    #: And every bucket before it after the last moment at which a writer could fill it, but for
    #: those kept apart.
    sealed: datetime
    #: Minutes before ``sealed`` whose buckets are not empty yet.
    apart: tuple[str, ...] = ()

    @property
    def read_from(self) -> datetime:
        """Return the instant from which buckets are read, besides those kept apart."""
        return max(self.watermark, self.sealed) if self.apart else self.watermark


def progressed(
    before: BucketProgress,
    looks: Sequence[Reading],
    apart: Reading,
    *,
    reached: datetime,
    now: datetime,
) -> BucketProgress:
    """Tell how far a shard's buckets are empty after a tick that read them.

    ``looks``: the first and the second one; ``apart``: of those kept apart. ``reached``: up to
    where the first look reads. No more than ``MOST_APART`` are kept apart: the watcher reads on
    from the first one beyond.
    """
    end = max(before.sealed, _end(now))
    found = {minute for each in (*looks, apart) for minute in each.open}
    if apart.unread is not None:
        found |= {each for each in before.apart if each >= apart.unread}
    in_order = sorted(found)
    closed = [each for each in in_order if minute_start(each) < end][:MOST_APART]
    left = [*in_order[len(closed) :], *(each.unread for each in looks if each.unread is not None)]
    sealed = min([end, *map(minute_start, left)])
    return BucketProgress(
        watermark=min([reached, *map(minute_start, [*closed, *left])]),
        sealed=sealed,
        # The first look reads those behind it again.
        apart=tuple(each for each in closed if minute_start(each) < sealed),
    )


def _end(now: datetime) -> datetime:
    """Return the minute before which every bucket is complete, and the index shows it."""
    return minute_start(minute_of(now - LONGEST_LIFE - INDEX_MARGIN))
