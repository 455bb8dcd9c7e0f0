"""Creating a DAG: one conditional write decides, and repeating it is harmless."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import DagNotFound, InvalidDag
from timegate.domain.values.errors import IdempotencyConflict
from timegate.domain.values.identity import DagId, dag_id_for_key, dag_id_from
from timegate.ports.telemetry import service_events
from timegate.usecases.dags.check_definition import check_definition
from timegate.usecases.dags.definition import DagDefinition
from timegate.usecases.dags.own_job_changes import own_job_again, own_job_opened, own_job_stored
from timegate.usecases.jobs.create_job import CreateJobRequest
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CreatedDag:
    """The DAG as it stands now."""

    dag: Dag
    #: An earlier request with the same key had created it.
    replayed: bool


def create_dag(
    request: CreateJobRequest, definition: DagDefinition, services: ApiServices, *, now: datetime
) -> CreatedDag:
    """Store a DAG at its first version, with the job that starts it if it says when.

    Raises ``InvalidDag``, ``QuotaExceeded`` and, for a key that was used with another body,
    ``IdempotencyConflict``.
    """
    dag = as_dag(request, _dag_id(request, services), definition, now)
    own_job = None
    try:
        check_definition(dag, services, now=now)
    except InvalidDag:
        # A DAG valid at the first request may have lost a job, or a target, since.
        stored = _stored(request, dag.dag_id, services)
        if stored is None:
            raise
    else:
        limit = services.tenants_at_hand.quotas(request.tenant, now=now).dags
        own_job = own_job_opened(dag, services, now=now)
        with refusals_told(request.tenant, services.telemetry):
            stored = services.dags.create(dag, limit=limit, own_job=own_job)
    if stored.request_hash != request.hash:
        raise IdempotencyConflict
    replayed = stored.created_at != now
    services.telemetry.event(
        service_events.DAG_CREATE_REPLAYED if replayed else service_events.DAG_CREATED,
        tenant_id=stored.tenant,
        dag_id=stored.dag_id,
        version=stored.version,
        tasks=len(stored.tasks),
        edges=len(stored.edges),
    )
    if replayed:
        own_job_again(stored, services, now=now)
    elif own_job is not None:
        own_job_stored(own_job, services, now=now)
    return CreatedDag(dag=stored, replayed=replayed)


def as_dag(
    request: CreateJobRequest, dag_id: DagId, definition: DagDefinition, now: datetime
) -> Dag:
    """The first version of what was asked for."""
    dag = Dag(
        tenant=request.tenant,
        dag_id=dag_id,
        version=1,
        name=definition.name,
        tasks=definition.tasks,
        edges=definition.edges,
        created_at=now,
        updated_at=now,
        request_hash=request.hash,
        description=definition.description,
        tags=definition.tags,
        metadata=definition.metadata,
        failure_policy=definition.failures.policy,
        max_retries=definition.failures.max_retries,
        timeout_seconds=definition.timeout_seconds,
        schedule=definition.schedule,
        notifications=definition.notifications,
        then=definition.then,
        late_after_seconds=definition.late_after_seconds,
        absent_after_seconds=definition.absent_after_seconds,
        finish_by=definition.finish_by,
    )
    return replace(dag, has_job=dag.wants_job)


def _dag_id(request: CreateJobRequest, services: ApiServices) -> DagId:
    if request.idempotency_key is None:
        return dag_id_from(services.new_seed())
    return dag_id_for_key(request.tenant, request.idempotency_key)


def _stored(request: CreateJobRequest, dag_id: DagId, services: ApiServices) -> Dag | None:
    if request.idempotency_key is None:
        return None
    try:
        dag = services.dags.get(request.tenant, dag_id)
    except DagNotFound:
        return None
    return dag if dag.request_hash == request.hash else None
