"""Ranges of instants, measured in bounded time: a pause of ten years is not walked through."""

from datetime import datetime

from timegate.domain.recurrence.fires import Anchored, next_fire
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import MILLISECOND


def series_between(
    of: Anchored, *, first: datetime, until: datetime, at_most: int | None = None
) -> InstantSeries | None:
    """Measure its instants in a range: see ``span_between``."""
    return span_between(
        of.schedule, created_at=of.anchored_at, first=first, until=until, at_most=at_most
    )


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
    return kind_of(schedule.kind).span(schedule, created_at, (opening, until), at_most)
