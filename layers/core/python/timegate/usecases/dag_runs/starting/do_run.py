"""Doing a job's run by a DAG run: started once for each attempt, and stopped with it."""

import json
from datetime import datetime, timedelta

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import DagTrigger, dag_run_id_for_attempt
from timegate.domain.dags.errors import DagIsDeleted, DagNotFound
from timegate.domain.execution.follow_ups import filling_of, payload_for
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput, TimegateError
from timegate.domain.values.payload import MAX_INLINE_BYTES, Payload
from timegate.ports.call_runner import TargetFailed
from timegate.ports.runs.held_leases import HeldByDagRun
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.services.dag_start_services import Starting
from timegate.usecases.services.execution_services import Claimed, Execution

#: A DAG run that is stopped at its deadline waits for what its tasks have under way, which may take
#: as long as a worker's run.
STOPS_WITHIN = timedelta(days=1, minutes=15)


def do_run(
    claimed: Claimed,
    action: DagAction,
    payload: str | None,
    execution: Execution,
    *,
    now: datetime,
) -> HeldByDagRun:
    """Start the DAG run of an attempt, or meet it; whose the lease is to be from here on.

    Raises ``TargetFailed`` where there can be none, and ``Throttled``: repeated, it starts none.
    """
    attempt = claimed.attempt
    start = Start(
        dag_id=action.dag_id,
        parameters=_parameters(payload),
        stored=_stored(claimed, payload),
        trigger=DagTrigger.JOB,
        scheduled_at=attempt.id.run.scheduled_at,
        started_by=attempt.id,
        trace=attempt.any_trace,
    )
    try:
        run = start_dag_run(attempt.tenant, start, _starting(execution), now=now)
    except (DagNotFound, DagIsDeleted) as error:
        raise _refused(error.code, str(error)) from error
    except InvalidInput as error:
        raise _refused(error.code, error.detail) from error
    deadline_at = max(run.deadline_at, now) + STOPS_WITHIN
    return HeldByDagRun(dag_run=run.dag_run_id, deadline_at=deadline_at)


def stop_its_dag_run(attempt: Attempt, execution: Execution, *, now: datetime) -> None:
    """Stop the DAG run that an attempt has begun, if one goes on.

    Never raises: the next look at it stops it, and the log says so.
    """
    starting = _starting(execution)
    try:
        dag_run_id = dag_run_id_for_attempt(attempt.tenant, attempt.id)
        run = starting.dag_runs.get(attempt.tenant, dag_run_id)
        call_off(run, starting.dag_runs, starting.telemetry, now=now)
    except DagRunNotFound:
        return
    except TimegateError as error:
        execution.telemetry.event(
            run_events.TARGET_NOT_STOPPED,
            **of_run(attempt),
            code=error.code,
        )


def _starting(execution: Execution) -> Starting:
    if execution.starting is None:
        message = "only executors start DAG runs"
        raise ValueError(message)
    return execution.starting()


def _stored(claimed: Claimed, payload: str | None) -> Payload | None:
    """Return where a large payload is; ``None``: it rides in the DAG run.

    Executors write no payloads. Raises ``TargetFailed`` for one that its marks make large.
    """
    given = payload_for(claimed.job, claimed.attempt)
    if filling_of(claimed.job, claimed.attempt) is None:
        return given if given.blob is not None else None
    size = len((payload or "").encode())
    if size > MAX_INLINE_BYTES:
        detail = f"Filled, the parameters have {size} bytes; the limit is {MAX_INLINE_BYTES}."
        raise _refused("payload_too_large", detail)
    return None


def _parameters(payload: str | None) -> str:
    """Return the payload as JSON text of an object; a follow-up may have any payload."""
    if payload is None:
        return "{}"
    if not isinstance(json.loads(payload), dict):
        raise _refused("not_an_object", "The parameters of a DAG run are a JSON object.")
    return payload


def _refused(code: str, message: str) -> TargetFailed:
    kind = FailureKind.PERMANENT
    return TargetFailed(Failure(kind=kind, code=code, type="DagRunRefused", message=message))
