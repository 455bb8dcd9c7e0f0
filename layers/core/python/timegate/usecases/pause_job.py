"""Pausing: nothing new is materialised, and runs that are due meanwhile are skipped."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.errors import JobIsCompleted
from timegate.domain.job import Job, JobStatus
from timegate.usecases.change_job import Changed, JobRef, change_job, refuse_cancelled
from timegate.usecases.services import ApiServices


def pause_job(ref: JobRef, services: ApiServices, *, now: datetime) -> Job:
    """Pause a job; a paused one stays as it is.

    Raises ``JobIsCancelled`` or ``JobIsCompleted`` for a job that fires no more, and as
    ``change_job``.
    """
    return change_job(ref, "job_paused", _pause, services, now=now)


def _pause(job: Job) -> Changed | None:
    refuse_cancelled(job)
    match job.timing.status:
        case JobStatus.PAUSED:
            return None
        case JobStatus.COMPLETED:
            raise JobIsCompleted(job.job_id)
    timing = job.timing
    paused = replace(timing, status=JobStatus.PAUSED, next_run_at=None, held_at=timing.next_run_at)
    return Changed(job=replace(job, timing=paused))
