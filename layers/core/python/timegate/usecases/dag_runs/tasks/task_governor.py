"""Jobs that govern the runs of tasks."""

from dataclasses import replace

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import TaskProgress, TaskReason, TaskState
from timegate.domain.dag_runs.task_governor import governs_inline, governs_job
from timegate.domain.dags.definition import InlineTask, JobTask, Task
from timegate.domain.dags.references import InputError
from timegate.domain.dags.waits import WaitTask
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.runs.run import RunError
from timegate.domain.values.errors import InvalidInput, JobDamaged, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.payload import Payload
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.runs.store_payload import store_run_payload


def governor_of(course: Course, task: TaskProgress, works: DagWorks) -> Job:
    """Return the job that governs the task's runs.

    Raises ``InputError`` for a job that is gone or cancelled.
    """
    definition, now = course.task(task.key), works.clock.now()
    match definition.spec:
        case InlineTask() as spec:
            payload = _own_payload(course, definition, spec, works)
            return governs_inline(course.run, course.dag, definition, spec, payload, now=now)
        case JobTask(job_id=job_id):
            return governs_job(course.run, definition, _job(task, job_id, works), now=now)
        case WaitTask():
            raise InputError(TaskReason.INVALID_INPUT, f"Task {task.key} waits, and makes no run.")


def _own_payload(course: Course, task: Task, spec: InlineTask, works: DagWorks) -> Payload:
    text = spec.payload if task.input is None and task.fan_out is None else None
    owner, pointer = JobId(course.run.dag_run_id), spec.overlap.key_from
    pointers = () if pointer is None else (pointer,)
    return store_run_payload(text, course.run.tenant, owner, works.blobs, pointers=pointers)


def _job(task: TaskProgress, job_id: JobId, works: DagWorks) -> Job:
    if task.job_version is None:
        raise InputError(TaskReason.JOB_UNAVAILABLE, f"There was no job {job_id} to run.")
    try:
        job = works.jobs.get(task.tenant, job_id)
        if job.timing.status is JobStatus.CANCELLED:
            detail = f"Job {job_id} is cancelled and never runs."
            raise InputError(TaskReason.JOB_UNAVAILABLE, detail)
        if job.timing.version > task.job_version:
            job = works.jobs.definition(task.tenant, job_id, version=task.job_version)
    except (JobDamaged, JobNotFound) as error:
        raise InputError(TaskReason.JOB_UNAVAILABLE, str(error)) from error
    if isinstance(job.action, DagAction):
        detail = f"Job {job_id} starts a DAG: they could start each other for ever."
        raise InputError("not_for_a_task", detail)
    return job


def refused(task: TaskProgress, error: InputError | InvalidInput, works: DagWorks) -> TaskProgress:
    """The task, failed: its runs cannot be made."""
    gone = error.code == TaskReason.JOB_UNAVAILABLE
    return replace(
        task,
        state=TaskState.FAILED,
        reason=TaskReason.JOB_UNAVAILABLE if gone else TaskReason.INVALID_INPUT,
        ended_at=works.clock.now(),
        error=RunError(code=error.code, type="InvalidInput", message=error.detail),
    )
