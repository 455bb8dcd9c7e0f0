"""Once, so many seconds after creation."""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta

from timegate.domain.recurrence.kinds.once import OnceKind
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.words import span_in_words
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import to_milliseconds


class DelayKind(OnceKind):
    """A span of real time."""

    fields = ("delay_seconds",)

    def check(self, schedule: Schedule, now: datetime) -> None:  # noqa: ARG002 - at any time
        """Refuse one before creation."""
        delay = schedule.delay_seconds
        if delay is not None and not (delay >= 0 and math.isfinite(delay)):
            raise InvalidInput("schedule.delay_seconds", "out_of_range", "It must be 0 or more.")

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say it."""
        yield f"Once, {span_in_words(schedule.delay_seconds or 0)} after creation"

    def instant(self, schedule: Schedule, created_at: datetime) -> datetime | None:
        """Find it; ``None`` beyond the last year."""
        try:
            return to_milliseconds(created_at + timedelta(seconds=schedule.delay_seconds or 0))
        except OverflowError:
            return None


KIND = DelayKind()
