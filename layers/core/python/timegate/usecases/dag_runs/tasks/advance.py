"""Advancing: the end of a task decides the edges that leave it, and what follows from that.

A task is counted as ended last, when everything that follows from its end is on record. So
a process that finds an end that is not counted completes it, and does no harm twice.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.policies import (
    Close,
    GoOn,
    Stop,
    TryAgain,
    fails_run,
    judge_run,
    to_repeat,
)
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.readiness import Readiness, readiness, satisfies
from timegate.domain.dag_runs.reopening import another_round
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, Course, DagWorks
from timegate.usecases.dag_runs.tasks.cancel_task_run import cancel_task_runs
from timegate.usecases.dag_runs.tasks.skip_task import skip_upstream
from timegate.usecases.dag_runs.tasks.start_task import start_task
from timegate.usecases.dag_runs.tasks.turns import in_turn, look_on

_ENDS = {
    DagRunStatus.SUCCEEDED: service_metrics.DAG_RUNS_SUCCEEDED,
    DagRunStatus.FAILED: service_metrics.DAG_RUNS_FAILED,
    DagRunStatus.TIMED_OUT: service_metrics.DAG_RUNS_FAILED,
    DagRunStatus.CANCELLED: service_metrics.DAG_RUNS_CANCELLED,
}
#: Others count ends meanwhile.
_TRIES = 3


def propagate(course: Course, ended: Sequence[TaskProgress], works: DagWorks) -> None:
    """Let what follows from these ends follow, then count them; raises ``Throttled``."""
    waiting = list(ended)
    seen: set[TaskKey] = set()
    refused: list[TaskKey] = []
    counted: DagRun | None = None
    while waiting:
        task = waiting.pop()
        if task.key in seen or not course.stands(task):
            continue
        seen.add(task.key)
        # Successors start before the execution is told: nothing waits for that.
        if goes_on(course, task):
            waiting += decide_edges(course, task, works)
        answer_task(task, works)
        counted = count_end(course, task, works)
        if counted is None:
            refused.append(task.key)
    run = counted
    if run is None or refused:
        run = works.dag_runs.get(course.run.tenant, course.run.dag_run_id)
    if refused and run.round != course.run.round:
        # Another round began meanwhile: what it leaves as it is is followed up in that one.
        tasks = works.dag_runs.some_tasks(run.tenant, run.dag_run_id, refused)
        propagate(course.at(run), [task for task in tasks if task.has_ended], works)
        return
    follow_up(course.at(run), works)


def goes_on(course: Course, task: TaskProgress) -> bool:
    """Tell if the tasks after this end start at once.

    After a failure that stops the DAG run, ``wind_down`` decides what starts.
    """
    run, place = course.run, course.places[task.key]
    if run.status is DagRunStatus.STOPPING:
        return False
    fails = fails_run(course.graph, task.key, task.state) and place not in run.known
    counted = replace(run, failed=run.failed | {place}) if fails else run
    return not isinstance(judge_run(course.dag, counted), Stop)


def consider_all(course: Course, tasks: Sequence[TaskProgress], works: DagWorks) -> None:
    """Start or skip those tasks of whose edges enough are decided; raises ``Throttled``."""
    ended = _consider_each(course, tasks, works)
    if ended:
        propagate(course, ended, works)


def follow_up(course: Course, works: DagWorks) -> None:
    """Do what the DAG's policy asks for now; raises ``Throttled``."""
    run, back = course.run, frozenset[int]()
    verdict = judge_run(course.dag, run)
    match verdict:
        case GoOn():
            if run.winds_down:
                _look_again(run, works)
            return
        case Stop(stops_as=status, reason=reason):
            after = replace(run, status=DagRunStatus.STOPPING, stops_as=status, reason=reason)
        case TryAgain():
            back = _to_repeat(course, works)
            after = another_round(run, back)
        case Close(status=status):
            after = replace(run, status=status, ended_at=works.clock.now())
    # The stream shows it to outcomes, and the sweeper does until what follows is done.
    after = replace(after, watch_at=works.clock.now() + LOOK_SOON, follow=True)
    done = works.dag_runs.change(run, after, uncounted=back)
    if done and after.ended_at is not None:
        _measure_end(after, after.ended_at, works)
    works.telemetry.event(
        service_events.DAG_RUN_DECIDED,
        **of_dag_run(run),
        verdict=type(verdict).__name__,
        status=after.status,
        round=after.round,
        done=done,
    )


def _measure_end(ended: DagRun, at: datetime, works: DagWorks) -> None:
    """Count a DAG run by its end: by the write that ended it, unless its answer was lost."""
    works.telemetry.count(_ENDS[ended.status])
    lasted = milliseconds_between(ended.created_at, at)
    works.telemetry.measure(service_metrics.DAG_RUN_MS, lasted)


