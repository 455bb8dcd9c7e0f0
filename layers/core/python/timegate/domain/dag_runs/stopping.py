"""Stopping after a failure: nothing new starts, except what the failure itself triggers.

An edge ``on_failure`` or ``on_finished`` triggers if its source failed, was cancelled, or was
skipped because of such a task. A triggered task runs to its end, and triggers its successors.
"""

from collections.abc import Collection, Mapping
from enum import Enum, auto

from timegate.domain.dag_runs.progress import ENDED_STATES, FAILED_STATES, TaskState
from timegate.domain.dag_runs.readiness import Readiness, readiness, satisfies
from timegate.domain.dags.definition import Edge, EdgeCondition, TriggerRule
from timegate.domain.dags.edges import Graph
from timegate.domain.values.identity import TaskKey

States = Mapping[TaskKey, TaskState]


class TaskFate(Enum):
    """Fates of a task whose DAG run stops for a failure."""

    #: It has ended.
    ENDED = auto()
    #: It was triggered: it starts, or runs to its end.
    GOES_ON = auto()
    #: A task before it must end first.
    WAITS = auto()
    #: Its rule cannot be met any more, whatever was cancelled.
    SKIPPED = auto()
    #: Nothing triggers it, or what was cancelled keeps its rule from being met.
    CANCELLED = auto()


class Stopping:
    """Judges the tasks of a DAG run, each after all that it waits for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._states: dict[TaskKey, TaskState] = {}
        #: Tasks whose successors are triggered by a failure.
        self._touched: set[TaskKey] = set()
        #: These may still be triggered.
        self._waiting: set[TaskKey] = set()

    def judge(self, key: TaskKey, rule: TriggerRule, state: TaskState) -> TaskFate:
        """Judge one task by what was noted of those before it."""
        if state in ENDED_STATES:
            return TaskFate.ENDED
        if state is TaskState.RUNNING:
            return TaskFate.GOES_ON if self._is_triggered(key) else TaskFate.CANCELLED
        met = self._readiness(key, rule)
        if met is Readiness.IMPOSSIBLE:
            certain = self._readiness(key, rule, but=TaskState.CANCELLED)
            return TaskFate.SKIPPED if certain is Readiness.IMPOSSIBLE else TaskFate.CANCELLED
        if met is Readiness.READY and self._is_triggered(key):
            return TaskFate.GOES_ON
        return TaskFate.WAITS if self._may_be_triggered(key) else TaskFate.CANCELLED

    def _readiness(
        self, key: TaskKey, rule: TriggerRule, *, but: TaskState | None = None
    ) -> Readiness:
        """Tell if the task's rule is met; ``but``: edges from tasks in this state count as
        undecided.
        """
        edges = self._graph.incoming[key]
        counted = ENDED_STATES - {but}
        decided = [edge for edge in edges if self._states[edge.source] in counted]
        satisfied = sum(map(self._holds, decided))
        unsatisfied = len(decided) - satisfied
        return readiness(rule, edges=len(edges), satisfied=satisfied, unsatisfied=unsatisfied)

    def note(self, key: TaskKey, state: TaskState) -> None:
        """Remember a task as it is now, for those behind it."""
        self._states[key] = state
        behind_failure = any(edge.source in self._touched for edge in self._graph.incoming[key])
        if (
            state in FAILED_STATES
            or (state is TaskState.SKIPPED and behind_failure)
            or (state is not TaskState.PENDING and self._is_triggered(key))
        ):
            self._touched.add(key)
        elif state is TaskState.PENDING:
            self._waiting.add(key)

    @property
    def triggered(self) -> Collection[TaskKey]:
        """The tasks under way that a failure triggered."""
        return {key for key in self._touched if self._states[key] is TaskState.RUNNING}

    def _holds(self, edge: Edge) -> bool:
        state = self._states[edge.source]
        return state in ENDED_STATES and satisfies(edge.condition, state)

    def _is_triggered(self, key: TaskKey) -> bool:
        edges = self._graph.incoming[key]
        return any(edge.source in self._touched and self._holds(edge) for edge in edges)

    def _may_be_triggered(self, key: TaskKey) -> bool:
        """Some edge is undecided, and one triggers it already or may do so."""
        edges = self._graph.incoming[key]
        undecided = [edge for edge in edges if self._states[edge.source] not in ENDED_STATES]
        hopeful = self._touched | self._waiting
        return bool(undecided) and (
            self._is_triggered(key)
            or any(
                edge.condition is not EdgeCondition.ON_SUCCESS or edge.source in hopeful
                for edge in undecided
            )
        )


def triggered_tasks(graph: Graph, states: States) -> Collection[TaskKey]:
    """The tasks under way that run to their end although their DAG run stops for a failure."""
    stopping = Stopping(graph)
    for key in graph.ordered():
        stopping.note(key, states[key])
    return stopping.triggered
