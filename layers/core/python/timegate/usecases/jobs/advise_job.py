"""Advising: deadlines that a stored job may miss, and secrets that its readers see."""

from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.previews.advice import JobAdvice, advise
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.durations_at_hand import read_usual_ms


def advise_job(
    job: Job, services: ApiServices, *, now: datetime, payload_lost: bool = False
) -> tuple[JobAdvice, ...]:
    """Point out what the owner of a stored job may want to change.

    ``payload_lost``: its stored payload was not found.

    One query of its recent runs; none for a job without a deadline. Raises ``Throttled``.
    """
    usual = None
    if job.finish_by is not None:
        usual = read_usual_ms(job.tenant, job.job_id, services.runs, now=now)
    return advise(job, now=now, usual_ms=usual, payload_lost=payload_lost)
