"""The job of a DAG, as the DAG says: it starts DAG runs, and tells of their ends."""

from datetime import datetime
from typing import Any

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import InvalidDag
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import own_job_id, own_job_key
from timegate.usecases.jobs.create_job import CreateJobRequest, check_new_job, new_job
from timegate.usecases.services.api_services import ApiServices

_BY_HAND = Schedule(kind=ScheduleKind.MANUAL)


def check_own_job(
    dag: Dag, services: ApiServices, *, now: datetime, before: Dag | None = None
) -> None:
    """Refuse a schedule or a follower that no job may have; raises ``InvalidDag``.

    ``before``: as ``own_job_problems`` has it.
    """
    problems = own_job_problems(dag, services, now=now, before=before)
    if problems:
        raise InvalidDag(problems)


def own_job_problems(
    dag: Dag, services: ApiServices, *, now: datetime, before: Dag | None = None
) -> tuple[InvalidInput, ...]:
    """Return the first thing that is wrong with the DAG's job, if anything is.

    ``before``: the stored version, whose schedule may have run out; ``None``: the DAG is new.
    """
    if not dag.wants_job:
        return ()
    definition = own_definition(dag)
    job = new_job(own_request(dag), own_job_id(dag.tenant, dag.dag_id), definition, now)
    try:
        check_new_job(
            job,
            definition,
            services,
            now=now,
            dag_is_known=True,
            schedule_is_known=before is not None and before.schedule == dag.schedule,
        )
    except InvalidInput as problem:
        return (problem,)
    return ()


def own_definition(dag: Dag) -> JobDefinition:
    """Return the definition of a DAG's job."""
    return JobDefinition(action=DagAction(dag_id=dag.dag_id), **governed_fields(dag))


def governed_fields(dag: Dag) -> dict[str, Any]:
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


def own_request(dag: Dag) -> CreateJobRequest:
    """Return the request that would create it: its key gives the job its id."""
    key = own_job_key(dag.dag_id)
    return CreateJobRequest(tenant=dag.tenant, hash=key, idempotency_key=key)
