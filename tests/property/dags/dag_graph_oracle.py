"""Facts about a graph of a few tasks, found out by trying everything.

It shares no code with ``timegate.domain.dags`` but the words of a definition.
"""

from collections.abc import Iterator
from itertools import product

from timegate.domain.dags.definition import Dag, EdgeCondition, TriggerKind
from timegate.domain.values.identity import TaskKey


def ways(dag: Dag) -> set[tuple[TaskKey, TaskKey]]:
    """From which task which other can be reached by one edge or more (Warshall)."""
    reach = {(edge.source, edge.target) for edge in dag.edges}
    keys = [task.key for task in dag.tasks]
    for over in keys:
        reach |= {
            (start, end)
            for start in keys
            for end in keys
            if (start, over) in reach and (over, end) in reach
        }
    return reach


def knots(dag: Dag) -> set[frozenset[TaskKey]]:
    """Tasks that wait for each other, each knot by itself."""
    reach = ways(dag)
    return {
        frozenset(
            other.key for other in dag.tasks if {(t.key, other.key), (other.key, t.key)} <= reach
        )
        for t in dag.tasks
        if (t.key, t.key) in reach
    }


def unreachable(dag: Dag) -> set[TaskKey]:
    """Tasks in no knot to which no task leads that waits for nothing."""
    reach = ways(dag)
    targets = {edge.target for edge in dag.edges}
    roots = {task.key for task in dag.tasks} - targets
    tied = {key for knot in knots(dag) for key in knot}
    return {key for key in targets - tied if not any((root, key) in reach for root in roots)}


def ever_run(dag: Dag) -> set[TaskKey]:
    """Tasks of a graph without cycles that run in some course of things."""
    return {key for ran in _courses(dag) for key in ran}


def _courses(dag: Dag) -> Iterator[set[TaskKey]]:
    """For every way in which each task might end if it ran: those that do run."""
    for ends in product([True, False], repeat=len(dag.tasks)):
        would_succeed = {task.key: end for task, end in zip(dag.tasks, ends, strict=True)}
        runs: dict[TaskKey, bool] = {}
        while len(runs) < len(dag.tasks):
            for task in dag.tasks:
                edges = [edge for edge in dag.edges if edge.target == task.key]
                if all(edge.source in runs for edge in edges):
                    kept = sum(
                        _holds(edge.source, edge.condition, runs, would_succeed) for edge in edges
                    )
                    runs[task.key] = (
                        kept
                        >= {
                            TriggerKind.ALL: len(edges),
                            TriggerKind.ANY: 1 if edges else 0,
                            TriggerKind.AT_LEAST: task.trigger_rule.count or 0,
                        }[task.trigger_rule.kind]
                    )
        yield {key for key, ran in runs.items() if ran}


def _holds(
    source: TaskKey,
    condition: EdgeCondition,
    runs: dict[TaskKey, bool],
    would_succeed: dict[TaskKey, bool],
) -> bool:
    if condition == "on_finished":
        return True
    return runs[source] and would_succeed[source] is (condition == "on_success")
