"""Firing: an event that matches a trigger starts a run, and the same run when it is repeated."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.event_triggers.event_trigger import (
    EventTrigger,
    EventTriggerName,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.event_triggers.projections import sent_on
from timegate.domain.execution.day_quota import day_quota
from timegate.domain.execution.triggers import Trigger, TriggerKey
from timegate.domain.runs.parent import MatchedEvent
from timegate.domain.values.identity import DagRunId, JobId, RunId
from timegate.domain.values.payload import json_text
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_dag_run, of_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, check_start, start_dag_run
from timegate.usecases.event_triggers.former_targets import began_with
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job, triggered_job
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.dag_start_services import Starting
from timegate.value_classes import dataclass

#: Requests that have the same key are one run, whatever else they say: so are repeated events.
_ANY_REQUEST = "event"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fired:
    """The run that an event started by a trigger; exactly one of both ids is there."""

    trigger: EventTriggerName
    run_id: RunId | None = None
    dag_run_id: DagRunId | None = None
    #: An earlier delivery of the event had started it.
    replayed: bool = False


def fire_trigger(
    trigger: EventTrigger, event: EventFacts, services: ApiServices, *, now: datetime
) -> Fired:
    """Start what a trigger starts; the same event starts nothing twice.

    Raises ``JobNotFound``, ``JobIsCancelled``, ``DagNotFound``, ``DagIsDeleted``, ``DayIsFull``,
    and ``InvalidInput`` or ``PlaintextSecret`` for data that cannot be sent on, or that the schema
    of the job, or of the DAG's own job, refuses.
    """
    starts = began_with(
        trigger,
        lambda job_id: _key(trigger, event, job_id),
        lambda former: _start(trigger, former, event, {}).dag_run_id(trigger.tenant),
        services,
        now=now,
    )
    fired, told = (
        _job(trigger, starts, event, services, now)
        if isinstance(starts, StartsJob)
        else _dag_run(trigger, starts, event, services, now)
    )
    services.telemetry.event(
        service_events.EVENT_TRIGGER_FIRED,
        **told,
        event_trigger=trigger.name,
        replayed=fired.replayed,
    )
    services.telemetry.count(service_metrics.EVENT_TRIGGERS_FIRED, int(not fired.replayed))
    return fired


def _job(
    trigger: EventTrigger,
    starts: StartsJob,
    event: EventFacts,
    services: ApiServices,
    now: datetime,
) -> tuple[Fired, Mapping[str, object]]:
    tenant = trigger.tenant
    job_id, key = triggered_job(
        tenant, starts.job_id, lambda job_id: _key(trigger, event, job_id), services, now=now
    )
    request = Triggering(
        tenant=tenant,
        job_id=job_id,
        trigger=trigger_of_event(trigger, starts, event),
        key=key,
    )
    triggered = trigger_job(request, services, now=now)
    last = triggered.attempts[-1]
    fired = Fired(trigger=trigger.name, run_id=last.id.run, replayed=triggered.replayed)
    return fired, of_run(last)


def trigger_of_event(trigger: EventTrigger, starts: StartsJob, event: EventFacts) -> Trigger:
    """Return what an event asks of the job that it triggers; raises as ``sent_on``."""
    return replace(_trigger(starts, event), event=_matched(trigger, event))


def _trigger(starts: StartsJob, event: EventFacts) -> Trigger:
    data = sent_on(starts, event.document, event.budget)
    if starts.payload_patch is not None:
        return Trigger(payload_patch=data, priority=starts.priority, tags=starts.tags)
    text = None if data is None else json_text(data)
    return Trigger(payload=text, priority=starts.priority, tags=starts.tags)


def _dag_run(
    trigger: EventTrigger,
    starts: StartsDagRun,
    event: EventFacts,
    services: ApiServices,
    now: datetime,
) -> tuple[Fired, Mapping[str, object]]:
    parameters = sent_on(starts, event.document, event.budget)
    start, starting = _start(trigger, starts, event, parameters), _starting(services)
    within = day_quota(services.tenants_at_hand.quotas(trigger.tenant, now=now), now)
    run = start_dag_run(trigger.tenant, start, starting, now=now, within=within)
    replayed = run.created_at != now
    fired = Fired(trigger=trigger.name, dag_run_id=run.dag_run_id, replayed=replayed)
    return fired, of_dag_run(run)


def _starting(services: ApiServices) -> Starting:
    return Starting(
        dags=services.dags,
        dag_runs=services.dag_runs,
        blobs=services.blobs,
        telemetry=services.telemetry,
    )


def refuse_start(
    trigger: EventTrigger,
    starts: StartsDagRun,
    event: EventFacts,
    parameters: Mapping[str, Any],
    services: ApiServices,
) -> None:
    """Refuse data that the DAG would refuse; raises as ``check_start``, and ``DagNotFound``."""
    dag = services.dags.get(trigger.tenant, starts.dag_id)
    start = _start(trigger, starts, event, parameters)
    check_start(trigger.tenant, start, dag, _starting(services))


def _start(
    trigger: EventTrigger, starts: StartsDagRun, event: EventFacts, parameters: Mapping[str, Any]
) -> Start:
    """Return the start of a DAG run; its id follows from trigger, DAG and event alone."""
    return Start(
        dag_id=starts.dag_id,
        key=_seed(trigger, event),
        parameters=json.dumps(parameters, separators=(",", ":"), ensure_ascii=False),
        trigger=DagTrigger.EVENT,
        event=_matched(trigger, event),
    )


def _key(trigger: EventTrigger, event: EventFacts, job_id: JobId) -> TriggerKey:
    """Return the key of an event's trigger at a job."""
    seed = _seed(trigger, event)
    return TriggerKey.of(trigger.tenant, job_id, seed, request_hash=_ANY_REQUEST)


def _matched(trigger: EventTrigger, event: EventFacts) -> MatchedEvent:
    return MatchedEvent(event_trigger=trigger.name, source=event.source, id=event.id)


def _seed(trigger: EventTrigger, event: EventFacts) -> str:
    """Return text that names trigger and event; no caller's key has a line break."""
    return f"event\n{trigger.name}\n{event.source}\n{event.id}"
