"""Advancing: the end of a task decides the edges that leave it, and what follows from that.

A task is counted as ended last, when everything that follows from its end is on record. So
whoever finds an end that is not counted makes all of it good, and does no harm twice.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag.policies import Close, GoOn, Stop, TryAgain, fails_run, judge_run
from timegate.domain.dag.progress import (
    DagRun,
    DagRunStatus,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag.readiness import Readiness, readiness, satisfies
from timegate.usecases.dag_runs.start_task import start_task
from timegate.usecases.dag_runs.works import LOOK_SOON, Course, DagWorks


def propagate(course: Course, ended: Sequence[TaskProgress], works: DagWorks) -> None:
    """Let what follows from these ends follow, then count them; raises ``Throttled``."""
    waiting = list(ended)
    counted: set[str] = set()
    while waiting:
        task = waiting.pop()
        if task.key in counted:
            continue
        counted.add(task.key)
        answer_task(task, works)
        if course.run.status is not DagRunStatus.STOPPING:
            waiting += _decide_edges(course, task, works)
        _count(course, task, works)
    follow_up(course.at(works.dag_runs.get(course.run.tenant, course.run.dag_run_id)), works)


def consider_all(course: Course, tasks: Sequence[TaskProgress], works: DagWorks) -> None:
    """Start or skip those tasks of whose edges enough are decided; raises ``Throttled``."""
    ended = [after for task in tasks for after in _consider(course, task, works)]
    if ended:
        propagate(course, ended, works)


def follow_up(course: Course, works: DagWorks) -> None:
    """Do what the DAG's policy asks for now; raises ``Throttled``."""
    run = course.run
    verdict = judge_run(course.dag, run)
    match verdict:
        case GoOn():
            return
        case Stop(stops_as=status, reason=reason):
            after = replace(run, status=DagRunStatus.STOPPING, stops_as=status, reason=reason)
        case TryAgain():
            after = replace(run, status=DagRunStatus.REOPENING, round=run.round + 1)
        case Close(status=status):
            after = replace(run, status=status, ended_at=works.clock.now(), watch_at=None)
    if run.is_awaited or verdict != Close(status=after.status):
        after = replace(after, watch_at=works.clock.now() + LOOK_SOON)
    # Whoever looks after it hears of it from the stream.
    done = works.dag_runs.change(run, replace(after, follow=True))
    works.telemetry.event(
        "dag_run_decided",
        tenant_id=run.tenant,
        dag_run_id=run.dag_run_id,
        verdict=type(verdict).__name__,
        status=after.status,
        round=after.round,
        done=done,
    )


def answer_task(task: TaskProgress, works: DagWorks) -> None:
    """Tell the execution that a task has ended, if it asked already."""
    output = {"key": task.key, "state": task.state, "round": task.round}
    for token in task.tokens:
        works.executions.answer(token, json.dumps(output))


def answer_run(run: DagRun, works: DagWorks) -> None:
    """Tell the execution that its DAG run has ended, if it asked already."""
    if not run.has_ended:
        return
    output = {"status": run.status, "dag_run_id": run.dag_run_id, "reason": run.reason}
    for token in run.tokens:
        works.executions.answer(token, json.dumps(output))


def _decide_edges(course: Course, task: TaskProgress, works: DagWorks) -> list[TaskProgress]:
    """Decide the edges that leave a task; the tasks that ended by that, without a run."""
    ended: list[TaskProgress] = []
    for edge in course.graph.outgoing[task.key]:
        holds = satisfies(edge.condition, task.state)
        source = course.places[task.key]
        target = works.dag_runs.decide(course.run, edge.target, source=source, holds=holds)
        if target is not None:
            ended += _consider(course, target, works)
    return ended


def _consider(course: Course, task: TaskProgress, works: DagWorks) -> list[TaskProgress]:
    """Start a task, or skip it, if that is decided; the task, if it has ended."""
    if task.has_ended:
        # Whoever ended it may have died before it followed that up.
        return [task] if course.places[task.key] not in course.run.ended else []
    if task.state is not TaskState.PENDING:
        return []
    match _readiness(course, task):
        case Readiness.UNDECIDED:
            return []
        case Readiness.READY:
            after = start_task(course, task, works)
        case Readiness.IMPOSSIBLE:
            skipped = replace(
                task,
                state=TaskState.SKIPPED,
                reason=TaskReason.UPSTREAM,
                ended_at=works.clock.now(),
            )
            after = works.dag_runs.change_task(task, skipped)
    return [after] if after is not None and after.has_ended else []


def _readiness(course: Course, task: TaskProgress) -> Readiness:
    return readiness(
        course.task(task.key).trigger_rule,
        edges=len(course.graph.incoming[task.key]),
        satisfied=len(task.satisfied),
        unsatisfied=len(task.unsatisfied),
    )


def _count(course: Course, task: TaskProgress, works: DagWorks) -> None:
    place = course.places[task.key]
    failed = fails_run(course.graph, task.key, task.state)
    works.dag_runs.record_end(course.run, [place], failed=failed)
    works.telemetry.event(
        "task_ended",
        tenant_id=task.tenant,
        dag_run_id=task.dag_run_id,
        task=task.key,
        state=task.state,
        reason=task.reason,
        round=task.round,
    )
    works.telemetry.count("TasksEnded")
