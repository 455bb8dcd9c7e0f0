"""Resuming: from now on, or from where the pause began."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.errors import JobIsCompleted
from timegate.domain.job import Job, JobStatus
from timegate.domain.ledger import abandoned
from timegate.domain.plan import first_fire
from timegate.domain.run import Reason
from timegate.usecases.change_job import Changed, JobRef, change_job, refuse_cancelled
from timegate.usecases.services import ApiServices


def resume_job(ref: JobRef, services: ApiServices, *, now: datetime, catch_up: bool = False) -> Job:
    """Resume a paused job at its first fire after ``now``; an active one stays as it is.

    What passed during the pause is one gap of its ledger, or, with ``catch_up``, is settled as its
    catch-up policy says. A job whose instants all passed becomes completed: nothing is run late.
    Raises ``JobIsCancelled`` or ``JobIsCompleted``, and as ``change_job``.
    """
    return change_job(
        ref, "job_resumed", lambda job: _resume(job, now, catch_up=catch_up), services, now=now
    )


def _resume(job: Job, now: datetime, *, catch_up: bool) -> Changed | None:
    refuse_cancelled(job)
    match job.timing.status:
        case JobStatus.ACTIVE:
            return None
        case JobStatus.COMPLETED:
            raise JobIsCompleted(job.job_id)
    held = job.timing.held_at
    goes_on = held is not None and (catch_up or held > now)
    fire = held if goes_on else first_fire(job.timing, after=now)
    gap = None if goes_on else abandoned(job.timing, Reason.PAUSED, now=now)
    status = JobStatus.COMPLETED if fire is None else JobStatus.ACTIVE
    timing = replace(job.timing, status=status, next_run_at=fire, held_at=None)
    return Changed(job=replace(job, timing=timing), gap=gap)
