"""The graph of a DAG as one JSON text: it rides in the item, or lies in the blob store."""

import json
from collections.abc import Mapping

from timegate.adapters.dynamo.jobs.action_items import action_from_fields, action_to_fields
from timegate.adapters.dynamo.jobs.delivery_items import delivery_from_field, delivery_to_field
from timegate.adapters.dynamo.jobs.retry_items import retry_from_fields, retry_to_fields
from timegate.adapters.dynamo.jobs.slice_items import long_run_from_field, long_run_to_field
from timegate.adapters.dynamo.recurrence.schedule_items import (
    listed,
    mapping,
    number,
    optional_number,
    optional_text,
    overlap_from_fields,
    overlap_to_fields,
    real,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dags.definition import (
    Dag,
    Edge,
    EdgeCondition,
    FanOut,
    InlineTask,
    JobTask,
    Join,
    JoinKind,
    Task,
    TaskKey,
    TaskSpec,
    TriggerKind,
    TriggerRule,
)
from timegate.domain.jobs.definition import Priority, ResourceClass
from timegate.domain.values.identity import JobId

Fields = Mapping[str, Plain]


def graph_to_text(dag: Dag) -> str:
    """Tasks and edges in their order; the same graph always gives the same text."""
    graph = {
        "tasks": [_kept(_task_to_fields(task)) for task in dag.tasks],
        "edges": [[edge.source, edge.target, edge.condition] for edge in dag.edges],
    }
    return json.dumps(graph, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def graph_from_text(written: str) -> tuple[tuple[Task, ...], tuple[Edge, ...]]:
    """Read tasks and edges back; what is none of either raises what reading it raises."""
    graph = mapping(json.loads(written))
    tasks = tuple(_task_from_fields(mapping(each)) for each in listed(graph["tasks"]))
    return tasks, tuple(_edge(each) for each in listed(graph["edges"]))


def _kept(fields: Mapping[str, Plain]) -> dict[str, Plain]:
    return {name: value for name, value in fields.items() if value is not None and value != {}}


def _task_to_fields(task: Task) -> dict[str, Plain]:
    rule = task.trigger_rule
    return {
        "key": task.key,
        "name": task.name or None,
        **_spec_to_fields(task.spec),
        "trigger": rule.kind if rule.kind is not TriggerKind.ALL else None,
        "trigger_count": rule.count,
        "fan_out": _fan_out_to_fields(task.fan_out) if task.fan_out is not None else None,
        "input": task.input,
        "priority": task.priority,
    }


def _spec_to_fields(spec: TaskSpec) -> dict[str, Plain]:
    match spec:
        case JobTask():
            return {"job_id": spec.job_id}
        case InlineTask():
            inline: dict[str, Plain] = {
                "action": action_to_fields(spec.action),
                "payload": spec.payload,
                "timeout_seconds": spec.timeout_seconds,
                "resource_class": spec.resource_class,
                "retry": retry_to_fields(spec.retry),
                "delivery": delivery_to_field(spec.delivery),
                "long_run": long_run_to_field(spec.long_run),
                "overlap": overlap_to_fields(spec.overlap),
            }
            return {"job": _kept(inline)}


def _fan_out_to_fields(fan_out: FanOut) -> dict[str, Plain]:
    join = fan_out.join
    return _kept(
        {
            "over": fan_out.over,
            "join": join.kind,
            "count": join.count,
            "share": join.share,
            "max_width": fan_out.max_width,
        }
    )


def _task_from_fields(fields: Fields) -> Task:
    fan_out, priority = fields.get("fan_out"), fields.get("priority")
    return Task(
        key=TaskKey(text(fields["key"])),
        name=text(fields.get("name", "")),
        spec=_spec_from_fields(fields),
        trigger_rule=TriggerRule(
            kind=TriggerKind(text(fields.get("trigger", TriggerKind.ALL))),
            count=optional_number(fields.get("trigger_count")),
        ),
        fan_out=_fan_out_from_fields(mapping(fan_out)) if fan_out is not None else None,
        input=optional_text(fields.get("input")),
        priority=Priority(text(priority)) if priority is not None else None,
    )


def _spec_from_fields(fields: Fields) -> TaskSpec:
    if "job_id" in fields:
        return JobTask(job_id=JobId(text(fields["job_id"])))
    inline = mapping(fields["job"])
    return InlineTask(
        action=action_from_fields(mapping(inline["action"])),
        payload=optional_text(inline.get("payload")),
        timeout_seconds=number(inline["timeout_seconds"]),
        resource_class=ResourceClass(text(inline["resource_class"])),
        retry=retry_from_fields(mapping(inline["retry"])),
        delivery=delivery_from_field(inline.get("delivery")),
        long_run=long_run_from_field(inline.get("long_run")),
        overlap=overlap_from_fields(mapping(inline.get("overlap"))),
    )


def _fan_out_from_fields(fields: Fields) -> FanOut:
    share = fields.get("share")
    return FanOut(
        over=text(fields["over"]),
        join=Join(
            kind=JoinKind(text(fields["join"])),
            count=optional_number(fields.get("count")),
            share=real(share) if share is not None else None,
        ),
        max_width=number(fields["max_width"]),
    )


def _edge(value: Plain) -> Edge:
    source, target, condition = listed(value)
    return Edge(
        source=TaskKey(text(source)),
        target=TaskKey(text(target)),
        condition=EdgeCondition(text(condition)),
    )
