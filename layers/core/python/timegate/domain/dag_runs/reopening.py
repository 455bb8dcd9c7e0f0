"""Another round of a DAG run: which tasks are put back, and as what."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Self

from timegate.domain.dag_runs.progress import (
    MAX_ROUNDS,
    DagRun,
    DagRunStatus,
    InterventionKind,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.readiness import satisfies
from timegate.domain.dag_runs.run_errors import TooManyRounds
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.edges import Graph
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True)
class IndexedDag:
    """A definition, its graph, and the places of its tasks: so they are named in sets."""

    dag: Dag
    graph: Graph
    places: Mapping[TaskKey, int]

    @classmethod
    def of(cls, dag: Dag) -> Self:
        """The layout of a definition."""
        return cls(
            dag=dag,
            graph=Graph.of(dag.tasks, dag.edges),
            places={task.key: place for place, task in enumerate(dag.tasks)},
        )

    def placed(self, keys: Collection[TaskKey]) -> frozenset[int]:
        """The places of tasks."""
        return frozenset(self.places[key] for key in keys)


def another_round(run: DagRun, back: frozenset[int]) -> DagRun:
    """The DAG run while these tasks are put back; its execution stays the same."""
    return replace(
        run,
        status=DagRunStatus.REOPENING,
        round=run.round + 1,
        repeats=back,
        known=run.known - back,
    )


def asked_round(run: DagRun, dag: Dag, back: frozenset[int], *, now: datetime) -> DagRun:
    """Open another round that an operator asks for, of a DAG run that works or has ended.

    Failures that stay as they are stop nothing again. Raises ``TooManyRounds``.
    """
    if run.round >= MAX_ROUNDS:
        raise TooManyRounds(run.dag_run_id, MAX_ROUNDS)
    again = another_round(run, back)
    if not run.has_ended:
        return replace(again, asked_rounds=run.asked_rounds + 1)
    return replace(
        again,
        opened_as=again.round,
        asked_rounds=0,
        known=run.failed - back,
        stops_as=None,
        reason=None,
        ended_at=None,
        deadline_at=now + timedelta(seconds=dag.timeout_seconds),
    )


def stands(run: DagRun, place: int, task: TaskProgress) -> bool:
    """Tell if a task's outcome counts: it is not about to be put back."""
    is_leaving = run.status is DagRunStatus.REOPENING and place in run.repeats
    return not is_leaving or task.round >= run.round


def put_back(
    layout: IndexedDag, run: DagRun, tasks: Mapping[TaskKey, TaskProgress], key: TaskKey
) -> TaskProgress:
    """A task as it was before anything behind it began; what stays before it is decided.

    Tokens stay where the execution does: it goes on waiting for an end. So does what is known of a
    request to run it again, which may come a second time.
    """
    before, last = tasks[key], tasks[key].intervention
    decided = {
        layout.places[edge.source]: satisfies(edge.condition, source.state)
        for edge in layout.graph.incoming[key]
        if (source := tasks[edge.source]).has_ended
        and stands(run, layout.places[edge.source], source)
    }
    return TaskProgress(
        tenant=before.tenant,
        dag_run_id=before.dag_run_id,
        key=key,
        state=TaskState.PENDING,
        round=run.round,
        satisfied=frozenset(place for place, holds in decided.items() if holds),
        unsatisfied=frozenset(place for place, holds in decided.items() if not holds),
        job_version=before.job_version,
        tokens=before.tokens if run.opened_as < run.round else (),
        intervention=last if last is not None and last.kind is InterventionKind.RERUN else None,
    )
