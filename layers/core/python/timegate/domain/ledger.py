"""The fire ledger: every nominal instant has one record, of its own or as part of a gap."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.identity import JobId
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.domain.recurrence import fires_between
from timegate.domain.run import Reason
from timegate.domain.tenant import TenantId


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Instants that follow one another and became no runs, all for the same reason."""

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


def gap_between(
    timing: Timing, *, first: datetime, until: datetime, reason: Reason, now: datetime
) -> Gap | None:
    """The gap of all instants with ``first`` <= instant <= ``until``; ``None`` without any."""
    passed = fires_between(
        timing.schedule, created_at=timing.anchored_at, after=first - MILLISECOND, until=until
    )
    tally = Tally()
    for instant in passed:
        tally.add(instant)
    return tally.gap(timing, reason, now)


def abandoned(timing: Timing, reason: Reason, *, now: datetime) -> Gap | None:
    """The gap of a schedule that ends at ``now``, replaced or cancelled: what it had not settled.

    What a pause held back is a gap for that reason, whatever ended the schedule.
    """
    held = timing.held_at
    first = timing.next_run_at if held is None else held
    if first is None:
        return None
    why = reason if held is None else Reason.PAUSED
    return gap_between(timing, first=first, until=now, reason=why, now=now)


class Tally:
    """Counts instants as they come, in order."""

    def __init__(self) -> None:
        self._first: datetime | None = None
        self._last: datetime | None = None
        self._count = 0

    def add(self, instant: datetime) -> None:
        """One more."""
        self._first = self._first or instant
        self._last = instant
        self._count += 1

    def gap(self, timing: Timing, reason: Reason, now: datetime) -> Gap | None:
        """All of them as a gap; ``None`` when there were none."""
        if self._first is None or self._last is None:
            return None
        return Gap(
            tenant=timing.tenant,
            job_id=timing.job_id,
            first=self._first,
            last=self._last,
            count=self._count,
            reason=reason,
            job_version=timing.version,
            recorded_at=now,
        )
