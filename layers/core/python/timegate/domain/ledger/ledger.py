"""The fire ledger: every nominal instant has one record, of its own or as part of a gap."""

from datetime import datetime
from typing import Self

from timegate.domain.calendars.roll import RolledTo
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.zone_clock import is_known
from timegate.domain.runs.run import Reason
from timegate.domain.values.errors import Conflict, InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Naming:
    """A schedule and when it was given: together they name instants, whatever became of the job."""

    schedule: Schedule
    anchored_at: datetime

    @classmethod
    def of(cls, timing: Timing) -> Self:
        """Return the schedule and anchor that name a job's instants at present."""
        return cls(schedule=timing.schedule, anchored_at=timing.anchored_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Instants that follow one another and became no runs, all for the same reason.

    A run that comes later is the record of its instant: readers take it out.
    """

    tenant: TenantId
    job_id: JobId
    #: The first and the last of the instants; the same when there is one.
    first: datetime
    last: datetime
    count: int
    reason: Reason
    #: The version of the job whose schedule named them.
    job_version: int
    recorded_at: datetime
    #: Schedule that named them; ``None`` in records from before gaps kept it.
    naming: Naming | None = None
    #: Business day to which rolled instants moved.
    rolled_to: RolledTo | None = None


def gap_between(
    timing: Timing, *, first: datetime, until: datetime, reason: Reason, now: datetime
) -> Gap | None:
    """The gap of all instants with ``first`` <= instant <= ``until``; ``None`` without any."""
    span = series_between(timing, first=first, until=until)
    return gap_of(timing, span, reason, now=now) if span is not None else None


def gap_of(
    timing: Timing,
    span: InstantSeries,
    reason: Reason,
    *,
    now: datetime,
    rolled_to: RolledTo | None = None,
) -> Gap:
    """The gap of these instants of a job."""
    return Gap(
        tenant=timing.tenant,
        job_id=timing.job_id,
        first=span.first,
        last=span.last,
        count=span.count,
        reason=reason,
        job_version=timing.version,
        recorded_at=now,
        naming=Naming.of(timing),
        rolled_to=rolled_to,
    )


def abandoned(timing: Timing, reason: Reason, *, now: datetime) -> Gap | None:
    """The gap of a schedule that ends at ``now``, replaced or cancelled: what it had not settled.

    Instants that a pause held back are a gap for that reason, whatever ended the schedule; so are
    those that waited for a place of ``max_runs``.
    """
    held = timing.held_at
    first = timing.next_run_at if held is None else held
    if first is None:
        return None
    ended_by = Reason.MAX_RUNS if timing.full else reason
    why = ended_by if held is None else Reason.PAUSED
    if not is_readable(timing):
        return None
    return gap_between(timing, first=first, until=now, reason=why, now=now)


def is_readable(timing: Timing) -> bool:
    """Tell if a clock tells the instants of a stored schedule: its zone may have been withdrawn.

    Its owner can only give it another, or end it.
    """
    try:
        next_instant(timing, timing.anchored_at)
    except InvalidInput:
        return False
    return True


class TimezoneWithdrawn(Conflict):
    """No clock tells the instants of a stored job, which its owner gives another schedule."""

    code = "timezone_withdrawn"

    def __init__(self, job_id: str, zone: str) -> None:
        super().__init__(f"Job {job_id}: {withdrawal(zone)}")


def withdrawal(zone: str) -> str:
    """Say that a zone was withdrawn, and what its job's owner can do."""
    return (
        f"Its time zone {zone} is no longer in the database of time zones, so that no clock tells"
        " its instants. Give it a schedule in another zone, or cancel it."
    )


def withdrawn_zone(schedule: Schedule) -> str | None:
    """Return a zone of a schedule that is unknown by now; ``None``: each is known."""
    for each in schedule.any_of or (schedule,):
        if each.names_wall_times and not is_known(each.timezone):
            return each.timezone
    return None


def refuse_withdrawn_zone(timing: Timing) -> None:
    """Raise ``TimezoneWithdrawn`` for a job whose instants no clock tells."""
    zone = withdrawn_zone(timing.schedule)
    if zone is not None:
        raise TimezoneWithdrawn(timing.job_id, zone)
