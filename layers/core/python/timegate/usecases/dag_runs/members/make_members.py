"""The members of a fan-out: the runs that it has, or has anew."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRunStatus, Members, TaskProgress
from timegate.domain.dag_runs.run_identity import TaskRunMark, task_run_mark
from timegate.domain.dag_runs.task_governor import task_attempt
from timegate.domain.dags.references import InputError
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import Payload
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks, change_task
from timegate.usecases.dag_runs.tasks.cancel_task_run import cancel_task_runs, latest_runs
from timegate.usecases.dag_runs.tasks.is_triggered import is_triggered
from timegate.usecases.dag_runs.tasks.task_governor import governor_of, refused
from timegate.usecases.dag_runs.tasks.task_inputs import payloads


def complete_members(course: Course, task: TaskProgress, works: DagWorks) -> None:
    """Make the members that are missing of a fan-out: its starter died, or some are run again.

    Raises ``Throttled``.
    """
    members = task.members
    if members is None or members.is_complete:
        return
    try:
        governor = governor_of(course, task, works)
        given = _given(course, task, members, governor, works)
    except (InputError, InvalidInput) as error:
        if change_task(task, refused(task, error, works), works.dag_runs) is not None:
            cancel_task_runs(works.dag_runs.attempts(course.run, key=task.key), works)
        return
    attempts = first_attempts(course, task, governor, given, now=works.clock.now())
    make_members(task, attempts, works)


def make_members(
    task: TaskProgress, attempts: Sequence[Attempt], works: DagWorks
) -> TaskProgress | None:
    """Their ids are computed and each is inserted once; the task as it is then."""
    works.runs.insert_all(attempts)
    if task.members is None:
        return task
    complete = replace(task, members=replace(task.members, is_complete=True))
    after = change_task(task, complete, works.dag_runs)
    if after is None or _is_stopped(task, works):
        # It may have been stopped or put back by a process that looked before members were made.
        cancel_task_runs(_unwanted(task, attempts, works), works)
    return after


def first_attempts(
    course: Course,
    task: TaskProgress,
    governor: Job,
    given: Mapping[int, Payload | None],
    *,
    now: datetime,
    direct: bool = False,
) -> list[Attempt]:
    """The first attempts at the runs of a task, or of these members, with what they are given.

    ``direct``: their creator publishes them.
    """
    return [
        task_attempt(
            course.run,
            TaskRunMark(dag_run_id=task.dag_run_id, key=task.key, round=task.round, index=index),
            governor,
            payload,
            now=now,
            direct=direct,
        )
        for index, payload in given.items()
    ]


def _given(
    course: Course, task: TaskProgress, members: Members, governor: Job, works: DagWorks
) -> Mapping[int, Payload | None]:
    """Return the payloads of new runs; a member that runs again keeps its earlier payload."""
    if not members.earlier and not members.skipped:
        return dict(enumerate(payloads(course, task, governor, works)))
    before = latest_runs(works.dag_runs.attempts(course.run, key=task.key))
    missing = members.own - before.keys()
    if missing:
        detail = f"What member {min(missing)} was given is not on record any more."
        raise InputError("members_incomplete", detail)
    return {index: before[index].payload for index in sorted(members.own)}


def _unwanted(
    task: TaskProgress, attempts: Sequence[Attempt], works: DagWorks
) -> Sequence[Attempt]:
    """Return attempts that the task, as it is now, does not wait for."""
    now = works.dag_runs.task(task.tenant, task.dag_run_id, task.key)
    if now is None or now.has_ended or _is_stopped(task, works):
        return attempts
    return [
        attempt
        for attempt in attempts
        if (mark := task_run_mark(attempt.id.run)) is not None and not now.is_run_by(mark)
    ]


def _is_stopped(task: TaskProgress, works: DagWorks) -> bool:
    run = works.dag_runs.get(task.tenant, task.dag_run_id)
    if run.winds_down:
        return not is_triggered(Course.of(run, works), task.key, works)
    return run.status is DagRunStatus.STOPPING or run.has_ended
