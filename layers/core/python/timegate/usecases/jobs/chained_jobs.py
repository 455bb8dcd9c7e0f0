"""Refusing jobs whose follow-ups do not exist, or come round to their beginning."""

from collections.abc import Sequence

from timegate.domain.jobs.follow_up import check_chain
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.values.errors import InvalidInput, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.usecases.services.api_services import ApiServices


def refuse_broken_chains(job: Job, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a follow-up that could never run, or would run for ever.

    Each job of the chain is read once, as it is now: of two that are changed at the same moment,
    either may come round through the other. The depth that runs carry ends that.
    """
    if not job.then:
        return
    known = {
        follow_up.job_id: _existing(job, number, follow_up.job_id, services)
        for number, follow_up in enumerate(job.then)
    }

    def followers_of(job_id: JobId) -> Sequence[JobId]:
        follower = known.get(job_id) or _read(job, job_id, services)
        return [each.job_id for each in follower.then] if follower is not None else []

    check_chain(job.job_id, job.then, followers_of)


def _existing(job: Job, number: int, job_id: JobId, services: ApiServices) -> Job:
    field = f"then.{number}.job_id"
    follower = _read(job, job_id, services)
    if follower is None:
        # The same words for another tenant's.
        raise InvalidInput(field, "unknown_job", f"There is no job {job_id}.")
    if follower.timing.status is JobStatus.CANCELLED:
        detail = f"Job {job_id} is cancelled, and never runs again."
        raise InvalidInput(field, "job_cancelled", detail)
    return follower


def _read(job: Job, job_id: JobId, services: ApiServices) -> Job | None:
    try:
        return services.jobs.get(job.tenant, job_id)
    except JobNotFound:
        return None
