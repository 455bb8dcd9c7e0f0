"""Starting a task: what governs its runs, what they are given, and the runs, in one write."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.action import DagAction
from timegate.domain.dag.definition import InlineTask, JobTask, Task
from timegate.domain.dag.governing import governs_inline, governs_job, task_attempt
from timegate.domain.dag.progress import DagRunStatus, Members, TaskProgress, TaskReason, TaskState
from timegate.domain.dag.references import InputError
from timegate.domain.dag.run_identity import TaskRunMark
from timegate.domain.errors import InvalidInput, JobDamaged, JobNotFound
from timegate.domain.identity import JobId
from timegate.domain.job import Job
from timegate.domain.payload import Payload
from timegate.domain.run import Attempt, RunError
from timegate.usecases.dag_runs.cancel_task_run import cancel_task_runs
from timegate.usecases.dag_runs.task_inputs import payloads
from timegate.usecases.dag_runs.works import Course, DagWorks
from timegate.usecases.store_payload import store_payload


def start_task(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """Start a pending task; as it is then, or ``None`` where somebody else did something with it.

    One whose input cannot be made ends as failed, and a fan-out over nothing has succeeded.
    Raises ``Throttled``.
    """
    now = works.clock.now()
    try:
        governor = _governor(course, task, works)
        attempts = _attempts(course, task, governor, works)
    except (InputError, InvalidInput) as error:
        return works.dag_runs.change_task(task, _refused(task, error, works))
    started = replace(task, state=TaskState.RUNNING, started_at=now)
    if course.task(task.key).fan_out is None:
        done = works.dag_runs.start_task(course.run, task, started, governor, attempts)
        return _reported(course, started, works, runs=1) if done else None
    members = Members(width=len(attempts), is_complete=False)
    started = replace(started, members=members)
    if not attempts:
        empty = replace(started, state=TaskState.SUCCEEDED, ended_at=now, result="[]")
        return works.dag_runs.change_task(task, empty)
    if not works.dag_runs.start_task(course.run, task, started, governor, []):
        return None
    _reported(course, started, works, runs=len(attempts))
    return _make_members(started, attempts, works)


def complete_members(course: Course, task: TaskProgress, works: DagWorks) -> None:
    """Make the members that are missing of a fan-out whose starter died; raises ``Throttled``."""
    if task.members is None or task.members.is_complete:
        return
    governor = _governor(course, task, works)
    _make_members(task, _attempts(course, task, governor, works), works)


def _make_members(
    task: TaskProgress, attempts: Sequence[Attempt], works: DagWorks
) -> TaskProgress | None:
    """Their ids are computed and each is inserted once."""
    works.runs.insert_all(attempts)
    if task.members is None:
        return task
    complete = replace(task, members=replace(task.members, is_complete=True))
    after = works.dag_runs.change_task(task, complete)
    if after is None or _is_stopped(task, works):
        # Whoever stopped it, or put it back, may have looked for members before they were made.
        cancel_task_runs(attempts, works)
    return after


def _is_stopped(task: TaskProgress, works: DagWorks) -> bool:
    run = works.dag_runs.get(task.tenant, task.dag_run_id)
    return run.status is DagRunStatus.STOPPING or run.has_ended


def _attempts(course: Course, task: TaskProgress, governor: Job, works: DagWorks) -> list[Attempt]:
    now = works.clock.now()
    marks = (
        TaskRunMark(dag_run_id=task.dag_run_id, key=task.key, round=task.round, index=index)
        for index in range(10_000)
    )
    return [
        task_attempt(course.run, mark, governor, payload, now=now)
        for mark, payload in zip(marks, payloads(course, task, works), strict=False)
    ]


def _governor(course: Course, task: TaskProgress, works: DagWorks) -> Job:
    """What governs the task's runs; raises ``InputError`` where that is gone."""
    definition, now = course.task(task.key), works.clock.now()
    match definition.spec:
        case InlineTask() as spec:
            payload = _own_payload(course, definition, spec, works)
            return governs_inline(course.run, course.dag, definition, spec, payload, now=now)
        case JobTask(job_id=job_id):
            return governs_job(course.run, definition, _job(task, job_id, works), now=now)


def _own_payload(course: Course, task: Task, spec: InlineTask, works: DagWorks) -> Payload:
    text = spec.payload if task.input is None and task.fan_out is None else None
    return store_payload(text, course.run.tenant, JobId(course.run.dag_run_id), works.blobs)


def _job(task: TaskProgress, job_id: JobId, works: DagWorks) -> Job:
    if task.job_version is None:
        raise InputError(TaskReason.JOB_UNAVAILABLE, f"There was no job {job_id} to run.")
    try:
        job = works.jobs.definition(task.tenant, job_id, version=task.job_version)
    except (JobDamaged, JobNotFound) as error:
        raise InputError(TaskReason.JOB_UNAVAILABLE, str(error)) from error
    if isinstance(job.action, DagAction):
        detail = f"Job {job_id} starts a DAG: they could start each other for ever."
        raise InputError("not_for_a_task", detail)
    return job


def _refused(task: TaskProgress, error: InputError | InvalidInput, works: DagWorks) -> TaskProgress:
    gone = error.code == TaskReason.JOB_UNAVAILABLE
    return replace(
        task,
        state=TaskState.FAILED,
        reason=TaskReason.JOB_UNAVAILABLE if gone else TaskReason.INVALID_INPUT,
        ended_at=works.clock.now(),
        error=RunError(code=error.code, type="InvalidInput", message=error.detail),
    )


def _reported(course: Course, task: TaskProgress, works: DagWorks, *, runs: int) -> TaskProgress:
    works.telemetry.event(
        "task_started",
        tenant_id=task.tenant,
        dag_run_id=task.dag_run_id,
        dag_id=course.dag.dag_id,
        task=task.key,
        round=task.round,
        runs=runs,
    )
    works.telemetry.count("TasksStarted")
    return task
