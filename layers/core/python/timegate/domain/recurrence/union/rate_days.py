"""The days of a rate, as bits."""

from datetime import datetime, timedelta

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.kinds.kind import EPOCH
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.bits import repeated
from timegate.domain.values.instants import MILLISECOND

_WHOLE_DAY = (1 << DAY_SECONDS) - 1


def rate_days(rate: Schedule, created_at: datetime) -> tuple[int, "RateDays"]:
    """Give the days of a rate, and the milliseconds by which it misses whole seconds."""
    every = rate.every_seconds or 1
    first = rate.starts_at or created_at + timedelta(seconds=every)
    seconds, fraction = divmod((first - EPOCH) // MILLISECOND, 1000)
    return fraction, RateDays(every, seconds)


class RateDays:
    """A rate, by its first second."""

    def __init__(self, every: int, first: int) -> None:
        self._first, self._every = first, every
        steps = (DAY_SECONDS - 1) // every + 1
        self._from_midnight = repeated(1, every, steps) if every < DAY_SECONDS else 1

    def on_day(self, day: int) -> int:
        """Lay its steps over the day."""
        ahead = self._first - day * DAY_SECONDS
        step = ahead if ahead >= 0 else ahead % self._every
        return self._from_midnight << step & _WHOLE_DAY if step < DAY_SECONDS else 0
