"""Counts of a schedule's instants in each minute, without walking through them."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.kinds.kind import MinuteCount
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import MILLISECOND


def minute_counts(
    schedule: Schedule, *, created_at: datetime, first: datetime, until: datetime
) -> Iterator[MinuteCount]:
    """Yield the minutes that have instants with ``first`` <= instant <= ``until``.

    The bounds of the schedule count, ``max_runs`` and jitter do not. Rates, crons and unions
    take some steps a minute at most, however often they fire; rules one step an instant.
    """
    opening = next_fire(schedule, created_at=created_at, after=first - MILLISECOND)
    if opening is None or opening > until:
        return
    if schedule.ends_at is not None:
        until = min(until, schedule.ends_at)
    yield from kind_of(schedule.kind).minutes(schedule, created_at, (opening, until))
