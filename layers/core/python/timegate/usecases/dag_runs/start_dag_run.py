"""Starting a DAG run: one write, which is the event that everything follows from."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from timegate.domain.dag.definition import DagStatus
from timegate.domain.dag.errors import DagIsDeleted
from timegate.domain.dag.progress import DagRun, DagRunStatus, DagTrigger
from timegate.domain.dag.run_errors import DagRunNotFound
from timegate.domain.dag.run_identity import DagRunId, dag_run_id_for_key
from timegate.domain.errors import IdempotencyConflict
from timegate.domain.identity import DagId, JobId
from timegate.domain.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.dag_runs import DagDefinitions, DagRunStore
from timegate.ports.surroundings import Telemetry
from timegate.usecases.dag_runs.works import LOOK_SOON
from timegate.usecases.store_payload import store_payload


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """What somebody wants to be run; the same under the same key is the same DAG run."""

    dag_id: DagId
    key: str
    #: A JSON object.
    parameters: str = "{}"
    trigger: DagTrigger = DagTrigger.MANUAL
    scheduled_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Starting:
    """What it takes to start one."""

    dags: DagDefinitions
    dag_runs: DagRunStore
    blobs: BlobStore
    telemetry: Telemetry


def start_dag_run(tenant: TenantId, start: Start, starting: Starting, *, now: datetime) -> DagRun:
    """Start a run of a DAG as it is now; returns it as it is, also when it was started before.

    Raises ``DagNotFound``, ``DagIsDeleted``, ``InvalidInput`` for parameters that are too large,
    and ``IdempotencyConflict`` where the key was used for something else.
    """
    dag_run_id = dag_run_id_for_key(tenant, start.dag_id, start.key)
    fingerprint = hashlib.sha256(start.parameters.encode()).hexdigest()
    dag = starting.dags.get(tenant, start.dag_id)
    if dag.status is DagStatus.DELETED:
        return _started_before(tenant, dag_run_id, start, starting)
    stored = starting.dag_runs.create(
        DagRun(
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
            parameters=store_payload(start.parameters, tenant, JobId(dag_run_id), starting.blobs),
            request_hash=fingerprint,
            follow=True,
        )
    )
    if stored.request_hash != fingerprint:
        raise IdempotencyConflict
    starting.telemetry.event(
        "dag_run_started",
        tenant_id=tenant,
        dag_run_id=dag_run_id,
        dag_id=start.dag_id,
        dag_version=stored.dag_version,
    )
    return stored


def _started_before(
    tenant: TenantId, dag_run_id: DagRunId, start: Start, starting: Starting
) -> DagRun:
    """Of a DAG that was deleted only what was started before; raises ``DagIsDeleted``."""
    try:
        return starting.dag_runs.get(tenant, dag_run_id)
    except DagRunNotFound as missing:
        raise DagIsDeleted(start.dag_id) from missing
