"""Stopping: what has not started never will, and what is under way is cancelled."""

from collections.abc import Mapping
from dataclasses import replace

from timegate.domain.dag_runs.progress import TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks, change_task
from timegate.usecases.dag_runs.members.last_runs import LastRuns
from timegate.usecases.dag_runs.tasks.advance import propagate
from timegate.usecases.dag_runs.tasks.cancel_task_run import cancel_task_run
from timegate.usecases.dag_runs.tasks.end_task import join
from timegate.usecases.dag_runs.tasks.turns import in_turn, look_on


def stop_tasks(course: Course, works: DagWorks) -> None:
    """Bring every task of a DAG run that is being stopped to its end; raises ``Throttled``.

    A process that starts a task at this moment does so before it is read here, and its run is
    cancelled, or after it was cancelled here, and is refused.
    """
    run = course.run
    tasks = works.dag_runs.tasks(run.tenant, run.dag_run_id)
    ended = [task for task in tasks if task.has_ended]
    runs = LastRuns(run, tasks, works)
    for task in in_turn([task for task in tasks if not task.has_ended], works):
        after = stop_task(course, task, runs, works)
        if after is not None:
            ended.append(after)
    propagate(course, [task for task in ended if course.places[task.key] not in run.ended], works)
    look_on(run, works)


def stop_task(
    course: Course, task: TaskProgress, runs: LastRuns, works: DagWorks
) -> TaskProgress | None:
    """Cancel a task that is pending or under way; the task, if it has ended."""
    if task.has_ended:
        return task
    if task.state is TaskState.PENDING or task.is_waiting:
        cancelled = replace(
            task,
            state=TaskState.CANCELLED,
            reason=course.run.reason,
            ended_at=works.clock.now(),
        )
        after = change_task(task, cancelled, works.dag_runs)
        if after is not None:
            return after
        # It was started just now: its run is looked for anew.
        return _cancel_runs(course, task, runs.anew(task), works)
    return _cancel_runs(course, task, runs.of(task), works)


def _cancel_runs(
    course: Course, task: TaskProgress, last: Mapping[RunId, Attempt], works: DagWorks
) -> TaskProgress | None:
    own = {
        mark.index: attempt
        for attempt in last.values()
        if (mark := task_run_mark(attempt.id.run)) is not None and task.is_run_by(mark)
    }
    for attempt in own.values():
        cancel_task_run(attempt, works)
    if task.members is None:
        return None
    return _give_up_members(course, task, own, works)


def _give_up_members(
    course: Course, task: TaskProgress, own: Mapping[int, Attempt], works: DagWorks
) -> TaskProgress | None:
    """Members that were never made will never end."""
    made = own.keys() | (task.members.skipped if task.members is not None else frozenset())
    missing = [i for i in range(task.members.width if task.members else 0) if i not in made]
    if not missing:
        return None
    after = works.dag_runs.record_member(task, missing, succeeded=False)
    return join(course, after, works) if after is not None else None
