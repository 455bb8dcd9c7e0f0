"""Claiming: one strongly consistent read and one conditional write decide who executes what."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.admission import Admit, Drop, Refuse, admit
from timegate.domain.conclusion import end
from timegate.domain.job import Job
from timegate.domain.run import Attempt, RunState
from timegate.ports.stores import AttemptRef, Claim, Loaded
from timegate.usecases.execution import Claimed, Delivery, Execution

_REFUSAL_METRICS = {
    RunState.SKIPPED: "RunsSkipped",
    RunState.CANCELLED: "RunsCancelled",
    RunState.DEAD_LETTERED: "RunsDeadLettered",
}


def claim_runs(deliveries: Sequence[Delivery], execution: Execution) -> list[Claimed]:
    """Lease what may execute; record what may not; drop duplicates. Every delivery is settled.

    Raises ``Throttled`` when the store would not decide: then nothing here may be acknowledged.
    """
    refs = [AttemptRef(tenant=d.message.tenant, id=d.message.attempt) for d in deliveries]
    loaded = execution.runs.load_all(refs)
    now = execution.clock.now()
    candidates = []
    for delivery, found in zip(deliveries, loaded, strict=True):
        candidate = _consider(delivery, found, execution, now)
        if candidate is not None:
            candidates.append(candidate)
    return _take(candidates, execution)


def _consider(
    delivery: Delivery, loaded: Loaded, execution: Execution, now: datetime
) -> Claimed | None:
    timing = loaded.job.timing if loaded.job is not None else None
    admission = admit(timing, loaded.attempt, now=now)
    match admission:
        case Drop():
            _drop(delivery, execution)
        case Refuse() if loaded.attempt is not None:
            _refuse(loaded.attempt, admission, execution, now)
        case Admit() if loaded.attempt is not None and loaded.job is not None:
            return _candidate(delivery, loaded.attempt, loaded.job, execution, now)
    return None


def _candidate(
    delivery: Delivery, attempt: Attempt, job: Job, execution: Execution, now: datetime
) -> Claimed:
    deadline_at = max(now, attempt.due_at) + timedelta(seconds=job.timeout_seconds)
    lease = execution.lease(attempt.fence + 1, now=now, deadline_at=deadline_at)
    return Claimed(delivery=delivery, attempt=attempt, job=job, lease=lease)


def _take(candidates: Sequence[Claimed], execution: Execution) -> list[Claimed]:
    claims = [
        Claim(attempt=c.attempt, job_version=c.job.timing.version, lease=c.lease)
        for c in candidates
    ]
    won = execution.runs.claim_all(claims) if claims else []
    held = []
    for candidate, is_ours in zip(candidates, won, strict=True):
        if is_ours:
            held.append(_hold(candidate, execution))
        else:
            _drop(candidate.delivery, execution)
    if held and execution.shortens_visibility:
        execution.keep_hidden([claimed.delivery.receipt for claimed in held])
    return held


def _hold(candidate: Claimed, execution: Execution) -> Claimed:
    before = candidate.attempt
    if before.state is RunState.RUNNING:
        execution.telemetry.count("LeasesRescued")
    execution.telemetry.event(
        "run_claimed",
        tenant_id=before.tenant,
        attempt_id=str(before.id),
        fence=candidate.lease.fence,
        took_over=before.state is RunState.RUNNING,
    )
    attempt = replace(
        before,
        state=RunState.RUNNING,
        job_version=candidate.job.timing.version,
        fence=candidate.lease.fence,
        lease=candidate.lease,
        direct=False,
    )
    return replace(candidate, attempt=attempt)


def _refuse(attempt: Attempt, refusal: Refuse, execution: Execution, now: datetime) -> None:
    ended = end(attempt, refusal.state, now=now, reason=refusal.reason)
    recorded = execution.runs.replace(attempt, ended)
    execution.telemetry.count(_REFUSAL_METRICS[refusal.state], int(recorded))
    execution.telemetry.event(
        "run_refused",
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        state=refusal.state,
        reason=refusal.reason,
        recorded=recorded,
    )


def _drop(delivery: Delivery, execution: Execution) -> None:
    """The run has ended or a live worker holds it; should that one die, the sweeper comes."""
    execution.telemetry.count("DuplicatesRefused")
    execution.telemetry.event(
        "duplicate_refused",
        tenant_id=delivery.message.tenant,
        attempt_id=str(delivery.message.attempt),
    )
