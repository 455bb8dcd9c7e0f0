"""Admission: whether a run that is due may still execute, judged by the job as it is now."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.execution.follow_ups import is_too_deep
from timegate.domain.execution.restriction_check import (
    NeverBegins,
    PutOff,
    has_begun,
    judge_restrictions,
)
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.untallied import founds
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.gate import has_expired, must_hide_again
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.suspects import has_killed
from timegate.domain.runs.watch import MAX_LEASES
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Admit:
    """Execute it, under this version of the job."""

    job_version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Refuse:
    """Record this end instead of executing."""

    state: RunState
    reason: Reason
    #: In its own numbers, where there are any.
    explanation: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Drop:
    """Nothing to record: the message is a duplicate, or an old one.

    The run has ended, a live worker holds it, it was put off since and has another message, or it
    was stored before its job, which is not there yet.
    """


Admission = Admit | Refuse | PutOff | Drop


def admit(
    timing: Timing | None,
    attempt: Attempt | None,
    *,
    now: datetime,
    restrictions: Restrictions = UNRESTRICTED,
) -> Admission:
    """Judge one delivered message.

    A run of an older version is adopted by the current one if that still names its instant, and
    superseded otherwise. So the old version never executes, and no instant that the new version
    names is lost.
    """
    if attempt is None or not is_claimable(attempt, now) or must_hide_again(attempt.due_at, now):
        return Drop()
    if restrictions.lost_until is not None and _is_in_doubt(attempt, restrictions.lost_until):
        return Refuse(state=RunState.DEAD_LETTERED, reason=Reason.REGION_LOST)
    if attempt.cancel_requested:
        # Its worker died before it saw the request; the next worker must not begin again.
        return Refuse(state=RunState.CANCELLED, reason=Reason.CANCEL_REQUESTED)
    if attempt.state is RunState.RUNNING and attempt.delivery is DeliveryMode.AT_MOST_ONCE:
        # How far its worker came is unknown.
        return Refuse(state=RunState.FAILED, reason=Reason.WORKER_DIED)
    if has_killed(attempt, leases=MAX_LEASES):
        return Refuse(state=RunState.DEAD_LETTERED, reason=Reason.KILLS_WORKERS)
    return _judge_job(timing, attempt, now, restrictions)


def _is_in_doubt(attempt: Attempt, lost_until: datetime) -> bool:
    from timegate.domain.regions.doubt import is_in_doubt  # noqa: PLC0415 - few stages

    return is_in_doubt(attempt, lost_until)


def is_claimable(attempt: Attempt, now: datetime) -> bool:
    """Queued, or running under a lease that has expired: at its expiry, not a moment before."""
    if attempt.state is RunState.QUEUED:
        return True
    lease = attempt.lease
    return attempt.state is RunState.RUNNING and lease is not None and lease.expires_at <= now


def _judge_job(
    timing: Timing | None, attempt: Attempt, now: datetime, restrictions: Restrictions
) -> Admission:
    if timing is None:
        return _without_job(attempt, restrictions.lost_until)
    return refused_by_job(timing, attempt) or _judge_time(timing, attempt, now, restrictions)


def _without_job(attempt: Attempt, lost_until: datetime | None) -> Refuse | Drop:
    if founds(attempt):
        # The sweeper decides whether its job comes.
        return Drop()
    if lost_until is not None and (lost := _lost_job(attempt, lost_until)):
        return lost
    return superseded(attempt)


def _lost_job(attempt: Attempt, lost_until: datetime) -> Refuse | None:
    from timegate.domain.regions.doubt import (  # noqa: PLC0415 - few stages
        LACKS_JOB,
        may_lack_its_job,
    )

    if not may_lack_its_job(attempt, lost_until):
        return None
    # Skipped, a task's run would let its DAG run succeed.
    state, reason = RunState.DEAD_LETTERED, Reason.REGION_LOST
    return Refuse(state=state, reason=reason, explanation=LACKS_JOB)


def superseded(attempt: Attempt) -> Refuse:
    """Return the end of a run whose job has no record any more, or is another's."""
    return _ended(attempt, RunState.SKIPPED, Reason.SUPERSEDED)


