"""Winding down: a DAG run that fails fast lets only what the failure triggers run to its end."""

from timegate.domain.dag_runs.progress import TaskProgress, TaskState
from timegate.domain.dag_runs.stopping import Stopping, TaskFate
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.members.last_runs import LastRuns
from timegate.usecases.dag_runs.members.make_members import complete_members
from timegate.usecases.dag_runs.stopping.stop_dag_run import stop_task
from timegate.usecases.dag_runs.tasks.advance import follow_up, propagate
from timegate.usecases.dag_runs.tasks.skip_task import skip_upstream
from timegate.usecases.dag_runs.tasks.start_task import start_task
from timegate.usecases.dag_runs.tasks.turns import look_on
from timegate.usecases.dag_runs.tasks.wait_task import end_wait, watch_waits


def wind_down(course: Course, works: DagWorks) -> None:
    """Start, skip or cancel every task as its fate says; raises ``Throttled``.

    Each task is judged after those before it. One that waits is judged again when one of them has
    ended.
    """
    run = course.run
    tasks = {task.key: task for task in works.dag_runs.tasks(run.tenant, run.dag_run_id)}
    runs = LastRuns(run, tuple(tasks.values()), works)
    stopping, ended = Stopping(course.graph), list[TaskProgress]()
    for key in course.graph.ordered():
        task = tasks[key]
        fate = stopping.judge(key, course.task(key).trigger_rule, task.state)
        if not works.is_over:
            task = _carry_out(fate, course, task, runs, works)
        stopping.note(key, task.state)
        if task.has_ended and course.places[key] not in run.ended:
            ended.append(task)
        watch_waits(course, [task], works)
    look_on(run, works)
    if ended:
        propagate(course, ended, works)
    elif len(run.ended) == run.tasks:
        # The process that counted the last one may have died before the DAG run was closed.
        follow_up(course, works)


def _carry_out(
    fate: TaskFate,
    course: Course,
    task: TaskProgress,
    runs: LastRuns,
    works: DagWorks,
) -> TaskProgress:
    """The task as it is then."""
    match fate:
        case TaskFate.ENDED | TaskFate.WAITS:
            return task
        case TaskFate.GOES_ON if task.state is TaskState.RUNNING:
            complete_members(course, task, works)
            after = end_wait(course, task, works)
        case TaskFate.GOES_ON:
            after = start_task(course, task, works)
        case TaskFate.SKIPPED:
            after = skip_upstream(task, works)
        case TaskFate.CANCELLED:
            after = stop_task(course, task, runs, works)
    return after or works.dag_runs.task(task.tenant, task.dag_run_id, task.key) or task
