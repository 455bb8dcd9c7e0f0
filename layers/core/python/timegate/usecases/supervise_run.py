"""Supervising one run: start it on time, heartbeat while it works, stop it at its deadline."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.call import Answer, Call
from timegate.domain.retry import Failure, FailureKind
from timegate.ports.surroundings import TargetFailed, Work
from timegate.usecases.execution import Claimed, Execution
from timegate.usecases.overlap_claims import renew_slot


@dataclass(frozen=True, kw_only=True, slots=True)
class Succeeded:
    """The target answered."""

    started_at: datetime
    answer: Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """The target refused, broke, or took too long."""

    started_at: datetime
    failure: Failure


@dataclass(frozen=True, kw_only=True, slots=True)
class Stopped:
    """A cancel was seen at a heartbeat."""

    started_at: datetime


Ending = Succeeded | Failed | Stopped


def supervise_run(claimed: Claimed, execution: Execution) -> Ending:
    """Execute a claimed run; raises ``LeaseLost`` when a heartbeat finds it is no longer ours."""
    payload = _payload(claimed, execution)
    execution.clock.wait_until(claimed.attempt.due_at)
    started_at = execution.clock.now()
    work = execution.workshop.start(_call(claimed, payload))
    stopped = _watch(work, claimed, execution, started_at)
    if stopped is not None:
        return stopped
    try:
        return Succeeded(started_at=started_at, answer=work.answer())
    except TargetFailed as failed:
        return Failed(started_at=started_at, failure=failed.failure)


def heartbeat(claimed: Claimed, execution: Execution, *, now: datetime) -> bool:
    """Hold on for another lease; whether a cancel was requested; raises ``LeaseLost``."""
    expires_at = now + execution.lease_length
    # The message first: at every moment it is hidden longer than the lease lives.
    execution.keep_hidden([claimed.delivery.receipt])
    # Then the slot: a lease never outlives it, so those alive are never more than the slots.
    renew_slot(claimed, execution, now=now, expires_at=expires_at)
    return execution.runs.extend(claimed.attempt, expires_at=expires_at)


def _watch(
    work: Work, claimed: Claimed, execution: Execution, started_at: datetime
) -> Ending | None:
    """Heartbeat until the work ends (``None``), is cancelled, or is out of time."""
    deadline_at = claimed.lease.deadline_at
    beat_at = started_at + execution.heartbeat_interval
    while not work.wait(min(beat_at, deadline_at)):
        now = execution.clock.now()
        if now >= deadline_at:
            return Failed(started_at=started_at, failure=_too_long(claimed))
        if heartbeat(claimed, execution, now=now):
            return Stopped(started_at=started_at)
        beat_at = now + execution.heartbeat_interval
    return None


def _payload(claimed: Claimed, execution: Execution) -> str | None:
    payload = claimed.job.payload
    return payload.inline if payload.blob is None else execution.blobs.get(payload.blob)


def _call(claimed: Claimed, payload: str | None) -> Call:
    return Call(
        tenant=claimed.attempt.tenant,
        attempt=claimed.attempt.id,
        fence=claimed.lease.fence,
        scheduled_at=claimed.attempt.id.run.scheduled_at,
        deadline_at=claimed.lease.deadline_at,
        action=claimed.job.action,
        payload=payload,
    )


def _too_long(claimed: Claimed) -> Failure:
    return Failure(
        kind=FailureKind.TIMEOUT,
        code="timeout",
        type="TimedOut",
        message=f"No answer within {claimed.job.timeout_seconds} s.",
    )
