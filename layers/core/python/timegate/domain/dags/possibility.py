"""Tasks that can run, by the outcomes of others that their rules need.

A task needs an outcome of another if it cannot run without. If ``k`` of ``m`` edges must be
satisfied, each choice of ``k`` includes one that needs an outcome exactly if fewer than ``k`` do
without it. A task that needs another one to succeed and to fail never runs. Where all rules are
``all`` this finds every such task; with others it finds none that could run, and may overlook one
whose every choice fails for a reason of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from timegate.domain.dags.definition import EdgeCondition, Task
from timegate.domain.dags.edges import Graph
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass

#: A task, and whether it must succeed.
_Outcome = tuple[TaskKey, bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Impossible:
    """A task that never runs, as another one would have to succeed and to fail."""

    task: TaskKey
    torn: TaskKey


def impossible_tasks(tasks: Mapping[TaskKey, Task], graph: Graph) -> Iterator[Impossible]:
    """Tasks that can never run by themselves, in order; what never runs because of them is not one.

    The graph has no cycles. A rule that asks for more edges than there are is not looked at.
    """
    needs: dict[TaskKey, frozenset[_Outcome] | None] = {}
    for key in graph.ordered():
        edges = graph.incoming[key]
        found = [
            needed
            for edge in edges
            if (needed := _needed_by(edge.source, edge.condition, needs)) is not None
        ]
        wanted = tasks[key].trigger_rule.needed(len(edges))
        if len(found) < wanted:
            needs[key] = None
            continue
        with_it = Counter(outcome for needed in found for outcome in needed)
        own = frozenset(o for o, times in with_it.items() if len(found) - times < wanted)
        torn = next((k for k, succeeds in sorted(own) if succeeds and (k, False) in own), None)
        needs[key] = own if torn is None else None
        if torn is not None:
            yield Impossible(task=key, torn=torn)


def _needed_by(
    source: TaskKey,
    condition: EdgeCondition,
    needs: Mapping[TaskKey, frozenset[_Outcome] | None],
) -> frozenset[_Outcome] | None:
    """Return the outcomes that an edge needs; ``None``: it is never satisfied."""
    # Every task ends, be it that it is skipped.
    if condition is EdgeCondition.ON_FINISHED:
        return frozenset()
    before = needs[source]
    if before is None:
        return None
    return before | {(source, condition is EdgeCondition.ON_SUCCESS)}
