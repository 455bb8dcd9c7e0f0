"""Tables of definitions of DAGs in a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.finish_tables import finishing
from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.channel_words import telling
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import chaining, labels, plain, target, when
from timegate.client import JsonObject
from timegate.domain.rules.words import span


def dag_details(dag: JsonObject) -> RenderableType:
    """A DAG and its tasks."""
    policy = dag["failure_policy"]
    often = f", {policy['max_retries']} times" if policy["max_retries"] else ""
    head = details(
        {
            "dag_id": plain(dag["dag_id"]),
            "name": plain(dag["name"]),
            "description": plain(dag["description"]),
            "status": state(dag["status"]),
            "on failure": f"{plain(policy['policy'])}{often}",
            "timeout": f"{dag['timeout_seconds']} s",
            **_own_job(dag),
            "tags": labels(dag["tags"]),
            "metadata": labels(dag["metadata"]),
            "created": zoned(dag["created_at"]),
            "updated": f"{zoned(dag['updated_at'])}, version {dag['version']}",
        }
    )
    waits: dict[str, list[str]] = {task["key"]: [] for task in dag["tasks"]}
    for edge in dag["edges"]:
        waits.setdefault(edge["target"], []).append(_edge(edge))
    columns: dict[str, Column] = {
        "task": lambda task: plain(task["key"]),
        "runs": _runs,
        "after": lambda task: plain(", ".join(waits[task["key"]])),
        "rule": lambda task: _rule(task["trigger_rule"]),
        "fan-out": lambda task: _fan_out(task["fan_out"]),
        "priority": lambda task: plain(task["priority"]),
    }
    tasks = {"items": dag["tasks"], "next_cursor": None}
    return Group(head, "", listing(tasks, columns, "No tasks."))


def _own_job(dag: JsonObject) -> dict[str, str]:
    """Return the rows of what starts the DAG and follows it; none of a DAG without a job."""
    if dag["job_id"] is None:
        return {}
    late, absent = dag["late_after_seconds"], dag["absent_after_seconds"]
    return {
        "schedule": when(dag["schedule"]) if dag["schedule"] is not None else plain(None),
        "notifies": telling(dag["notifications"]),
        "then": chaining(dag["then"]),
        "late after": plain(None if late is None else f"{late} s"),
        "absent after": plain(None if absent is None else span(absent)),
        "finish by": finishing(dag["finish_by"]),
        "job": plain(dag["job_id"]),
    }


def dag_table(page: JsonObject) -> RenderableType:
    """A listing of DAGs, or of the versions of one."""
    columns: dict[str, Column] = {
        "dag_id": lambda dag: plain(dag["dag_id"]),
        "version": lambda dag: plain(dag["version"]),
        "status": lambda dag: state(dag["status"]),
        "name": lambda dag: plain(dag["name"]),
        "tasks": lambda dag: plain(dag["task_count"]),
        "edges": lambda dag: plain(dag["edge_count"]),
        "updated (UTC)": lambda dag: moment(dag["updated_at"]),
        "tags": lambda dag: labels(dag["tags"]),
    }
    return listing(page, columns, "No DAGs.", spare=("tags", "edges"))


def validation_details(found: JsonObject) -> RenderableType:
    """Show if a definition is valid, and the order in which its tasks can begin."""
    size = f"{_counted(found['task_count'], 'task')}, {_counted(found['edge_count'], 'edge')}"
    if not found["valid"]:
        return f"Not valid: {_counted(len(found['errors']), 'problem')} in {size}."
    levels = [plain(f"  {' '.join(level)}") for level in found["levels"]]
    return Group(f"Valid: {size}; tasks of a line can begin together.", *levels)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _edge(edge: Mapping[str, Any]) -> str:
    condition = edge["condition"]
    on = "" if condition == "on_success" else f" ({condition.replace('_', ' ')})"
    return f"{edge['source']}{on}"


def _runs(task: Mapping[str, Any]) -> str:
    if task["job_id"] is not None:
        return plain(f"job {task['job_id']}")
    # An older API says nothing of waits.
    if task.get("wait") is not None:
        return plain(f"waits: {task['wait']['kind']}")
    action = task["job"]["action"]
    return f"{plain(action['type'])} {target(action)}"


def _rule(rule: Mapping[str, Any]) -> str:
    return plain(rule["kind"] if rule["count"] is None else f"at least {rule['count']}")


def _fan_out(fan_out: Mapping[str, Any] | None) -> str:
    return plain(None if fan_out is None else fan_out["over"])