def refused_by_job(timing: Timing, attempt: Attempt) -> Refuse | None:
    """Return the end of a run that its job does not want as it is now; ``None``: it wants it."""
    if attempt.id.run.origin is Origin.NOTIFICATION:
        # It tells of what has happened: neither its job's end nor a freeze undoes that.
        return None
    if timing.status is JobStatus.CANCELLED:
        return _ended(attempt, RunState.CANCELLED, Reason.JOB_CANCELLED)
    if is_too_deep(attempt):
        return _ended(attempt, RunState.SKIPPED, Reason.CHAIN_TOO_LONG)
    unwanted = _unwanted(timing, attempt)
    if unwanted is None:
        return None
    ended = _ended(attempt, RunState.SKIPPED, unwanted)
    return replace(ended, explanation=_why_paused(timing, unwanted))


def _judge_time(
    timing: Timing, attempt: Attempt, now: datetime, restrictions: Restrictions
) -> Admission:
    if attempt.id.run.origin is Origin.NOTIFICATION:
        return Admit(job_version=timing.version)
    if has_expired(attempt, now):
        return Refuse(state=RunState.SKIPPED, reason=Reason.EXPIRED)
    restricted = judge_restrictions(timing, attempt, restrictions, now=now)
    if isinstance(restricted, NeverBegins):
        ended = _ended(attempt, RunState.SKIPPED, restricted.reason)
        return replace(ended, explanation=restricted.explanation)
    if restricted is not None:
        return restricted
    if _is_late(timing, attempt, now):
        return Refuse(state=RunState.SKIPPED, reason=Reason.LATE)
    return Admit(job_version=timing.version)


def _unwanted(timing: Timing, attempt: Attempt) -> Reason | None:
    """Return the reason for which the job no longer wants this run; triggers and tasks have none.

    So is one that has begun its slices: pausing a job stops no work that is under way. A follow-up
    is no instant of the schedule, but no caller asked for it knowing of a pause.
    """
    origin = attempt.id.run.origin
    if origin in {Origin.TRIGGER, Origin.TASK} or attempt.is_under_way:
        return None
    if timing.status is JobStatus.PAUSED:
        return Reason.PAUSED
    if origin is Origin.FOLLOW_UP:
        return None
    kept = attempt.job_version == timing.version or _is_kept(timing, attempt)
    return None if kept and not _lacks_place(timing, attempt) else Reason.SUPERSEDED


def _is_kept(timing: Timing, attempt: Attempt) -> bool:
    """Tell if the schedule of a job that has changed since still names the run's instant."""
    from timegate.domain.ledger.gap_parts import is_kept  # noqa: PLC0415 - few jobs change

    return is_kept(timing, attempt.id.run.scheduled_at)


def _why_paused(timing: Timing, reason: Reason) -> str | None:
    pause = timing.failure_pause
    if reason is not Reason.PAUSED or pause is None or pause.resumed_as is not None:
        return None
    return f"Timegate paused the job at {rfc3339(pause.at)}, {pause.cause}."


def _is_late(timing: Timing, attempt: Attempt, now: datetime) -> bool:
    """A run that never started has waited longer than its job allows; a retry has started.

    One that an operation made is of the past to begin with.
    """
    within = timing.start_within_seconds
    if within is None or has_begun(attempt) or attempt.operation is not None:
        return False
    return now - attempt.due_at > timedelta(seconds=within)


def _lacks_place(timing: Timing, attempt: Attempt) -> bool:
    """Tell if the run is one too many: an edit took its place of ``max_runs``, and none is free.

    A job's runs before its next instant hold places. An operation's run takes none.
    """
    if timing.schedule.max_runs is None or attempt.fence > 0 or attempt.operation is not None:
        return False
    if timing.status is JobStatus.COMPLETED:
        return True
    upcoming = timing.next_run_at
    return timing.full and upcoming is not None and attempt.id.run.scheduled_at >= upcoming


def _ended(attempt: Attempt, state: RunState, reason: Reason) -> Refuse:
    """A run that has started, on a worker that died say, cannot claim it never ran: cancelled."""
    started = attempt.state is RunState.RUNNING or attempt.is_under_way
    if state is RunState.SKIPPED and started:
        state = RunState.CANCELLED
    return Refuse(state=state, reason=reason)
