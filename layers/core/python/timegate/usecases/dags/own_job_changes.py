"""Changes of a DAG's own job: each is part of the transaction that changes the DAG.

No reader finds a schedule without the job that fires it, nor a job that fires a schedule which its
DAG has no more.
"""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.values.errors import JobChanged, JobNotFound
from timegate.domain.values.identity import own_job_id
from timegate.ports.dags import OwnJobWrite
from timegate.ports.telemetry import service_events
from timegate.usecases.dags.own_job import governed_fields, own_definition, own_request
from timegate.usecases.dispatch.publish_created import publish_if_unsure
from timegate.usecases.jobs.cancel_job import cancelled_job
from timegate.usecases.jobs.change_job import (
    Change,
    ChangedJob,
    decided,
    materialised,
    report_change,
)
from timegate.usecases.jobs.create_job import new_job, report_creation, with_defaults
from timegate.usecases.jobs.update_job import redefined_job
from timegate.usecases.planning.cut_gaps import WITH_CHANGE
from timegate.usecases.planning.materialise import finish_announced
from timegate.usecases.planning.plan_opening import opening_of, publish_opened
from timegate.usecases.services.api_services import ApiServices


def own_job_opened(dag: Dag, services: ApiServices, *, now: datetime) -> OwnJobWrite | None:
    """Return the job of a DAG that has none yet, past its first runs; ``None``: it wants none."""
    if not dag.has_job:
        return None
    definition = with_defaults(own_definition(dag), dag.tenant, services, now=now)
    job = new_job(own_request(dag), own_job_id(dag.tenant, dag.dag_id), definition, now)
    timing = replace(job.timing, next_run_at=opening_fire(job.timing, now=now))
    limit = services.tenants_at_hand.quotas(dag.tenant, now=now).jobs
    opening = opening_of(timing, services.scheduling, now=now)
    if opening is None:
        return OwnJobWrite(after=replace(job, timing=timing), limit=limit)
    opened = replace(job, timing=opening.after(timing))
    return OwnJobWrite(after=opened, attempts=opening.attempts, limit=limit)


def own_job_changed(
    before: Dag, after: Dag, services: ApiServices, *, now: datetime
) -> OwnJobWrite | None:
    """Decide about the job as the DAG's next version has it; ``None``: it stays as it is.

    Raises ``JobChanged`` where another process is at work at it, and as ``update_job``.
    """
    is_deleted = after.status is DagStatus.DELETED
    is_same = before.has_job and governed_fields(before) == governed_fields(after)
    if not after.has_job or (is_same and not is_deleted):
        return None
    try:
        job = services.jobs.get(after.tenant, own_job_id(after.tenant, after.dag_id))
    except JobNotFound:
        return None if is_deleted else own_job_opened(after, services, now=now)
    if finish_announced(job.timing, services.scheduling, now=now):
        raise JobChanged(job.job_id)
    changed = decided(job, cancelled_job if is_deleted else _as_said(after, services), now=now)
    if changed is None:
        return None
    return OwnJobWrite(
        before=job,
        after=changed.job,
        gap=changed.gap,
        cuts=changed.cuts[:WITH_CHANGE],
        later=changed.cuts[WITH_CHANGE:],
        limit=changed.limit,
    )


def _as_said(dag: Dag, services: ApiServices) -> Change:
    def change(job: Job, at: datetime) -> ChangedJob | None:
        said = {n: value for n, value in governed_fields(dag).items() if job.defined(n) != value}
        return redefined_job(job, JobChanges(**said), services, at) if said else None

    return change


def own_job_stored(own: OwnJobWrite, services: ApiServices, *, now: datetime) -> None:
    """Do what follows the transaction: a repeated request, or a tick, does it after a crash."""
    if own.later:
        services.jobs.cut(own.later)
    if own.before is None:
        report_creation(own.after, services, replayed=False)
    else:
        is_ended = own.after.timing.status is JobStatus.CANCELLED
        event = service_events.JOB_CANCELLED if is_ended else service_events.JOB_UPDATED
        report_change(event, own.after, services)
    if own.attempts:
        publish_opened(own.attempts, services.scheduling)
    materialised(own.after, services, now=now, is_new=own.before is not None)


def materialise_own_job(dag: Dag, services: ApiServices, *, now: datetime) -> Timing | None:
    """Materialise what the next tick might miss: the request may repeat one that died."""
    if not dag.has_job or dag.status is DagStatus.DELETED:
        return None
    try:
        job = services.jobs.get(dag.tenant, own_job_id(dag.tenant, dag.dag_id))
    except JobNotFound:
        return None
    return materialised(job, services, now=now, is_new=False).timing


def own_job_again(dag: Dag, services: ApiServices, *, now: datetime) -> None:
    """Finish what a crash left undone after a DAG was created with its job."""
    timing = materialise_own_job(dag, services, now=now)
    if timing is not None:
        publish_if_unsure(timing, services.scheduling, now=now)
