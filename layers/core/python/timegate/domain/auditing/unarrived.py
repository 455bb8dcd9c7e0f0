"""Instants past which the region before moved a job, and whose records did not arrive here."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.auditing.audit import PLANNED_AHEAD, Era, LedgerRecords, judge
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.gap_parts import answers_after, without
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import MAX_GAPS, SettledCatchUp
from timegate.domain.planning.settled_gaps import gaps_of
from timegate.domain.recurrence.fires import instants_between
from timegate.domain.restrictions.calendar_filter import stretches
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LostTime:
    """The last hours of the region before: its records of them may not have arrived."""

    since: datetime
    #: The end of its time: it may have begun what was due before.
    until: datetime

    def instants(self, timing: Timing) -> tuple[datetime, ...]:
        """Return the instants of a job for which the region before may have stored records."""
        if timing.anchored_at >= self.until:
            return ()
        end = self.until + PLANNED_AHEAD
        if timing.next_run_at is not None:
            end = min(end, timing.next_run_at - MILLISECOND)
        first = max(self.since, answers_after(timing))
        if first >= end:
            return ()
        fires = instants_between(timing, after=first, until=end)
        return tuple(fires)


def settle_unarrived(
    job: Job,
    instants: Sequence[datetime],
    records: LedgerRecords,
    lost: LostTime,
    *,
    restrictions: Restrictions,
    now: datetime,
) -> SettledCatchUp | None:
    """Decide about instants without a record; ``None`` where each of them has one.

    The region before may have begun those of its time: each becomes part of a gap. An active job is
    set back to the first of the later ones, and is planned from there again by its own policies:
    runs that arrived stay as they are. A settlement has at most ``MAX_GAPS``: ask again behind it.
    """
    timing = job.timing
    era = Era(job=job, instants=tuple(instants))
    missing = judge([era], records, now=now, restrictions=restrictions).unrecorded
    if not missing:
        return None
    is_active = timing.status is JobStatus.ACTIVE
    begun = [at for at in missing if at < lost.until or not is_active]
    gaps = _gaps(timing, begun, instants, restrictions, now) if begun else []
    open_at = missing[len(begun)] if len(begun) < len(missing) else None
    return SettledCatchUp(
        timing=_set_back(timing, open_at) if open_at is not None else timing,
        gaps=tuple(gaps[:MAX_GAPS]),
        decided_at=now,
        reason=Reason.REGION_LOST,
    )


def _gaps(
    timing: Timing,
    begun: Sequence[datetime],
    instants: Sequence[datetime],
    restrictions: Restrictions,
    now: datetime,
) -> list[Gap]:
    """Build the gaps of these instants alone; what calendars leave out is a gap for that reason."""
    first, last = begun[0], begun[-1]
    found = list(stretches(timing, first, last, restrictions))
    whole = gaps_of(timing, found, last, Reason.REGION_LOST, now)
    recorded = {at for at in instants if first <= at <= last} - set(begun)
    return without(recorded, whole, timing)


def _set_back(timing: Timing, first: datetime) -> Timing:
    """The job at an instant that it had passed: nothing from there on is decided."""
    decided = timing.decided_until
    if decided is not None:
        decided = min(decided, first - MILLISECOND)
    return replace(timing, next_run_at=first, decided_until=decided)
