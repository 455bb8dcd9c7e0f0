"""Starting a DAG run: one write, which is the event that everything follows from."""

import hashlib
import json
from datetime import datetime, timedelta

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import (
    DagTrigger,
    dag_run_id_for_attempt,
    dag_run_id_for_event,
    dag_run_id_for_key,
)
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.dags.errors import DagIsDeleted
from timegate.domain.execution.day_quota import DayQuota
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.values.errors import IdempotencyConflict, TimegateError
from timegate.domain.values.identity import AttemptId, DagId, DagRunId, JobId, own_job_id
from timegate.domain.values.payload import Payload, PayloadMismatch
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.runs.store_payload import store_run_payload
from timegate.usecases.services.dag_start_services import Starting
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A request for a DAG run; the same request under the same key is the same DAG run."""

    dag_id: DagId
    #: The caller's, or the event's id; of a job's run its attempt says all.
    key: str = ""
    #: A JSON object.
    parameters: str = "{}"
    #: Where they lie already, if that is no item.
    stored: Payload | None = None
    trigger: DagTrigger = DagTrigger.MANUAL
    scheduled_at: datetime | None = None
    #: Attempt of a job's run whose work it is to do.
    started_by: AttemptId | None = None
    #: The trace of that attempt, or of the caller; ``None``: the DAG run has one of its own.
    trace: str | None = None
    #: The event that an event trigger starts it for.
    event: MatchedEvent | None = None

    def dag_run_id(self, tenant: TenantId) -> DagRunId:
        """Computed, so that starting it again meets it."""
        if self.started_by is not None:
            return dag_run_id_for_attempt(tenant, self.started_by)
        if self.trigger is DagTrigger.EVENT:
            return dag_run_id_for_event(tenant, self.dag_id, self.key)
        return dag_run_id_for_key(tenant, self.dag_id, self.key)

    @property
    def fingerprint(self) -> str:
        """Tells whether a caller uses a key for something else."""
        return hashlib.sha256(self.parameters.encode()).hexdigest()


def start_dag_run(
    tenant: TenantId,
    start: Start,
    starting: Starting,
    *,
    now: datetime,
    within: DayQuota | None = None,
) -> DagRun:
    """Start a run of a DAG as it is now; returns it as it is, also when it was started before.

    Raises ``DagNotFound``, ``DagIsDeleted``, ``InvalidInput`` for parameters that are too large,
    ``PayloadMismatch`` for those that the schema of the DAG's own job refuses, and
    ``IdempotencyConflict`` where a caller's key was used for something else. A job's run and an
    event keep what they have started, whatever became of the job or the rule meanwhile.
    ``within``: a new one counts against this; raises ``DayIsFull``. That of a job's run does not:
    its run has been counted.
    """
    dag_run_id = start.dag_run_id(tenant)
    dag = starting.dags.get(tenant, start.dag_id)
    if dag.status is DagStatus.DELETED:
        return _started_before(tenant, dag_run_id, start, starting, DagIsDeleted(start.dag_id))
    try:
        check_start(tenant, start, dag, starting)
    except PayloadMismatch as misfit:
        return _started_before(tenant, dag_run_id, start, starting, misfit)
    opening = _opening(tenant, start, dag, starting, now=now)
    with refusals_told(tenant, starting.telemetry):
        stored = starting.dag_runs.create(opening, within=within)
    _refuse_other(start, stored)
    starting.telemetry.event(
        service_events.DAG_RUN_STARTED,
        **of_dag_run(stored),
        dag_id=start.dag_id,
        dag_version=stored.dag_version,
    )
    return stored


def _opening(
    tenant: TenantId, start: Start, dag: Dag, starting: Starting, *, now: datetime
) -> DagRun:
    dag_run_id = start.dag_run_id(tenant)
    parameters = start.stored or store_run_payload(
        start.parameters, tenant, JobId(dag_run_id), starting.blobs
    )
    return DagRun(
        tenant=tenant,
        dag_run_id=dag_run_id,
        dag_id=start.dag_id,
        dag_version=dag.version,
        status=DagRunStatus.OPENING,
        trigger=start.trigger,
        scheduled_at=start.scheduled_at or now,
        created_at=now,
        deadline_at=now + timedelta(seconds=dag.timeout_seconds),
        watch_at=now + LOOK_SOON,
        tasks=len(dag.tasks),
        parameters=parameters,
        request_hash=start.fingerprint,
        started_by=start.started_by,
        trace=start.trace,
        event=start.event,
        # The own job's runs are heard of themselves.
        is_heard=dag.is_heard and not _is_of_own_job(tenant, start),
        follow=True,
    )


def check_start(tenant: TenantId, start: Start, dag: Dag, starting: Starting) -> None:
    """Refuse parameters that do not fit the schema of the DAG's own job; ``PayloadMismatch``.

    Runs of that job are held to it as they are accepted. A cancelled job asks for nothing: its
    schema could not be changed any more.
    """
    if not dag.has_job or _is_of_own_job(tenant, start):
        return
    job = starting.dags.own_job(tenant, start.dag_id)
    if job is None or job.payload_schema is None or job.timing.status is JobStatus.CANCELLED:
        return
    # Imported here: few jobs have schemas.
    from timegate.domain.jobs.rules.call_rules import check_value  # noqa: PLC0415

    field = "parameters" if start.trigger is DagTrigger.MANUAL else "payload"
    check_value(job.payload_schema, json.loads(start.parameters), field)


def _is_of_own_job(tenant: TenantId, start: Start) -> bool:
    attempt = start.started_by
    return attempt is not None and attempt.run.job_id == own_job_id(tenant, start.dag_id)


def _started_before(
    tenant: TenantId, dag_run_id: DagRunId, start: Start, starting: Starting, refusal: TimegateError
) -> DagRun:
    """Return the DAG run that was started before it would be refused; else raise the refusal."""
    try:
        stored = starting.dag_runs.get(tenant, dag_run_id)
    except DagRunNotFound:
        raise refusal from None
    _refuse_other(start, stored)
    return stored


def _refuse_other(start: Start, stored: DagRun) -> None:
    """Raise ``IdempotencyConflict`` for a caller's key that started a run of other parameters."""
    if start.trigger is DagTrigger.MANUAL and stored.request_hash != start.fingerprint:
        raise IdempotencyConflict