def _look_again(run: DagRun, works: DagWorks) -> None:
    """Have a DAG run that winds down looked at: an end may decide what waits.

    Should it change all the time, the sweeper has it looked at.
    """
    for _ in range(_TRIES):
        watch_at = works.clock.now() + LOOK_SOON
        if works.dag_runs.change(run, replace(run, follow=True, watch_at=watch_at)):
            return
        run = works.dag_runs.get(run.tenant, run.dag_run_id)
        if not run.winds_down:
            return


def _to_repeat(course: Course, works: DagWorks) -> frozenset[int]:
    tasks = works.dag_runs.tasks(course.run.tenant, course.run.dag_run_id)
    return course.layout.placed(to_repeat(course.graph, {task.key: task.state for task in tasks}))


def answer_task(task: TaskProgress, works: DagWorks) -> None:
    """Tell the execution that a task has ended, if it asked already."""
    output = {"key": task.key, "state": task.state, "round": task.round}
    for token in task.tokens:
        works.executions.answer(token, json.dumps(output))


def answer_run(run: DagRun, works: DagWorks) -> None:
    """End the execution as its DAG run has ended, if it asked already."""
    if not run.has_ended:
        return
    told = {"status": run.status, "dag_run_id": run.dag_run_id, "reason": run.reason}
    succeeded = run.status is DagRunStatus.SUCCEEDED
    tell = works.executions.answer if succeeded else works.executions.fail
    for token in run.tokens:
        tell(token, json.dumps(told))


def decide_edges(course: Course, task: TaskProgress, works: DagWorks) -> list[TaskProgress]:
    """Decide the edges that leave a task; the tasks that ended by that, without a run."""
    targets: list[TaskProgress] = []
    for edge in course.graph.outgoing[task.key]:
        holds = satisfies(edge.condition, task.state)
        source = course.places[task.key]
        target = works.dag_runs.decide(course.run, edge.target, source=source, holds=holds)
        if target is not None:
            targets.append(target)
    return _consider_each(course, targets, works)


def _consider_each(
    course: Course, tasks: Sequence[TaskProgress], works: DagWorks
) -> list[TaskProgress]:
    """Start or skip tasks while there is time, and leave the others to the next look."""
    decided = [task for task in tasks if task.has_ended or _is_decided(course, task)]
    ended = [after for each in in_turn(decided, works) for after in _consider(course, each, works)]
    if decided:
        look_on(course.run, works)
    return ended


def _consider(course: Course, task: TaskProgress, works: DagWorks) -> list[TaskProgress]:
    """Start a task, or skip it, if that is decided; the task, if it has ended.

    Nothing starts while tasks are put back, nor by one who has not heard of that.
    """
    if task.round > course.run.round:
        return []
    if task.has_ended:
        # The process that ended it may have died before it followed that up.
        return [task] if course.places[task.key] not in course.run.ended else []
    if task.state is not TaskState.PENDING or course.run.status is DagRunStatus.REOPENING:
        return []
    match _readiness(course, task):
        case Readiness.UNDECIDED:
            return []
        case Readiness.READY:
            after = start_task(course, task, works)
        case Readiness.IMPOSSIBLE:
            after = skip_upstream(task, works)
    return [after] if after is not None and after.has_ended else []


def _is_decided(course: Course, task: TaskProgress) -> bool:
    """Tell if a pending task may start, or never will."""
    return task.state is TaskState.PENDING and _readiness(course, task) is not Readiness.UNDECIDED


def _readiness(course: Course, task: TaskProgress) -> Readiness:
    return readiness(
        course.task(task.key).trigger_rule,
        edges=len(course.graph.incoming[task.key]),
        satisfied=len(task.satisfied),
        unsatisfied=len(task.unsatisfied),
    )


def count_end(course: Course, task: TaskProgress, works: DagWorks) -> DagRun | None:
    """Count the end; the DAG run as it is then, or ``None`` once another round has begun.

    The process that counts the last of several ends sees all of them.
    """
    place = course.places[task.key]
    failed = fails_run(course.graph, task.key, task.state)
    if task.reason == TaskReason.FORCED:
        # Its unfinished runs are cancelled before it counts as ended.
        cancel_task_runs(works.dag_runs.attempts(course.run, key=task.key), works)
    counted = works.dag_runs.record_end(course.run, [place], failed=failed)
    if counted is None:
        return None
    works.telemetry.event(
        service_events.TASK_ENDED,
        **of_dag_run(course.run),
        task=task.key,
        state=task.state,
        reason=task.reason,
        round=task.round,
    )
    works.telemetry.count(service_metrics.TASKS_ENDED)
    return counted
