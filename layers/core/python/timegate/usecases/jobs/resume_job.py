"""Resuming: from now on, or from where the pause began."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.ledger import refuse_withdrawn_zone
from timegate.domain.planning.transitions import resumed, resumed_at
from timegate.ports.telemetry import service_events
from timegate.usecases.jobs.change_job import ChangedJob, JobRef, change_job
from timegate.usecases.services.api_services import ChangeServices


def resume_job(
    ref: JobRef, services: ChangeServices, *, now: datetime, catch_up: bool = False
) -> Job:
    """Resume a paused job at its first fire after ``now``; an active one stays as it is.

    Instants that passed during the pause are one gap of its ledger, or, with ``catch_up``, are
    settled as its catch-up policy says. A job whose instants all passed becomes completed: nothing
    is run late. Raises ``JobIsCancelled``, ``JobIsCompleted`` or ``TimezoneWithdrawn``, and as
    ``change_job``.
    """
    return change_job(
        ref,
        service_events.JOB_RESUMED,
        lambda job, at: _resume(job, at, catch_up=catch_up),
        services,
        now=now,
    )


def _resume(job: Job, now: datetime, *, catch_up: bool) -> ChangedJob | None:
    if job.timing.status is JobStatus.PAUSED:
        refuse_withdrawn_zone(job.timing)
    transition = resumed(job.timing, now=now, catch_up=catch_up)
    if transition is None:
        return None
    awaited = resumed_at(job.resumed_at, job.timing, transition.timing, now=now)
    return ChangedJob.by(transition, replace(job, pause_reason=None, resumed_at=awaited))
