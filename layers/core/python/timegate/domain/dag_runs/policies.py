"""Failure policies: what the failure of a task means for its DAG run, and how that ends."""

from collections.abc import Collection, Mapping

from timegate.domain.dag_runs.progress import (
    FAILED_STATES,
    MAX_ROUNDS,
    DagRun,
    DagRunStatus,
    TaskReason,
    TaskState,
)
from timegate.domain.dags.definition import Dag, EdgeCondition, FailurePolicy
from timegate.domain.dags.edges import Graph
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class GoOn:
    """Nothing to decide."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stop:
    """Start nothing more, and cancel what is under way."""

    stops_as: DagRunStatus
    reason: TaskReason


@dataclass(frozen=True, kw_only=True, slots=True)
class TryAgain:
    """Put back what failed, and what waited for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Close:
    """Everything has ended."""

    status: DagRunStatus


Verdict = GoOn | Stop | TryAgain | Close


def fails_run(graph: Graph, key: TaskKey, state: TaskState) -> bool:
    """Tell if this end is a failure for which no other task is defined.

    An edge ``on_failure`` says what happens then; so the DAG run has not failed by it.
    """
    handled = any(
        edge.condition is EdgeCondition.ON_FAILURE for edge in graph.outgoing.get(key, ())
    )
    return state in FAILED_STATES and not handled


def judge_run(dag: Dag, run: DagRun) -> Verdict:
    """Decide the DAG run by the tasks that have ended so far."""
    if run.status not in {DagRunStatus.RUNNING, DagRunStatus.STOPPING}:
        return GoOn()
    all_ended = len(run.ended) == run.tasks
    if run.status is DagRunStatus.STOPPING:
        status = run.stops_as or DagRunStatus.FAILED
        return Close(status=status) if all_ended else GoOn()
    if run.failed - run.known and dag.failure_policy is FailurePolicy.FAIL_FAST and not all_ended:
        return Stop(stops_as=DagRunStatus.FAILED, reason=TaskReason.FAIL_FAST)
    if not all_ended:
        return GoOn()
    tried = run.round - run.opened_as - run.asked_rounds
    if run.failed and dag.failure_policy is FailurePolicy.RETRY and tried < dag.max_retries:
        return TryAgain() if run.round < MAX_ROUNDS else Close(status=DagRunStatus.FAILED)
    return Close(status=DagRunStatus.FAILED if run.failed else DagRunStatus.SUCCEEDED)


def to_repeat(graph: Graph, states: Mapping[TaskKey, TaskState]) -> frozenset[TaskKey]:
    """The tasks that another round runs: what failed, and what came to nothing because of it.

    A succeeded task stays as it is. So does a failure that another task dealt with.
    """
    seeds = {
        key
        for key, state in states.items()
        if state is TaskState.CANCELLED or fails_run(graph, key, state)
    }
    return branch(graph, states, seeds)


def branch(
    graph: Graph, states: Mapping[TaskKey, TaskState], seeds: Collection[TaskKey]
) -> frozenset[TaskKey]:
    """These tasks, and those behind them that have come to nothing, or not begun."""
    behind = graph.reached(seeds)
    stays = {TaskState.SUCCEEDED, TaskState.RUNNING}
    return frozenset(key for key in behind if key in seeds or states[key] not in stays)
