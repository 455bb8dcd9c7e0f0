"""Refusing: a run that is due but may not execute ends on record; a duplicate leaves no trace."""

from datetime import datetime

from timegate.domain.admission import Refuse
from timegate.domain.conclusion import end
from timegate.domain.run import Attempt, RunState
from timegate.usecases.execution import Delivery, Execution

_METRICS = {
    RunState.SKIPPED: "RunsSkipped",
    RunState.CANCELLED: "RunsCancelled",
    RunState.DEAD_LETTERED: "RunsDeadLettered",
}


def refuse_run(attempt: Attempt, refusal: Refuse, execution: Execution, *, now: datetime) -> None:
    """Record this end, unless the attempt changed since it was read."""
    ended = end(attempt, refusal.state, now=now, reason=refusal.reason)
    recorded = execution.runs.replace(attempt, ended)
    execution.telemetry.count(_METRICS[refusal.state], int(recorded))
    execution.telemetry.event(
        "run_refused",
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        state=refusal.state,
        reason=refusal.reason,
        recorded=recorded,
    )


def drop_delivery(delivery: Delivery, execution: Execution) -> None:
    """The run has ended or a live worker holds it; should that one die, the sweeper comes."""
    execution.telemetry.count("DuplicatesRefused")
    execution.telemetry.event(
        "duplicate_refused",
        tenant_id=delivery.message.tenant,
        attempt_id=str(delivery.message.attempt),
    )
