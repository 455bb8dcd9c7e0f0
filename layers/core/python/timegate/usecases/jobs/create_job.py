"""Creating a job: one conditional write decides, and repeating it is harmless."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.definition import (
    JobDefinition,
    PlanDefinition,
    WorkDefinition,
    part_of_definition,
)
from timegate.domain.jobs.job import FIRST_VERSION, Job, JobStatus, Timing
from timegate.domain.jobs.rules.call_rules import (
    check_addresses,
    check_own_fit,
    check_payload,
    check_question,
)
from timegate.domain.jobs.rules.job_rules import check_limits
from timegate.domain.jobs.rules.policy_rules import Policies, check_policies
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import (
    IdempotencyConflict,
    InvalidInput,
    JobBarred,
    JobNotFound,
    Throttled,
)
from timegate.domain.values.identity import JobId, job_id_for_key, job_id_from
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.dispatch.publish_created import publish_if_unsure
from timegate.usecases.jobs.chained_jobs import refuse_broken_chains
from timegate.usecases.jobs.unknown_dags import refuse_unknown_dag
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.planning.materialise import materialise_if_soon
from timegate.usecases.planning.plan_opening import opening_of, store_opened
from timegate.usecases.restrictions.unknown_calendars import refuse_unknown_calendars
from timegate.usecases.runs.store_payload import store_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Ids of one key. A request that finds the first one barred takes the next.
_IDS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class CreateJobRequest:
    """The caller, and the keys that recognise a repeated request."""

    tenant: TenantId
    #: Fingerprint of the whole request.
    hash: str
    idempotency_key: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Created:
    """The job as it stands now."""

    job: Job
    #: An earlier request with the same key had created it.
    replayed: bool


def create_job(
    request: CreateJobRequest, definition: JobDefinition, services: ApiServices, *, now: datetime
) -> Created:
    """Store a job with the runs that the next tick might miss.

    Raises ``InvalidInput``, ``QuotaExceeded``, ``JobKeyTaken``, ``Throttled`` and, for an
    Idempotency-Key that was used with another body, ``IdempotencyConflict``. A replay finishes what
    a crash after the write left undone.
    """
    for repetition in range(_IDS):
        job_id = _job_id(request, services, repetition)
        with suppress(JobBarred):
            return _create(request, job_id, definition, services, now=now)
    raise Throttled("Each id of this key was barred: repeat the request under another one.")


def _create(
    request: CreateJobRequest,
    job_id: JobId,
    definition: JobDefinition,
    services: ApiServices,
    *,
    now: datetime,
) -> Created:
    """Create a job under this id; raises ``JobBarred`` where none will ever have it."""
    definition = with_defaults(definition, request.tenant, services, now=now)
    try:
        job = new_job(request, job_id, definition, now)
        check_new_job(job, definition, services, now=now)
        fire = opening_fire(job.timing, now=now)
    except InvalidInput:
        # A job valid at the first request may have become invalid by time alone.
        stored = _stored(request, job_id, services)
        if stored is None:
            raise
    else:
        # Stored before the job: a job never names a blob that is not there.
        pointers = job.key_pointers
        payload = store_payload(
            definition.payload, job.tenant, job_id, services.blobs, pointers=pointers
        )
        job = replace(job, timing=replace(job.timing, next_run_at=fire), payload=payload)
        stored = _store(job, services, repeatable=request.idempotency_key is not None, now=now)
    if stored.request_hash != request.hash:
        raise IdempotencyConflict
    replayed = stored.timing.created_at != now
    report_creation(stored if replayed else job, services, replayed=replayed)
    timing = materialise_if_soon(stored.timing, services.scheduling, now=now)
    if replayed:
        publish_if_unsure(timing, services.scheduling, now=now)
    shown = stored if timing is stored.timing else replace(stored, timing=timing)
    return Created(job=shown, replayed=replayed)


def _store(job: Job, services: ApiServices, *, repeatable: bool, now: datetime) -> Job:
    """Store a job, together with its first runs where it can: what is stored, new or old."""
    limit = services.tenants_at_hand.quotas(job.tenant, now=now).jobs
    opening = opening_of(job.timing, services.scheduling, now=now)
    with refusals_told(job.tenant, services.telemetry):
        if opening is None:
            return services.jobs.create(job, limit=limit)
        opened = replace(job, timing=opening.after(job.timing))
        scheduling = services.scheduling
        if store_opened(opened, opening, scheduling, limit=limit, repeatable=repeatable):
            return opened
        if job.key is not None:
            # Another job may have the key: this decides anew, and says so.
            return services.jobs.create(job, limit=limit)
    return _stored_before(job, services)


def _stored_before(job: Job, services: ApiServices) -> Job:
    """Read the job that another request has stored under the id.

    Another request may have stored the run alone: it is barred, for it may have died.
    """
    try:
        return services.jobs.get(job.tenant, job.job_id)
    except JobBarred:
        raise
    except JobNotFound:
        if services.scheduling.runs.bar_creation(job.tenant, job.job_id):
            raise JobBarred(job.job_id) from None
    return services.jobs.get(job.tenant, job.job_id)


def _job_id(request: CreateJobRequest, services: ApiServices, repetition: int) -> JobId:
    if request.idempotency_key is None:
        return job_id_from(services.new_seed())
    return job_id_for_key(request.tenant, request.idempotency_key, repetition)


def with_defaults(
    definition: JobDefinition, tenant: TenantId, services: ApiServices, *, now: datetime
) -> JobDefinition:
    """The definition with what its tenant has for fields that it leaves out."""
    if definition.list_runs is not None:
        return definition
    own = services.tenants_at_hand.settings(tenant, now=now).list_runs
    return definition if own is None else replace(definition, list_runs=own)


def new_job(
    request: CreateJobRequest, job_id: JobId, definition: JobDefinition, now: datetime
) -> Job:
    """The job as it is asked for, without its payload; nothing of it is checked."""
    timing = Timing(
        **part_of_definition(PlanDefinition, definition),
        tenant=request.tenant,
        job_id=job_id,
        version=FIRST_VERSION,
        status=JobStatus.ACTIVE,
        created_at=now,
        anchored_at=now,
        next_run_at=None,
        offer=definition.action.offer,
    )
    return Job(
        **part_of_definition(WorkDefinition, definition),
        timing=timing,
        payload=Payload(),
        updated_at=now,
        request_hash=request.hash,
    )


def check_new_job(
    job: Job,
    definition: JobDefinition,
    services: ApiServices,
    *,
    now: datetime,
    dag_is_known: bool = False,
    schedule_is_known: bool = False,
) -> None:
    """Raise ``InvalidInput`` for a job that cannot be created.

    Its own fields are checked before its references to others. ``dag_is_known``: the DAG that it
    starts is made by the same request. ``schedule_is_known``: it was accepted earlier, and may have
    run out since.
    """
    if not schedule_is_known:
        validate_schedule(definition.schedule, now=now)
    definition.action.check(services.target_rules, job.tenant)
    check_addresses(definition.notifications, services.target_rules, job.tenant)
    check_question(definition.before, services.target_rules, job.tenant)
    check_limits(job)
    check_policies(Policies.of(job))
    check_payload(definition.action, definition.payload, definition.payload_marks)
    check_own_fit(job, definition.payload, now=now)
    refuse_unknown_calendars(job.tenant, job.timing.calendars, services)
    refuse_broken_chains(job, services)
    if not dag_is_known:
        refuse_unknown_dag(job.tenant, definition.action, services)


def _stored(request: CreateJobRequest, job_id: JobId, services: ApiServices) -> Job | None:
    if request.idempotency_key is None:
        return None
    try:
        job = services.jobs.get(request.tenant, job_id)
    except JobBarred:
        raise
    except JobNotFound:
        return None
    return job if job.request_hash == request.hash else None


def report_creation(job: Job, services: ApiServices, *, replayed: bool) -> None:
    """Tell of a job that is stored, or was before."""
    services.telemetry.event(
        service_events.JOB_CREATE_REPLAYED if replayed else service_events.JOB_CREATED,
        tenant_id=job.tenant,
        job_id=job.job_id,
        kind=job.timing.schedule.kind,
        next_run_at=job.timing.next_run_at,
    )
