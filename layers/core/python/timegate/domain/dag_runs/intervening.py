"""Interventions of operators: a task is completed, skipped, or run again."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from timegate.domain.dag_runs.policies import branch
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    Intervention,
    InterventionKind,
    Members,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.reopening import IndexedDag, asked_round, put_back
from timegate.domain.dag_runs.run_errors import DagRunIsBusy, TaskHasEnded, TaskNotStarted
from timegate.domain.dag_runs.waiting import decided, signalled
from timegate.domain.dags.definition import Task
from timegate.domain.runs.run_result import StoredResult
from timegate.domain.values.errors import IdempotencyConflict
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


class RerunScope(StrEnum):
    """Tasks that run again together with a task."""

    #: The task, and what came to nothing behind it, or has not begun.
    TASK = "task"
    #: The task and everything behind it.
    BRANCH = "branch"


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskIntervention:
    """An operator's intervention in a task."""

    key: TaskKey
    intervention: Intervention
    scope: RerunScope = RerunScope.BRANCH
    #: With these members of a fan-out, or with those that have failed; ``None``: with the task.
    members: frozenset[int] | Literal["failed"] | None = None
    #: Result of a completed one, kept like a run's.
    result: str | None = None
    stored_result: StoredResult | None = None

    @property
    def kind(self) -> InterventionKind:
        """The kind of intervention."""
        return self.intervention.kind


@dataclass(frozen=True, kw_only=True, slots=True)
class InterventionRecords:
    """Records of an intervention, stored all at once."""

    run: DagRun
    task: TaskProgress
    #: Tasks whose ends no longer count.
    uncounted: frozenset[int] = frozenset()


#: Reasons that stop a DAG run; tasks cancelled for it go on when an operator has the run go on.
_STOPPED = frozenset(
    {
        TaskReason.FAIL_FAST,
        TaskReason.DAG_CANCELLED,
        TaskReason.DAG_TIMED_OUT,
        TaskReason.EXECUTION_FAILED,
    }
)


#: Reasons of ends that people give.
_DECIDED = frozenset(
    {TaskReason.FORCED, TaskReason.APPROVED, TaskReason.REJECTED, TaskReason.SIGNALLED}
)


#: Interventions that end a waiting task in the way in which it was to end.
_ENDS_WAIT = frozenset({InterventionKind.APPROVE, InterventionKind.REJECT, InterventionKind.SIGNAL})


def is_replay(task: TaskProgress, wanted: TaskIntervention) -> bool:
    """Tell if this was done before; raises ``IdempotencyConflict``: its key was, for another."""
    last, own = task.intervention, wanted.intervention
    if last is None or last.kind is not own.kind:
        return False
    if own.key is not None and last.key == own.key:
        if last.fingerprint != own.fingerprint:
            raise IdempotencyConflict
        return True
    if last.fingerprint != own.fingerprint:
        return False
    if wanted.members is None:
        return task.reason in _DECIDED
    # Each change of an intervention with members is an intervention, and the latest then.
    return wanted.kind is not InterventionKind.RERUN and not _has_more(task, wanted)


def _has_more(task: TaskProgress, wanted: TaskIntervention) -> bool:
    """Tell if members have failed since the last intervention."""
    members = task.members
    return wanted.members == "failed" and members is not None and bool(failed_members(members))


def failed_members(members: Members) -> frozenset[int]:
    """Return the members that have failed and count."""
    return members.failed - members.skipped


def effect_of(
    layout: IndexedDag,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    wanted: TaskIntervention,
    *,
    now: datetime,
) -> InterventionRecords:
    """Return the effect of an intervention on a DAG run and its tasks, as they are.

    Raises ``DagRunIsBusy``, ``TaskHasEnded``, ``TaskNotStarted``, ``TooManyRounds``, and of a wait
    as ``decided`` and ``signalled``.
    """
    task, defined = tasks[wanted.key], layout.dag.tasks[layout.places[wanted.key]]
    if run.status in {DagRunStatus.OPENING, DagRunStatus.REOPENING}:
        raise DagRunIsBusy(run.dag_run_id, run.status)
    if wanted.kind in _ENDS_WAIT:
        if run.stops_all:
            raise DagRunIsBusy(run.dag_run_id, run.status)
        return InterventionRecords(run=run, task=_ended_wait(task, defined, wanted, now=now))
    if wanted.kind is InterventionKind.RERUN:
        return _rerun(layout, run, tasks, wanted, now=now)
    refused = {TaskState.SUCCEEDED}
    if wanted.kind is InterventionKind.SKIP:
        refused |= {TaskState.SKIPPED}
    if task.state in refused:
        raise TaskHasEnded(task.key, task.state)
    if not task.has_ended:
        return InterventionRecords(run=run, task=_forced(task, wanted, now=now))
    return _overruled(layout, run, tasks, wanted, now=now)


