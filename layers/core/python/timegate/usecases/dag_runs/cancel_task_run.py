"""Cancelling the run of a task: at once while it waits, at its worker's next heartbeat after."""

from dataclasses import replace

from timegate.domain.conclusion import end
from timegate.domain.run import Attempt, Reason, RunState
from timegate.usecases.dag_runs.works import DagWorks

#: Workers claim, heartbeat and finish meanwhile; a run changes only so often.
_TRIES = 5


def cancel_task_run(attempt: Attempt, works: DagWorks) -> None:
    """Cancel a run whose last attempt this was, unless it has ended; raises ``Throttled``."""
    for _ in range(_TRIES):
        if attempt.ends_run or attempt.cancel_requested:
            return
        if attempt.state in {RunState.WAITING, RunState.QUEUED}:
            now = works.clock.now()
            after = end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)
        else:
            after = replace(attempt, cancel_requested=True)
        if works.runs.replace(attempt, after):
            works.telemetry.event(
                "task_run_cancelled", tenant_id=attempt.tenant, attempt_id=str(attempt.id)
            )
            return
        attempt = works.runs.attempts(attempt.tenant, attempt.id.run)[-1]
