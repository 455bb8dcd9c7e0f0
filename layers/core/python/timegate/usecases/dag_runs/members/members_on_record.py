"""Members of a fan-out as their runs say, and the runs of those that an operator completes."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.intervening import TaskIntervention
from timegate.domain.dag_runs.progress import DagRun, InterventionKind, TaskProgress
from timegate.domain.dag_runs.run_errors import MembersIncomplete
from timegate.domain.dag_runs.run_identity import TaskRunMark, task_run_mark
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import watched_end
from timegate.domain.values.identity import AttemptId
from timegate.ports.dag_runs import DagRunStore
from timegate.usecases.dag_runs.tasks.cancel_task_run import latest_runs


def as_their_runs_say(
    run: DagRun, task: TaskProgress, store: DagRunStore
) -> tuple[TaskProgress, Mapping[int, Attempt]]:
    """The task with all ends of its members, and a run of each.

    A fan-out counts no more once it is decided: the first failure may be, and others follow.
    Raises ``MembersIncomplete`` where what members were given, or have answered, was forgotten.
    """
    members = task.members
    if members is None or not members.is_complete:
        return task, {}
    runs = latest_runs(store.attempts(run, key=task.key))
    ends: dict[bool, set[int]] = {True: set(), False: set()}
    for index, attempt in runs.items():
        mark = task_run_mark(attempt.id.run)
        if mark is not None and task.is_run_by(mark) and attempt.ends_run:
            ends[attempt.state is RunState.SUCCEEDED].add(index)
    if len(runs) < members.width:
        raise MembersIncomplete(task.key)
    heard = replace(
        members, succeeded=members.succeeded | ends[True], failed=members.failed | ends[False]
    )
    return replace(task, members=heard), runs


def completed_runs(
    run: DagRun,
    task: TaskProgress,
    wanted: TaskIntervention,
    runs: Mapping[int, Attempt],
    *,
    now: datetime,
) -> list[Attempt]:
    """Runs that an operator ended, of the members that the task, as it will be, has own.

    They are given what the members were given before.
    """
    if wanted.kind is not InterventionKind.COMPLETE or wanted.members is None:
        return []
    own = sorted(task.members.own) if task.members is not None else []
    return [_completed(run, task, index, runs[index], wanted, now=now) for index in own]


def _completed(
    run: DagRun,
    task: TaskProgress,
    index: int,
    before: Attempt,
    wanted: TaskIntervention,
    *,
    now: datetime,
) -> Attempt:
    mark = TaskRunMark(dag_run_id=run.dag_run_id, key=task.key, round=task.round, index=index)
    done = wanted.intervention
    completed = Attempt(
        tenant=run.tenant,
        id=AttemptId(run=mark.run_id(run.scheduled_at), number=1),
        state=RunState.SUCCEEDED,
        job_version=before.job_version,
        priority=before.priority,
        resource_class=before.resource_class,
        precision=before.precision,
        due_at=now,
        created_at=now,
        watch_at=None,
        opened_at=now,
        ended_at=now,
        payload=before.payload,
        trace=before.trace,
        result=wanted.result,
        stored_result=wanted.stored_result,
        explanation=f"completed by {done.by}" + (f": {done.note}" if done.note else ""),
    )
    return watched_end(completed)
