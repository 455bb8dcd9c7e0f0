"""From the domain to JSON: what users see of the definitions of DAGs."""

import json
from collections.abc import Sequence

from api.jobs.shown import shown
from api.values.validations import validation_view
from api.values.views import View
from timegate.domain.dags.definition import Dag, Edge, InlineTask, JobTask, Task, TaskSpec
from timegate.domain.dags.drawing import Drawing
from timegate.domain.dags.waits import WaitTask
from timegate.domain.values.identity import own_job_id
from timegate.domain.values.instants import rfc3339
from timegate.ports.dags import DagPage, DagRow
from timegate.usecases.dags.validate_dag import Validated


def dag_row(row: DagRow) -> View:
    """A version of a DAG in a listing."""
    return {
        "dag_id": row.dag_id,
        "version": row.version,
        "status": row.status,
        "created_at": rfc3339(row.created_at),
        "updated_at": rfc3339(row.updated_at),
        "name": row.name,
        "description": row.description,
        "tags": dict(row.tags),
        "task_count": row.tasks,
        "edge_count": row.edges,
    }


def dag_page_view(page: DagPage) -> View:
    """A page of DAGs; of those that cannot be read, which they are."""
    return {
        "items": [dag_row(row) for row in page.rows],
        "damaged": {"count": len(page.damaged), "dag_ids": list(page.damaged)},
        "next_cursor": page.cursor,
    }


def dag_view(dag: Dag) -> View:
    """A version of a DAG with all it says; what can be changed reads as it would be written."""
    job_id = own_job_id(dag.tenant, dag.dag_id) if dag.has_job else None
    return {**dag_row(DagRow.of(dag)), **_definition_view(dag), "job_id": job_id}


def _definition_view(dag: Dag) -> View:
    """All that its owner says of it."""
    return {
        "name": dag.name,
        "description": dag.description,
        "tags": dict(dag.tags),
        "metadata": dict(dag.metadata),
        "failure_policy": {"policy": dag.failure_policy, "max_retries": dag.max_retries},
        "timeout_seconds": dag.timeout_seconds,
        "tasks": [_task_view(task) for task in dag.tasks],
        "edges": edge_views(dag.edges),
        "schedule": shown(dag.schedule),
        "notifications": shown(dag.notifications),
        "then": shown(dag.then),
        "late_after_seconds": dag.late_after_seconds,
        "absent_after_seconds": dag.absent_after_seconds,
        "finish_by": shown(dag.finish_by),
    }


def validated_view(validated: Validated) -> View:
    """Show the problems of a definition, or the order of its tasks."""
    return validation_view(_definition_view(validated.dag), validated.problems) | {
        "task_count": len(validated.dag.tasks),
        "edge_count": len(validated.dag.edges),
        "levels": [list(level) for level in validated.levels],
    }


def graph_view(drawing: Drawing, text: str | None) -> View:
    """Show a graph as data, and in the language that the caller chose."""
    return {
        "text": text,
        "nodes": [
            {
                "key": node.key,
                "title": node.title,
                "runs": node.runs,
                "rule": node.rule or "all",
                "fan_out": node.is_fan_out,
                "state": node.state,
            }
            for node in drawing.nodes
        ],
        "edges": edge_views(drawing.edges),
    }


def edge_views(edges: Sequence[Edge]) -> list[View]:
    """Edges, as they are written."""
    return [
        {"source": edge.source, "target": edge.target, "condition": edge.condition}
        for edge in edges
    ]


def _task_view(task: Task) -> View:
    return {
        "key": task.key,
        "name": task.name,
        **_spec_view(task.spec),
        "trigger_rule": shown(task.trigger_rule),
        "fan_out": shown(task.fan_out),
        "input": json.loads(task.input) if task.input is not None else None,
        "priority": task.priority,
    }


def _spec_view(spec: TaskSpec) -> View:
    match spec:
        case JobTask():
            return {"job": None, "job_id": spec.job_id, "wait": None}
        case InlineTask():
            payload = json.loads(spec.payload) if spec.payload is not None else None
            return {"job": shown(spec) | {"payload": payload}, "job_id": None, "wait": None}
        case WaitTask():
            return {"job": None, "job_id": None, "wait": _wait_view(spec)}


def _wait_view(wait: WaitTask) -> View:
    default = json.loads(wait.default) if wait.default is not None else None
    view = {**shown(wait), "default": default}
    awaited = wait.event
    if awaited is None:
        return view
    match = json.loads(awaited.match) if awaited.match is not None else None
    event = {**shown(awaited), "correlation": json.loads(awaited.correlation), "match": match}
    return {**view, "event": event}
