"""Cancelling a job: it never runs again, and stays readable."""

from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.planning.transitions import cancelled
from timegate.ports.telemetry import service_events
from timegate.usecases.jobs.change_job import ChangedJob, JobRef, change_job
from timegate.usecases.services.api_services import ChangeServices


def cancel_job(ref: JobRef, services: ChangeServices, *, now: datetime) -> Job:
    """Cancel a job, whatever its state; a cancelled one stays as it is.

    Runs that wait in a queue are refused when they are due, and those of a pool by the sweeper at
    the latest, within ten minutes. A run that has started goes on:
    it is cancelled by ``cancel_run``. Raises as ``change_job``.
    """
    return change_job(ref, service_events.JOB_CANCELLED, cancelled_job, services, now=now)


def cancelled_job(job: Job, now: datetime) -> ChangedJob | None:
    """Decide about a job that is cancelled; ``None``: it is already."""
    return ChangedJob.by(cancelled(job.timing, now=now), job)
