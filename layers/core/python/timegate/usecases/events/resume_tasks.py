"""Giving an event to the tasks of DAG runs that wait for it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.waits import WaitTask
from timegate.domain.events.event import ReceivedEvent
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import EventWaiter
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, change_task
from timegate.usecases.dag_runs.tasks.event_wait import ended_by
from timegate.usecases.events.met import Met, MetKind
from timegate.usecases.services.api_services import ApiServices


def resume_tasks(
    tenant: TenantId, received: ReceivedEvent, services: ApiServices, *, now: datetime
) -> Sequence[Met]:
    """End the waits of an event's key that it counts for, each by one write.

    A wait that is not found here finds the event at the next look at its DAG run. Raises
    ``Throttled``.
    """
    key = received.event.key
    if key is None:
        return ()
    waiters = services.events.waiters(tenant, key)
    return [met for each in waiters if (met := _resume(tenant, each, received, services, now=now))]


def _resume(
    tenant: TenantId,
    waiter: EventWaiter,
    event: ReceivedEvent,
    services: ApiServices,
    *,
    now: datetime,
) -> Met | None:
    task = services.dag_runs.task(tenant, waiter.dag_run_id, waiter.task)
    if task is None or task.round != waiter.round:
        return None
    if task.has_ended and not _was_ended_by(task, event):
        return None
    try:
        run = services.dag_runs.get(tenant, waiter.dag_run_id)
    except DagRunNotFound:
        return None
    if task.is_waiting and not _ends(task, run, event, services, now=now):
        return None
    if not (task.is_waiting or task.has_ended):
        return None
    # The process that ended it may have died before this.
    services.dag_runs.look_now(run, now + LOOK_SOON)
    return Met(kind=MetKind.TASK, name=waiter.task, dag_run_id=waiter.dag_run_id)


def _was_ended_by(task: TaskProgress, event: ReceivedEvent) -> bool:
    ending, own = task.event, event.event
    return ending is not None and (ending.source, ending.id) == (own.source, own.id)


def _ends(
    task: TaskProgress,
    run: DagRun,
    event: ReceivedEvent,
    services: ApiServices,
    *,
    now: datetime,
) -> bool:
    """End a wait; ``False``: the event does not count for it, or something else ended it."""
    if run.status is not DagRunStatus.RUNNING and not run.winds_down:
        return False
    wait = _wait_of(services.dags.version(run.tenant, run.dag_id, run.dag_version), task)
    after = ended_by(event, run, task, wait, services.blobs) if wait is not None else None
    if after is None:
        return False
    if change_task(task, replace(after, ended_at=now), services.dag_runs) is None:
        return False
    services.telemetry.event(
        service_events.TASK_RESUMED,
        **of_dag_run(run),
        task=task.key,
        event_id=event.event.id,
        round=task.round,
    )
    return True


def _wait_of(dag: Dag, task: TaskProgress) -> WaitTask | None:
    specs = (each.spec for each in dag.tasks if each.key == task.key)
    return next((each for each in specs if isinstance(each, WaitTask)), None)
