"""The job of a DAG: it starts the DAG's runs, and says who hears of their ends.

The DAG governs it. A request writes the DAG first and its job then; one that is repeated after a
crash in between finishes the job.
"""

from datetime import datetime
from typing import Any

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.dags.errors import InvalidDag
from timegate.domain.jobs.definition import JobChanges, JobDefinition
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput, JobNotFound
from timegate.domain.values.identity import own_job_id, own_job_key
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.create_job import CreateJobRequest, check_new_job, create_job, new_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.services.api_services import ApiServices

_BY_HAND = Schedule(kind=ScheduleKind.MANUAL)


def keep_own_job(dag: Dag, services: ApiServices, *, now: datetime) -> None:
    """Make the DAG's job as the DAG says, whatever it is; nothing for a DAG that never had one.

    Raises ``QuotaExceeded``, ``JobIsCancelled`` and as ``change_job``.
    """
    while dag.has_job:
        _make_as_said(dag, services, now=now)
        # Another request may have changed the DAG since, and made the job before this one did.
        latest = services.dags.get(dag.tenant, dag.dag_id)
        if latest.version == dag.version or latest.status is DagStatus.DELETED:
            return
        dag = latest


def _make_as_said(dag: Dag, services: ApiServices, *, now: datetime) -> None:
    ref = JobRef(tenant=dag.tenant, job_id=own_job_id(dag.tenant, dag.dag_id))
    try:
        job = services.jobs.get(ref.tenant, ref.job_id)
    except JobNotFound:
        definition = JobDefinition(action=DagAction(dag_id=dag.dag_id), **_governed(dag))
        create_job(_request(dag), definition, services, now=now)
        return
    is_same = all(job.defined(name) == value for name, value in _governed(dag).items())
    if not is_same:
        update_job(ref, JobChanges(**_governed(dag)), services, now=now, by_dag=True)


def end_own_job(dag: Dag, services: ApiServices, *, now: datetime) -> None:
    """Cancel the job of a DAG that is deleted; raises as ``change_job``."""
    if not dag.has_job:
        return
    ref = JobRef(tenant=dag.tenant, job_id=own_job_id(dag.tenant, dag.dag_id))
    try:
        job = services.jobs.get(ref.tenant, ref.job_id)
    except JobNotFound:
        return
    if job.timing.status is not JobStatus.CANCELLED:
        cancel_job(ref, services, now=now)


def check_own_job(dag: Dag, services: ApiServices, *, now: datetime) -> None:
    """Refuse a schedule or a follower that no job may have; raises ``InvalidDag``."""
    problems = own_job_problems(dag, services, now=now)
    if problems:
        raise InvalidDag(problems)


def own_job_problems(dag: Dag, services: ApiServices, *, now: datetime) -> tuple[InvalidInput, ...]:
    """Return the first thing that is wrong with the DAG's job, if anything is."""
    if not dag.wants_job:
        return ()
    definition = JobDefinition(action=DagAction(dag_id=dag.dag_id), **_governed(dag))
    job = new_job(_request(dag), own_job_id(dag.tenant, dag.dag_id), definition, now)
    try:
        check_new_job(job, definition, services, now=now, dag_is_known=True)
    except InvalidInput as problem:
        return (problem,)
    return ()


def _governed(dag: Dag) -> dict[str, Any]:
    """The fields of the job that the DAG says."""
    return {
        "name": dag.name,
        "schedule": dag.schedule or _BY_HAND,
        "notifications": dag.notifications,
        "then": dag.then,
        "late_after_seconds": dag.late_after_seconds,
        "absent_after_seconds": dag.absent_after_seconds,
        "finish_by": dag.finish_by,
    }


def _request(dag: Dag) -> CreateJobRequest:
    key = own_job_key(dag.dag_id)
    return CreateJobRequest(tenant=dag.tenant, hash=key, idempotency_key=key)
