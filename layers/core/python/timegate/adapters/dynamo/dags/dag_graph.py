"""The graph of a DAG as one JSON text: it rides in the item, or lies in the blob store."""

import json

from timegate.adapters.dynamo.tables.codec import codec_of
from timegate.adapters.dynamo.tables.reading import listed, mapping
from timegate.domain.dags.definition import Dag, Edge, EdgeCondition, Task
from timegate.domain.values.identity import TaskKey

#: An edge, without the names of its fields: a graph has many.
_EDGE = tuple[TaskKey, TaskKey, EdgeCondition]


def graph_to_text(dag: Dag) -> str:
    """Tasks and edges in their order; the same graph always gives the same text."""
    write_task, _ = codec_of(Task)
    write_edge, _ = codec_of(_EDGE)
    graph = {
        "tasks": [write_task(task) for task in dag.tasks],
        "edges": [write_edge((each.source, each.target, each.condition)) for each in dag.edges],
    }
    return json.dumps(graph, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def graph_from_text(written: str) -> tuple[tuple[Task, ...], tuple[Edge, ...]]:
    """Read tasks and edges back; what is none of either raises what reading it raises."""
    graph = mapping(json.loads(written))
    _, read_task = codec_of(Task)
    _, read_edge = codec_of(_EDGE)
    edges = [read_edge(each) for each in listed(graph["edges"])]
    return (
        tuple(read_task(each) for each in listed(graph["tasks"])),
        tuple(Edge(source=source, target=target, condition=how) for source, target, how in edges),
    )
