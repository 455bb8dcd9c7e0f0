"""Stopping what a run's target goes on with although no worker waits for it any more."""

from datetime import datetime, timedelta

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.execution.call import Call
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.ports.call_runner import TargetFailed
from timegate.ports.telemetry import run_events
from timegate.usecases.services.execution_services import Execution

_TAKES_AT_MOST = timedelta(seconds=10)


def stop_target(attempt: Attempt, job: Job, execution: Execution, *, now: datetime) -> None:
    """Stop it, where it goes on by itself; most targets cost nothing.

    Never raises: the run ends all the same, and the log says what goes on.
    """
    if not job.action.goes_on_alone:
        return
    if isinstance(job.action, DagAction):
        if execution.starting is None:
            # A worker of a pool held the run. It began no DAG run: its job came to start one since.
            return
        # Few jobs are done by DAG runs.
        from timegate.usecases.dag_runs.starting.do_run import stop_its_dag_run  # noqa: PLC0415

        stop_its_dag_run(attempt, execution, now=now)
        return
    call = Call(
        tenant=attempt.tenant,
        attempt=attempt.id,
        fence=attempt.fence,
        scheduled_at=attempt.id.run.scheduled_at,
        deadline_at=now + _TAKES_AT_MOST,
        action=job.action,
        payload=None,
        trace=attempt.trace,
    )
    told: dict[str, object] = {"tenant_id": attempt.tenant, "attempt_id": str(attempt.id)}
    try:
        execution.call_runner.stop(call)
    except TargetFailed as failed:
        execution.telemetry.event(run_events.TARGET_NOT_STOPPED, **told, code=failed.failure.code)
    else:
        execution.telemetry.event(run_events.TARGET_STOPPED, **told)
