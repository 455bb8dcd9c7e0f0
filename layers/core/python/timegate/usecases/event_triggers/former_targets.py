"""Former targets of an event trigger: a repeated event stays with the work that it began."""

from collections.abc import Callable
from datetime import datetime

from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    Starts,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.execution.triggers import KEY_KEPT, TriggerKey
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import DagRunId, JobId
from timegate.usecases.jobs.trigger_job import triggered_job
from timegate.usecases.services.api_services import ApiServices


def began_with(
    trigger: EventTrigger,
    key: Callable[[JobId], TriggerKey],
    dag_run_id: Callable[[StartsDagRun], DagRunId],
    services: ApiServices,
    *,
    now: datetime,
) -> Starts:
    """Return the target that an event began work at, before the trigger got another one.

    ``key`` and ``dag_run_id`` say under which key the event is known there. The present target for
    any other event. Reads nothing for a trigger whose target was not changed lately.
    """
    for each in trigger.former:
        if now - each.left_at < KEY_KEPT and _knows(
            trigger, each.starts, key, dag_run_id, services, now
        ):
            return each.starts
    return trigger.starts


def _knows(
    trigger: EventTrigger,
    starts: Starts,
    key: Callable[[JobId], TriggerKey],
    dag_run_id: Callable[[StartsDagRun], DagRunId],
    services: ApiServices,
    now: datetime,
) -> bool:
    tenant = trigger.tenant
    try:
        if isinstance(starts, StartsJob):
            job_id, known = triggered_job(tenant, starts.job_id, key, services, now=now)
            return services.runs.knows_key(tenant, job_id, known, now=now)
        services.dag_runs.get(tenant, dag_run_id(starts))
    except (JobNotFound, DagRunNotFound):
        return False
    return True
