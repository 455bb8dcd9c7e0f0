"""Rules of a DAG's graph: its tasks exist, are in an order, and occur once each."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from timegate.domain.dags.definition import Dag, Edge, Task
from timegate.domain.dags.edges import Graph
from timegate.domain.dags.limits import MAX_EDGES, MAX_TASKS
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TASK_KEY, TaskKey


def count_problems(dag: Dag) -> Iterator[InvalidInput]:
    """Too few or too many tasks, too many edges."""
    if not dag.tasks:
        yield InvalidInput("tasks", "too_short", "A DAG has at least one task.")
    if len(dag.tasks) > MAX_TASKS:
        detail = f"A DAG has at most {MAX_TASKS} tasks; these are {len(dag.tasks)}."
        yield InvalidInput("tasks", "too_many_tasks", detail)
    if len(dag.edges) > MAX_EDGES:
        detail = f"A DAG has at most {MAX_EDGES} edges; these are {len(dag.edges)}."
        yield InvalidInput("edges", "too_many_edges", detail)


def key_problems(tasks: Sequence[Task]) -> Iterator[InvalidInput]:
    """Keys that cannot be ones, and keys of two tasks."""
    seen: set[TaskKey] = set()
    for number, task in enumerate(tasks):
        field = f"tasks.{number}.key"
        if not TASK_KEY.fullmatch(task.key):
            detail = "A key has 1 to 40 of a to z, digits, dashes and _; it begins with a letter."
            yield InvalidInput(field, "invalid_format", detail)
        elif task.key in seen:
            yield InvalidInput(field, "duplicate_key", f"Another task is called {task.key}.")
        seen.add(task.key)


def edge_problems(dag: Dag) -> Iterator[InvalidInput]:
    """Edges to nowhere, from a task to itself, and between two tasks that have one."""
    keys = {task.key for task in dag.tasks}
    seen: set[tuple[TaskKey, TaskKey]] = set()
    for number, edge in enumerate(dag.edges):
        field = f"edges.{number}"
        for end, key in (("source", edge.source), ("target", edge.target)):
            if key not in keys:
                yield unknown_task(f"{field}.{end}", key, keys)
        if edge.source == edge.target:
            detail = f"The task {edge.source} would wait for itself."
            yield InvalidInput(field, "self_edge", detail)
        if (edge.source, edge.target) in seen:
            detail = f"There is another edge {edge.source} → {edge.target}; one condition decides."
            yield InvalidInput(field, "duplicate_edge", detail)
        seen.add((edge.source, edge.target))


def unknown_task(field: str, key: str, keys: set[TaskKey]) -> InvalidInput:
    """A task that is not there, and the one that was probably meant."""
    close = get_close_matches(key, sorted(keys), n=1)
    guess = f" Did you mean {close[0]}?" if close else ""
    return InvalidInput(field, "unknown_task", f"There is no task {key[:100]}.{guess}")


def order_problems(dag: Dag) -> Iterator[InvalidInput]:
    """A shortest cycle of each knot of tasks that wait for each other, and what is behind them."""
    own = [edge for edge in dag.edges if edge.source != edge.target]
    graph = Graph.of(dag.tasks, own)
    ordered = set(graph.ordered())
    stuck = [key for key in graph.incoming if key not in ordered]
    if not stuck:
        return
    backwards = Graph.of(dag.tasks, [Edge(source=e.target, target=e.source) for e in own])
    knotted: set[TaskKey] = set()
    for key in stuck:
        if key in knotted:
            continue
        cycle = _shortest_cycle(graph, key)
        if cycle:
            knotted |= graph.reached([key]) & backwards.reached([key])
            detail = f"These tasks wait for each other: {' → '.join(cycle)}."
            yield InvalidInput("edges", "cycle", detail)
    yield from _unreachable(dag, graph, knotted)


def _shortest_cycle(graph: Graph, start: TaskKey) -> list[TaskKey]:
    """From a task back to it, by the fewest edges; empty where there is no way back.

    No edge of the graph leads from a task to itself.
    """
    came_from: dict[TaskKey, TaskKey] = {}
    waiting = [start]
    for key in waiting:
        for edge in graph.outgoing[key]:
            if edge.target == start:
                way = [start, key]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if edge.target not in came_from:
                came_from[edge.target] = key
                waiting.append(edge.target)
    return []


def _unreachable(dag: Dag, graph: Graph, knotted: set[TaskKey]) -> Iterator[InvalidInput]:
    seen = graph.reached(graph.roots) | knotted
    for number, task in enumerate(dag.tasks):
        if task.key in seen:
            continue
        seen |= {task.key}
        detail = f"No task that waits for nothing leads to {task.key}: it would never run."
        yield InvalidInput(f"tasks.{number}.key", "unreachable_task", detail)
