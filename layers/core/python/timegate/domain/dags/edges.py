"""The graph of a definition: who waits for whom. Pure, and linear in tasks and edges."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from timegate.domain.dags.definition import Edge, Task
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Graph:
    """Edges by their ends. Keys come in the order of the tasks, edges in their own."""

    incoming: Mapping[TaskKey, tuple[Edge, ...]]
    outgoing: Mapping[TaskKey, tuple[Edge, ...]]

    @classmethod
    def of(cls, tasks: Sequence[Task], edges: Iterable[Edge]) -> Self:
        """The graph of tasks and edges; what is no edge between two of the tasks is left out."""
        incoming: dict[TaskKey, list[Edge]] = {task.key: [] for task in tasks}
        outgoing: dict[TaskKey, list[Edge]] = {task.key: [] for task in tasks}
        for edge in edges:
            if edge.source in outgoing and edge.target in incoming:
                outgoing[edge.source].append(edge)
                incoming[edge.target].append(edge)
        return cls(
            incoming={key: tuple(own) for key, own in incoming.items()},
            outgoing={key: tuple(own) for key, own in outgoing.items()},
        )

    @property
    def roots(self) -> tuple[TaskKey, ...]:
        """Tasks that wait for nothing."""
        return tuple(key for key, own in self.incoming.items() if not own)

    def ordered(self) -> tuple[TaskKey, ...]:
        """Every task after all it waits for; those on or behind a cycle are missing."""
        waits_for = {key: len(own) for key, own in self.incoming.items()}
        order = list(self.roots)
        for key in order:
            for edge in self.outgoing[key]:
                waits_for[edge.target] -= 1
                if not waits_for[edge.target]:
                    order.append(edge.target)
        return tuple(order)

    def levels(self) -> tuple[tuple[TaskKey, ...], ...]:
        """Tasks by the longest way to them: those of a level wait for no other of it."""
        depth: dict[TaskKey, int] = {}
        for key in self.ordered():
            depth[key] = max((depth[edge.source] + 1 for edge in self.incoming[key]), default=0)
        found: list[list[TaskKey]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
        for key in self.incoming:
            if key in depth:
                found[depth[key]].append(key)
        return tuple(map(tuple, found))

    def ancestors(self) -> Mapping[TaskKey, frozenset[TaskKey]]:
        """Map each task of ``ordered`` to all tasks that end before it begins."""
        found: dict[TaskKey, frozenset[TaskKey]] = {}
        for key in self.ordered():
            direct = [edge.source for edge in self.incoming[key]]
            found[key] = frozenset(direct).union(*(found[source] for source in direct))
        return found

    def reached(self, start: Iterable[TaskKey]) -> frozenset[TaskKey]:
        """Return these tasks and all that wait for one of them, directly or not."""
        waiting = list(start)
        seen = set(waiting)
        while waiting:
            for edge in self.outgoing[waiting.pop()]:
                if edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return frozenset(seen)