def _ended_wait(
    task: TaskProgress, defined: Task, wanted: TaskIntervention, *, now: datetime
) -> TaskProgress:
    """A wait that an operator ends in the way in which it was to end."""
    if wanted.kind is not InterventionKind.SIGNAL:
        return decided(task, defined, wanted.intervention, now=now)
    ended = signalled(task, defined, wanted.intervention, now=now)
    return replace(ended, result=wanted.result, stored_result=wanted.stored_result)


def _forced(task: TaskProgress, wanted: TaskIntervention, *, now: datetime) -> TaskProgress:
    """The end that an operator gives a task without one; a late end of its run changes nothing."""
    completed = wanted.kind is InterventionKind.COMPLETE
    return replace(
        task,
        state=TaskState.SUCCEEDED if completed else TaskState.SKIPPED,
        reason=TaskReason.FORCED,
        ended_at=now,
        error=None,
        result=wanted.result,
        stored_result=wanted.stored_result,
        intervention=wanted.intervention,
    )


def _overruled(
    layout: IndexedDag,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    wanted: TaskIntervention,
    *,
    now: datetime,
) -> InterventionRecords:
    """Another end for a task that had one: what came to nothing because of that is put back."""
    refuse_stopping(run)
    behind = came_to_nothing(layout, run, tasks, wanted.key)
    again = asked_round(run, layout.dag, layout.placed(behind), now=now)
    back = put_back(layout, again, tasks, wanted.key)
    return taken_out(layout, again, _forced(back, wanted, now=now))


def refuse_stopping(run: DagRun) -> None:
    """No round begins while a DAG run is being stopped; raises ``DagRunIsBusy``."""
    if run.status is DagRunStatus.STOPPING:
        raise DagRunIsBusy(run.dag_run_id, run.status)


def came_to_nothing(
    layout: IndexedDag, run: DagRun, tasks: Mapping[TaskKey, TaskProgress], key: TaskKey
) -> frozenset[TaskKey]:
    """Return the tasks to put back once the end of a task is decided otherwise, without the
    task.
    """
    states = {key: task.state for key, task in tasks.items()}
    stopped = {
        key
        for key, task in tasks.items()
        if run.has_ended and task.state is TaskState.CANCELLED and task.reason in _STOPPED
    }
    return branch(layout.graph, states, {key, *stopped}) - {key}


def _rerun(
    layout: IndexedDag,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    wanted: TaskIntervention,
    *,
    now: datetime,
) -> InterventionRecords:
    refuse_stopping(run)
    if tasks[wanted.key].state is TaskState.PENDING:
        raise TaskNotStarted(wanted.key)
    behind = run_again_with(layout, tasks, wanted)
    again = asked_round(run, layout.dag, layout.placed(behind), now=now)
    back = put_back(layout, again, tasks, wanted.key)
    return taken_out(layout, again, replace(back, intervention=wanted.intervention))


def run_again_with(
    layout: IndexedDag, tasks: Mapping[TaskKey, TaskProgress], wanted: TaskIntervention
) -> frozenset[TaskKey]:
    """Return the tasks to put back with a task that runs again, without the task."""
    match wanted.scope:
        case RerunScope.TASK:
            states = {key: task.state for key, task in tasks.items()}
            behind = branch(layout.graph, states, {wanted.key})
        case RerunScope.BRANCH:
            behind = layout.graph.reached({wanted.key})
    return behind - {wanted.key}


def taken_out(layout: IndexedDag, run: DagRun, task: TaskProgress) -> InterventionRecords:
    """The task itself is put back, or ended anew, by the same write that begins the round."""
    uncounted = run.repeats | {layout.places[task.key]}
    return InterventionRecords(
        run=replace(run, known=run.known - uncounted), task=task, uncounted=uncounted
    )
