"""Buckets: how far a watcher of an index has come, and when no writer can enter behind it any more.

A writer that enters something into an index reads the clock first, and enters it under no earlier
instant than that. Then he may take as long as he lives: his process stands still, his requests are
repeated. So a bucket is looked at twice: soon, which finds nearly everything, and once more when
every process that could have meant to write into it is dead. Only then it is sealed.
"""

from datetime import datetime, timedelta

from timegate.domain.values.instants import MILLISECOND, minute_of, minute_start, minutes_between

#: The watermark stays this far behind: an index shows a write only after a moment.
INDEX_MARGIN = timedelta(minutes=2)
#: Lambda ends every invocation by then, and no function asks for more.
LONGEST_LIFE = timedelta(minutes=15)
#: A shard's very first tick begins this long before the shard was opened, however long ago that
#: is: nothing was written into it earlier but by clocks that are behind.
FIRST_LOOK_BACK = timedelta(hours=1)


def second_look(sealed: datetime, watermark: datetime, *, now: datetime) -> list[str]:
    """The minutes that can be sealed now, if they are empty still; none that the first look reads.

    One a minute, while ticks come each minute.
    """
    passed = minutes_between(sealed, _end(now) - MILLISECOND)
    first = minute_of(watermark)
    return [minute for minute in passed if minute < first]


def sealed_after(sealed: datetime, not_empty: str | None, *, now: datetime) -> datetime:
    """Before which instant every bucket is sealed; ``not_empty``: the first one found not to be."""
    end = _end(now)
    first = minute_start(not_empty) if not_empty is not None else end
    return max(sealed, min(first, end))


def _end(now: datetime) -> datetime:
    """Return the minute before which every bucket is complete, and the index shows it."""
    return minute_start(minute_of(now - LONGEST_LIFE - INDEX_MARGIN))
