"""Refusing event triggers that name a job or a DAG that the tenant does not have."""

from timegate.domain.dags.definition import DagStatus
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.event_triggers.event_trigger import EventTrigger, StartsJob
from timegate.domain.values.errors import InvalidInput, JobIsCancelled, JobNotFound
from timegate.usecases.jobs.change_job import refuse_cancelled
from timegate.usecases.services.api_services import ApiServices


def refuse_unknown_target(trigger: EventTrigger, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a job or a DAG that cannot be started now.

    One that ends later is refused for each event.
    """
    starts = trigger.starts
    if isinstance(starts, StartsJob):
        try:
            job_id = services.job_named(trigger.tenant, starts.job_id)
            refuse_cancelled(services.jobs.get(trigger.tenant, job_id))
        except (JobNotFound, JobIsCancelled) as error:
            raise InvalidInput("starts.job_id", "unknown_job", str(error)) from error
        return
    try:
        dag = services.dags.get(trigger.tenant, starts.dag_id)
    except DagNotFound as error:
        raise InvalidInput("starts.dag_id", "unknown_dag", str(error)) from error
    if dag.status is DagStatus.DELETED:
        detail = f"DAG {starts.dag_id} is deleted."
        raise InvalidInput("starts.dag_id", "unknown_dag", detail)
