"""Putting off: a run that is due but may not begin yet waits for another moment."""

from datetime import datetime

from timegate.domain.restraint import PutOff, put_off
from timegate.domain.run import Attempt
from timegate.usecases.execution import Execution


def put_off_run(attempt: Attempt, wanted: PutOff, execution: Execution, *, now: datetime) -> None:
    """Let it wait, unless the attempt changed since it was read; the stream publishes it again."""
    waits = execution.runs.replace(attempt, put_off(attempt, wanted, now=now))
    execution.telemetry.count("RunsPutOff", int(waits))
    execution.telemetry.event(
        "run_put_off",
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        reason=wanted.reason,
        due_at=wanted.due_at,
        recorded=waits,
    )
