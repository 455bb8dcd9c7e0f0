"""From runs of DAGs to JSON."""

import json

from api.runs.hook_views import matched_view
from api.values.views import View, instant_view
from timegate.domain.dag_runs.intervening import failed_members
from timegate.domain.dag_runs.progress import (
    DagRun,
    EndingEvent,
    Intervention,
    Members,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.run_identity import TaskRunMark
from timegate.domain.dags.definition import Task
from timegate.domain.dags.waits import WaitTask
from timegate.domain.jobs.notification import trace_id
from timegate.domain.values.instants import rfc3339
from timegate.usecases.dag_runs.reading.read_dag_runs import DagRunDetails


def dag_run_row(run: DagRun) -> View:
    """A DAG run in a listing."""
    return {
        "dag_run_id": run.dag_run_id,
        "dag_id": run.dag_id,
        "dag_version": run.dag_version,
        "status": run.status,
        "reason": run.reason,
        "trigger": run.trigger,
        "matched_event": matched_view(run.event),
        "job_id": run.started_by.run.job_id if run.started_by is not None else None,
        "run_id": str(run.started_by.run) if run.started_by is not None else None,
        "round": run.round,
        "task_count": run.tasks,
        "ended_count": len(run.ended),
        "failed_count": len(run.failed),
        "scheduled_at": rfc3339(run.scheduled_at),
        "created_at": rfc3339(run.created_at),
        "deadline_at": rfc3339(run.deadline_at),
        "ended_at": instant_view(run.ended_at),
        "trace_id": trace_id(run.any_trace),
    }


def dag_run_view(details: DagRunDetails) -> View:
    """A DAG run with its parameters, and how far each task is."""
    return {
        **dag_run_row(details.run),
        "parameters": json.loads(details.parameters or "null"),
        "tasks": [task_view(details.run, task, done) for task, done in details.tasks],
    }


def task_view(run: DagRun, task: Task, done: TaskProgress | None) -> View:
    """A task of a DAG run; ``None``: it is not on record yet."""
    if done is None:
        done = TaskProgress(tenant=run.tenant, dag_run_id=run.dag_run_id, key=task.key)
    error = done.error
    return {
        "key": task.key,
        "name": task.name or task.key,
        "state": done.state,
        "round": done.round,
        "reason": done.reason,
        "attempts": done.attempts,
        "started_at": instant_view(done.started_at),
        "ended_at": instant_view(done.ended_at),
        "run_id": _run_id(run, done),
        "members": members_view(done.members),
        "wait": _wait_view(task, done),
        "error": (
            {"code": error.code, "type": error.type, "message": error.message}
            if error is not None
            else None
        ),
        "result": done.result,
        "intervention": _intervention_view(done.intervention),
    }


def members_view(members: Members | None) -> View | None:
    """Count the members of a fan-out and name the failed ones; ``None``: it has none."""
    if members is None:
        return None
    failed = failed_members(members)
    return {
        "width": members.width,
        "succeeded": len(members.succeeded - members.skipped),
        "failed": len(failed),
        "skipped": len(members.skipped),
        "failed_numbers": sorted(failed),
    }


def _wait_view(task: Task, done: TaskProgress) -> View | None:
    if not isinstance(task.spec, WaitTask):
        return None
    return {
        "kind": task.spec.kind,
        "until": instant_view(done.waits_until),
        "approvers": list(task.spec.approvers),
        "event_type": task.spec.event.type if task.spec.event is not None else None,
        "correlation": done.correlation,
        "event": _event_view(done.event),
    }


def _event_view(event: EndingEvent | None) -> View | None:
    if event is None:
        return None
    return {
        "source": event.source,
        "id": event.id,
        "received_at": rfc3339(event.received_at),
    }


def _intervention_view(intervention: Intervention | None) -> View | None:
    if intervention is None:
        return None
    return {
        "kind": intervention.kind,
        "by": intervention.by,
        "at": rfc3339(intervention.at),
        "reason": intervention.note,
        "members": list(intervention.members) or None,
    }


def _run_id(run: DagRun, done: TaskProgress) -> str | None:
    """Return the run of a task that has only one."""
    if done.waits_until is not None:
        return None
    if done.started_at is None or done.members is not None or done.state is TaskState.PENDING:
        return None
    mark = TaskRunMark(dag_run_id=run.dag_run_id, key=done.key, round=done.round)
    return str(mark.run_id(run.scheduled_at))
