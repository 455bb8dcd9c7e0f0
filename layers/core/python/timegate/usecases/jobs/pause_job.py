"""Pausing: nothing new is materialised, and runs that are due meanwhile are skipped."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.planning.transitions import paused
from timegate.ports.telemetry import service_events
from timegate.usecases.jobs.change_job import ChangedJob, JobRef, change_job
from timegate.usecases.ledger.count_places import counted
from timegate.usecases.services.api_services import ChangeServices


def pause_job(
    ref: JobRef, services: ChangeServices, *, now: datetime, reason: str | None = None
) -> Job:
    """Pause a job; a paused one stays as it is, with the reason that it has.

    ``reason``: for people. Raises ``JobIsCancelled`` or ``JobIsCompleted`` for a job that fires no
    more, and as ``change_job``.
    """
    return change_job(
        ref,
        service_events.JOB_PAUSED,
        lambda job, at: _pause(job, services, at, reason),
        services,
        now=now,
    )


def _pause(
    job: Job, services: ChangeServices, now: datetime, reason: str | None
) -> ChangedJob | None:
    timing = job.timing
    if timing.status is JobStatus.ACTIVE:
        timing = counted(timing, services.scheduling.runs)
    return ChangedJob.by(paused(timing, now=now), replace(job, pause_reason=reason))
