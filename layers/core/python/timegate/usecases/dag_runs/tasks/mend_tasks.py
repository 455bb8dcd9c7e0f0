"""Tasks after a promotion: what did not arrive of their runs from the region before is made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.references import InputError
from timegate.domain.regions.lost_retry import asks_for_retry, lost_retry
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import RunId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.members.make_members import complete_members, first_attempts
from timegate.usecases.dag_runs.tasks.task_governor import governor_of, refused
from timegate.usecases.dag_runs.tasks.task_inputs import payloads


def mend_tasks(
    course: Course,
    tasks: Sequence[TaskProgress],
    last: Mapping[RunId, Attempt],
    lost_until: datetime,
    works: DagWorks,
) -> bool:
    """Give the tasks of a DAG run of the region before what did not arrive; tell if any lacked it.

    Items of one write go over by themselves: a task may have begun without its run, a run without
    its task, and an attempt may have ended without its retry. Each write is conditional, and doubt
    judges what is made here as what the region before made. Raises ``Throttled``.
    """
    mended = [key for key in tasks if _mend(course, key, last, lost_until, works)]
    if mended:
        works.telemetry.event(
            service_events.REGION_TASKS_MENDED,
            **of_dag_run(course.run),
            tasks=[task.key for task in mended],
        )
    return bool(mended)


def _mend(
    course: Course,
    task: TaskProgress,
    last: Mapping[RunId, Attempt],
    lost_until: datetime,
    works: DagWorks,
) -> bool:
    if task.has_ended or task.is_waiting:
        return False
    own = {
        mark.index: attempt
        for attempt in last.values()
        if (mark := task_run_mark(attempt.id.run)) is not None and task.is_run_by(mark)
    }
    if task.state is TaskState.PENDING:
        return _begin_with_its_run(course, task, own, works)
    begun_before = task.started_at is not None and task.started_at < lost_until
    made = begun_before and _make_runs(course, task, own, works)
    return _make_retries(course, task, own, works) or made


def _begin_with_its_run(
    course: Course, task: TaskProgress, own: Mapping[int, Attempt], works: DagWorks
) -> bool:
    """Begin a task whose run arrived alone: no second run of it can be stored."""
    if not own or course.task(task.key).fan_out is not None:
        return False
    begun = replace(
        task, state=TaskState.RUNNING, started_at=min(a.created_at for a in own.values())
    )
    return works.dag_runs.change_task(task, begun) is not None


def _make_runs(
    course: Course, task: TaskProgress, own: Mapping[int, Attempt], works: DagWorks
) -> bool:
    """Make the runs with which a task had begun."""
    members = task.members
    if members is not None:
        if not members.is_complete or members.own <= own.keys():
            return False
        open_again = replace(task, members=replace(members, is_complete=False))
        after = works.dag_runs.change_task(task, open_again)
        if after is not None:
            complete_members(course, after, works)
        return after is not None
    if own:
        return False
    try:
        governor = governor_of(course, task, works)
        given = dict(enumerate(payloads(course, task, governor, works)))
    except (InputError, InvalidInput) as error:
        return works.dag_runs.change_task(task, refused(task, error, works)) is not None
    now = task.started_at or works.clock.now()
    return any(works.runs.insert_all(first_attempts(course, task, governor, given, now=now)))


def _make_retries(
    course: Course, task: TaskProgress, own: Mapping[int, Attempt], works: DagWorks
) -> bool:
    """Make the attempts that ends ask for; a task whose job is gone fails."""
    asked = [each for each in own.values() if asks_for_retry(each)]
    if not asked:
        return False
    try:
        policy = governor_of(course, task, works).retry
    except (InputError, InvalidInput) as error:
        return works.dag_runs.change_task(task, refused(task, error, works)) is not None
    now = works.clock.now()
    return any(works.runs.insert_all([lost_retry(each, policy, now=now) for each in asked]))
