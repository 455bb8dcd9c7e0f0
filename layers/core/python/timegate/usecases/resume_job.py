"""Resuming: from now on, without catching up what was missed."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.errors import JobIsCompleted
from timegate.domain.job import Job, JobStatus
from timegate.domain.plan import first_fire
from timegate.usecases.change_job import JobRef, change_job, refuse_cancelled
from timegate.usecases.services import ApiServices


def resume_job(ref: JobRef, services: ApiServices, *, now: datetime) -> Job:
    """Resume a paused job at its first fire after ``now``; an active one stays as it is.

    A job whose instants all passed while it was paused becomes completed: nothing is run late.
    Raises ``JobIsCancelled`` or ``JobIsCompleted``, and as ``change_job``.
    """
    return change_job(ref, "job_resumed", lambda job: _resume(job, now), services, now=now)


def _resume(job: Job, now: datetime) -> Job | None:
    refuse_cancelled(job)
    match job.timing.status:
        case JobStatus.ACTIVE:
            return None
        case JobStatus.COMPLETED:
            raise JobIsCompleted(job.job_id)
    fire = first_fire(job.timing, after=now)
    status = JobStatus.COMPLETED if fire is None else JobStatus.ACTIVE
    return replace(job, timing=replace(job.timing, status=status, next_run_at=fire))
