"""Pausing: nothing new is materialised, and runs that are due meanwhile are skipped."""

from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.planning.transitions import paused
from timegate.ports.telemetry import service_events
from timegate.usecases.jobs.change_job import ChangedJob, JobRef, change_job
from timegate.usecases.services.api_services import ChangeServices


def pause_job(ref: JobRef, services: ChangeServices, *, now: datetime) -> Job:
    """Pause a job; a paused one stays as it is.

    Raises ``JobIsCancelled`` or ``JobIsCompleted`` for a job that fires no more, and as
    ``change_job``.
    """
    return change_job(ref, service_events.JOB_PAUSED, _pause, services, now=now)


def _pause(job: Job, now: datetime) -> ChangedJob | None:
    return ChangedJob.by(paused(job.timing, now=now), job)
