"""Previewing: what a schedule would do, and what it says in words."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.instants import MILLISECOND
from timegate.domain.recurrence import describe, preview, validate_schedule
from timegate.domain.schedule import Schedule


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """The next fires, soonest first, and the schedule in words."""

    fires: tuple[datetime, ...]
    description: str


def preview_schedule(schedule: Schedule, *, start: datetime, count: int) -> Preview:
    """What a job created at ``start`` with this schedule would do; raises ``InvalidInput``.

    As with a job, a schedule that runs once may name ``start`` itself, one that recurs not.
    """
    validate_schedule(schedule, now=start)
    after = start if schedule.is_recurring else start - MILLISECOND
    fires = preview(schedule, created_at=start, after=after, count=count)
    return Preview(fires=tuple(fires), description=describe(schedule))
