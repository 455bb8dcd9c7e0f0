"""Another round: tasks that failed, or that an operator names, is put back and run again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.values.identity import TaskKey
from timegate.ports.dag_runs import TOGETHER
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import (
    Course,
    DagWorks,
    change_run,
    next_look,
)
from timegate.usecases.dag_runs.members.continue_members import put_task_back
from timegate.usecases.dag_runs.tasks.cancel_task_run import cancel_task_runs
from timegate.usecases.dag_runs.tasks.make_good import make_good

#: Tasks that stay as they are end meanwhile; each of them may refuse a write once.
_TRIES = 20


def repeat_tasks(course: Course, works: DagWorks) -> None:
    """Put back what another round runs, then set it going; raises ``Throttled``.

    The round's record names the tasks to put back, so a process that dies on the way is followed by
    one that puts back the same. And all is back before anything starts: what a task decides must
    not be undone.
    """
    for _ in range(_TRIES):
        run = course.run
        if run.status is not DagRunStatus.REOPENING:
            # An operator stopped it meanwhile, or another put everything back.
            return
        found = works.dag_runs.tasks(run.tenant, run.dag_run_id)
        tasks = {task.key: task for task in found}
        left = [
            course.dag.tasks[place].key
            for place in sorted(run.repeats)
            if tasks[course.dag.tasks[place].key].round < run.round
        ]
        if left:
            _put_back_all(course, tasks, left, works)
        elif _set_going(course, tasks, works):
            return
        course = course.at(works.dag_runs.get(run.tenant, run.dag_run_id))


def _put_back_all(
    course: Course,
    tasks: Mapping[TaskKey, TaskProgress],
    left: Sequence[TaskKey],
    works: DagWorks,
) -> None:
    """So many as are still as they were read, and while the DAG run is: none after it is stopped.

    No process can count the end of a task that is put back after it saw it.
    """
    run = replace(course.run, follow=False)
    for start in range(0, len(left), TOGETHER):
        changes = [
            (tasks[key], put_task_back(course, run, tasks, key, works))
            for key in left[start : start + TOGETHER]
        ]
        if not works.dag_runs.change_together(run, run, changes):
            return
        run = replace(run, revision=run.revision + 1)


def _set_going(course: Course, tasks: Mapping[TaskKey, TaskProgress], works: DagWorks) -> bool:
    """Cancel what earlier rounds still run, call the DAG run running, and start what can.

    A round of a DAG run that had ended has an execution of its own, which waits for the tasks whose
    ends are still to be counted.
    """
    run = course.run
    if run.round == run.opened_as:
        # It has a later deadline: tasks that expire before it would be gone while it works.
        works.dag_runs.keep_tasks(run, list(tasks))
        left = [task.key for place, task in enumerate(course.dag.tasks) if place not in run.ended]
        works.executions.begin(run, left)
    cancel_task_runs(
        [
            attempt
            for attempt in works.dag_runs.attempts(run)
            if (mark := task_run_mark(attempt.id.run)) is not None
            and mark.round < tasks[mark.key].round_of(mark.index)
        ],
        works,
    )
    going = replace(
        run,
        status=DagRunStatus.RUNNING,
        watch_at=next_look(run, works.clock.now()),
        repeats=frozenset(),
        follow=False,
    )
    if not change_run(run, going, works.dag_runs):
        return False
    works.telemetry.event(
        service_events.DAG_RUN_REPEATED,
        **of_dag_run(run),
        round=run.round,
        tasks=sorted(_repeated(course, run)),
    )
    make_good(course.at(works.dag_runs.get(run.tenant, run.dag_run_id)), works)
    return True


def _repeated(course: Course, run: DagRun) -> list[TaskKey]:
    return [course.dag.tasks[place].key for place in run.repeats]
