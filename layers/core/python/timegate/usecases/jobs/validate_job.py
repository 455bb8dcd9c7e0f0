"""Validating a job: what creating it would say, and what it would be; nothing is stored."""

from datetime import datetime

from timegate.domain.actions.target_rules import TargetPlace
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.jobs.job import Job, JobKeyTaken
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.previews.advice import JobAdvice, advise
from timegate.domain.previews.costs.monthly_cost import MonthlyCost, monthly_cost
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import Origin, RunId, job_id_from
from timegate.domain.values.payload import PayloadMismatch
from timegate.domain.values.tenant import TenantId
from timegate.usecases.jobs.create_job import (
    CreateJobRequest,
    check_new_job,
    new_job,
    with_defaults,
)
from timegate.usecases.runs.store_payload import first_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ValidatedJob:
    """A job with everything that was left unsaid, and what is wrong with it."""

    job: Job
    problems: tuple[InvalidInput, ...]
    advice: tuple[JobAdvice, ...] = ()
    #: Cost of its runs; ``None`` for a job that would be refused.
    cost: MonthlyCost | None = None
    #: JSON text that its first run would send; ``None``: its payload has no marks.
    example: str | None = None
    #: Where at AWS its runs call; ``None``: nowhere, or it would be refused.
    place: TargetPlace | None = None


def validate_job(
    tenant: TenantId, definition: JobDefinition, services: ApiServices, *, now: datetime
) -> ValidatedJob:
    """Report the first problem that creating the job would meet."""
    definition = with_defaults(definition, tenant, services, now=now)
    job = new_job(CreateJobRequest(tenant=tenant, hash=""), job_id_from(b"none"), definition, now)
    try:
        check_new_job(job, definition, services, now=now)
        _refuse_taken_key(job, services)
    except PayloadMismatch as misfit:
        return ValidatedJob(job=job, problems=misfit.problems)
    except InvalidInput as problem:
        return ValidatedJob(job=job, problems=(problem,))
    return ValidatedJob(
        job=job,
        problems=(),
        advice=advise(job, now=now),
        cost=monthly_cost(job.timing, job.action, now=now),
        example=_example(job, definition.payload, now=now),
        place=job.action.place,
    )


def _example(job: Job, payload: str | None, *, now: datetime) -> str | None:
    """Fill the marks of a payload as the job's first run would, or one that is triggered now."""
    if payload is None or job.payload_marks is None:
        return None
    at = opening_fire(job.timing, now=now)
    origin = Origin.TRIGGER if at is None else Origin.SCHEDULE
    run = RunId(job_id=job.job_id, origin=origin, scheduled_at=at or now)
    return first_payload(job, run, payload)


def _refuse_taken_key(job: Job, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a key that another job has: the write of a creation refuses it."""
    holder = services.jobs.keyed_job(job.tenant, job.key) if job.key is not None else None
    if job.key is not None and holder is not None:
        detail = str(JobKeyTaken(job.key, str(holder)))
        raise InvalidInput("key", "job_key_taken", detail)
