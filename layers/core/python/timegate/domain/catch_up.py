"""Catching up: what becomes of instants that passed while nothing was planned."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.instants import MILLISECOND
from timegate.domain.job import CatchUpPolicy, JobStatus, Timing
from timegate.domain.ledger import Gap, gap_between
from timegate.domain.recurrence import next_fire, span_between
from timegate.domain.run import Reason

#: An instant that is planned later than this was missed. Ticks fire anywhere in their minute and
#: plan ten minutes ahead: only an outage leaves instants behind.
MISSED_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    """The job once what it missed is decided, and the gap that is recorded with that."""

    timing: Timing
    gap: Gap | None
    decided_at: datetime


def settle(timing: Timing, *, now: datetime) -> Settlement | None:
    """Decide about every instant that was missed by ``now``; ``None`` when there is none.

    Stored before any run of the instants to catch up, so that whoever goes on with them does not
    decide again, by another ``now``. A job with no instant left is completed by it.
    """
    first, cutoff = timing.next_run_at, now - MISSED_AFTER
    decided = timing.decided_until
    if first is None or first > cutoff or (decided is not None and first <= decided):
        return None
    following = _first_to_run(timing, first, cutoff, now)
    skipped_until = cutoff if following is None else following - MILLISECOND
    following = following or _after(timing, cutoff)
    status = JobStatus.COMPLETED if following is None else timing.status
    return Settlement(
        timing=replace(timing, status=status, next_run_at=following, decided_until=cutoff),
        gap=gap_between(
            timing, first=first, until=skipped_until, reason=Reason.MISSED_WINDOW, now=now
        ),
        decided_at=now,
    )


def planned_until(timing: Timing, until: datetime, *, now: datetime) -> datetime:
    """How far runs may be planned: not past what has been decided, while more was missed."""
    first, decided = timing.next_run_at, timing.decided_until
    if first is None or decided is None or first > decided or decided >= now - MISSED_AFTER:
        return until
    return min(until, decided)


def _first_to_run(
    timing: Timing, first: datetime, cutoff: datetime, now: datetime
) -> datetime | None:
    """Where the latest instants begin that the policy lets run; all before them are skipped."""
    oldest = now - timedelta(seconds=timing.catch_up.window_seconds)
    span = span_between(
        timing.schedule,
        created_at=timing.anchored_at,
        first=max(first, oldest),
        until=cutoff,
        at_most=_most_runs(timing),
    )
    return span.first if span is not None else None


def _most_runs(timing: Timing) -> int:
    match timing.catch_up.policy:
        case CatchUpPolicy.SKIP:
            most = 0
        case CatchUpPolicy.LATEST:
            most = 1
        case CatchUpPolicy.ALL:
            most = timing.catch_up.limit
    limit = timing.schedule.max_runs
    return most if limit is None else min(most, max(limit - timing.runs_planned, 0))


def _after(timing: Timing, instant: datetime) -> datetime | None:
    limit = timing.schedule.max_runs
    if limit is not None and timing.runs_planned >= limit:
        return None
    return next_fire(timing.schedule, created_at=timing.anchored_at, after=instant)
