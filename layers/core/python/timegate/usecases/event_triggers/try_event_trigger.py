"""Trying an event trigger: what an event would start, without starting it."""

import json
from contextlib import suppress
from datetime import datetime
from typing import Any

from timegate.domain.dags.errors import DagNotFound
from timegate.domain.event_triggers.event_trigger import EventTrigger, StartsJob
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.event_triggers.projections import budget_of_event, sent_on
from timegate.domain.events.matching import StepBudget, matches
from timegate.domain.values.errors import JobDamaged, JobNotFound, Malformed
from timegate.domain.values.identity import Origin, RunId
from timegate.usecases.event_triggers.fire_trigger import refuse_start, trigger_of_event
from timegate.usecases.runs.attempt_of_trigger import checked_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """Result of comparing an event with a trigger."""

    matches: bool
    #: Data that it would send on; ``None`` as well where it does not match.
    data: Any = None


def try_event_trigger(
    trigger: EventTrigger, event: EventFacts, services: ApiServices, *, now: datetime
) -> Tried:
    """Compare an event with a trigger, paused or not.

    Raises ``InvalidInput`` for an event that takes too much, ``PayloadMismatch`` for data that does
    not fit the schema of the job, or of the DAG's own job, and as ``sent_on``.
    """
    if not matches(json.loads(trigger.pattern), event.document, StepBudget()):
        return Tried(matches=False)
    data = sent_on(trigger.starts, event.document, budget_of_event())
    if isinstance(trigger.starts, StartsJob):
        _refuse_misfit(trigger, trigger.starts, event, services, now)
    else:
        with suppress(DagNotFound, Malformed):
            refuse_start(trigger, trigger.starts, event, data, services)
    return Tried(matches=True, data=data)


def _refuse_misfit(
    trigger: EventTrigger,
    starts: StartsJob,
    event: EventFacts,
    services: ApiServices,
    now: datetime,
) -> None:
    """Refuse data that the job would refuse; one that cannot be triggered now is passed over."""
    try:
        job_id = services.job_named(trigger.tenant, starts.job_id)
        job = services.jobs.get(trigger.tenant, job_id)
    except (JobDamaged, JobNotFound):
        return
    if job.payload_schema is None:
        return
    run = RunId(job_id=job_id, origin=Origin.TRIGGER, scheduled_at=now)
    checked_payload(trigger_of_event(trigger, starts, event), run, job, services.blobs)
