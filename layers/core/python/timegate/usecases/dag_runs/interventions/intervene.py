"""Intervening: an operator completes or skips a task, or has it run again."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from timegate.domain.dag_runs.intervening import (
    InterventionRecords,
    RerunScope,
    TaskIntervention,
    effect_of,
    is_replay,
)
from timegate.domain.dag_runs.intervening_members import effect_on_members
from timegate.domain.dag_runs.progress import (
    DagRun,
    Intervention,
    InterventionKind,
    TaskProgress,
)
from timegate.domain.dag_runs.reopening import IndexedDag
from timegate.domain.dag_runs.run_errors import DagRunIsBusy, TaskNotFound, TaskWasPutBack
from timegate.domain.dag_runs.waiting import refuse_others
from timegate.domain.dags.definition import Task
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.run_result import MAX_RESULT_BYTES
from timegate.domain.values.errors import Conflict, InvalidInput
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON
from timegate.usecases.dag_runs.interventions.record_end import record_end
from timegate.usecases.dag_runs.interventions.steer_dag_run import layout_of, refuse_deleted
from timegate.usecases.dag_runs.kept_results import kept_result
from timegate.usecases.dag_runs.members.members_on_record import as_their_runs_say, completed_runs
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Ends meanwhile may refuse the write.
_TRIES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class InterventionRequest:
    """An operator's request about a task."""

    tenant: TenantId
    dag_run_id: DagRunId
    key: TaskKey
    kind: InterventionKind
    by: str
    note: str | None = None
    idempotency_key: str | None = None
    scope: RerunScope = RerunScope.BRANCH
    #: Members of a fan-out to change.
    members: frozenset[int] | Literal["failed"] | None = None
    #: JSON text that a completed task is said to have answered.
    result: str | None = None
    #: The round of the task that is meant; ``None``: whichever it is in.
    round: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Intervened:
    """Result of an intervention."""

    run: DagRun
    task: Task
    progress: TaskProgress
    #: It was done before.
    is_replay: bool


def intervene(request: InterventionRequest, services: ApiServices, *, now: datetime) -> Intervened:
    """Do what is asked with a task, by one write; the DAG run moves on from what that leaves.

    The task's unfinished runs are cancelled, and their late ends change nothing. Raises
    ``DagRunNotFound``, ``TaskNotFound``, ``TaskHasEnded``, ``TaskNotStarted``, ``DagRunIsBusy``,
    ``DagIsDeleted``, ``TooManyRounds``, ``IdempotencyConflict``, ``InvalidInput`` for a result that
    is too large, ``TaskWasPutBack`` for another round, ``NotAnApprover``, and as
    ``effect_on_members``.
    """
    store, wanted = services.dag_runs, _wanted(request, services, now=now)
    for _ in range(_TRIES):
        run = store.get(request.tenant, request.dag_run_id)
        layout = layout_of(run, services)
        if request.key not in layout.places:
            raise TaskNotFound(request.dag_run_id, request.key)
        # A decision that was made before is shown to those who may make it, and to no others.
        refuse_others(layout.dag.tasks[layout.places[request.key]], request.by)
        tasks = _tasks(run, layout, services)
        before, known = _known(request, run, tasks[request.key], services)
        if request.round not in {None, before.round}:
            raise TaskWasPutBack(request.key)
        tasks = {**tasks, request.key: before}
        if is_replay(before, wanted):
            return _intervened(layout, run, before, is_replay=True)
        if run.has_ended:
            refuse_deleted(run, services)
        decide = effect_of if request.members is None else effect_on_members
        effect = decide(layout, run, tasks, wanted, now=now)
        after = replace(effect.run, watch_at=now + LOOK_SOON, follow=True)
        if run.has_ended:
            record_end(run, services, now=now)
        runs = completed_runs(run, effect.task, wanted, known, now=now)
        changes, uncounted = [(before, effect.task)], effect.uncounted
        if store.change_together(run, after, changes, uncounted=uncounted, runs=runs):
            _tell(request, effect, services)
            run = store.get(request.tenant, request.dag_run_id)
            return _intervened(layout, run, effect.task, is_replay=False)
    raise Conflict(f"DAG run {request.dag_run_id} keeps changing; try again.")


def _wanted(
    request: InterventionRequest, services: ApiServices, *, now: datetime
) -> TaskIntervention:
    named = request.members if isinstance(request.members, str | None) else sorted(request.members)
    same = f"{request.key} {request.scope} {request.result}"
    # The text without members is that of earlier releases: a request repeated from then is still
    # the same.
    same += f" {named}" if named is not None else ""
    intervention = Intervention(
        kind=request.kind,
        by=request.by,
        at=now,
        note=request.note,
        key=request.idempotency_key,
        fingerprint=hashlib.sha256(same.encode()).hexdigest()[:32],
    )
    wanted = TaskIntervention(
        key=request.key,
        intervention=intervention,
        scope=request.scope,
        members=request.members,
    )
    return _with_result(wanted, request, services)


def _with_result(
    wanted: TaskIntervention, request: InterventionRequest, services: ApiServices
) -> TaskIntervention:
    text = request.result
    if text is None:
        return wanted
    size = len(text.encode())
    if size > MAX_RESULT_BYTES:
        detail = f"It has {size} bytes; at most {MAX_RESULT_BYTES} are kept."
        raise InvalidInput("result", "too_long", detail)
    short, stored = kept_result(text, request.tenant, request.dag_run_id, services.blobs)
    return replace(wanted, result=short, stored_result=stored)


def _known(
    request: InterventionRequest, run: DagRun, task: TaskProgress, services: ApiServices
) -> tuple[TaskProgress, Mapping[int, Attempt]]:
    if request.members is None:
        return task, {}
    return as_their_runs_say(run, task, services.dag_runs)


def _tasks(
    run: DagRun, layout: IndexedDag, services: ApiServices
) -> Mapping[TaskKey, TaskProgress]:
    found = {task.key: task for task in services.dag_runs.tasks(run.tenant, run.dag_run_id)}
    if len(found) < len(layout.places):
        raise DagRunIsBusy(run.dag_run_id, run.status)
    return found


def _intervened(
    layout: IndexedDag, run: DagRun, progress: TaskProgress, *, is_replay: bool
) -> Intervened:
    task = layout.dag.tasks[layout.places[progress.key]]
    return Intervened(run=run, task=task, progress=progress, is_replay=is_replay)


def _tell(request: InterventionRequest, effect: InterventionRecords, services: ApiServices) -> None:
    services.telemetry.event(
        service_events.TASK_INTERVENED,
        **of_dag_run(effect.run),
        task=request.key,
        kind=request.kind,
        members=len(effect.task.intervention.members) if effect.task.intervention else 0,
        by=request.by,
        round=effect.task.round,
        put_back=len(effect.run.repeats),
    )
    services.telemetry.count(service_metrics.TASKS_INTERVENED)
