"""Reading what the ends of a run triggered."""

from collections.abc import Iterator, Sequence

from timegate.domain.execution.follow_ups import triggered_run
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import JobDamaged, JobNotFound, RunNotFound
from timegate.domain.values.identity import JobId
from timegate.usecases.services.api_services import ApiServices

#: Definitions that are looked at: what follows was looked up in one between claim and end.
_MAX_VERSIONS = 10


def read_triggered(attempts: Sequence[Attempt], services: ApiServices) -> tuple[Attempt, ...]:
    """The last attempt of each run that these attempts' ends triggered.

    Their ids are computed from the ends and the jobs that follow; a run whose job neither tells
    a run nor has followers costs no call.
    """
    found = []
    for attempt in attempts:
        ended_at = attempt.ended_at
        if attempt.heard_occasion is None or ended_at is None:
            continue
        for job_id in dict.fromkeys(_followers(attempt, services)):
            run = triggered_run(attempt.id, job_id, ended_at=ended_at)
            try:
                found.append(services.runs.attempts(attempt.tenant, run)[-1])
            except RunNotFound:
                # It follows other ends, or was not begun yet.
                continue
    return tuple(found)


def _followers(attempt: Attempt, services: ApiServices) -> Iterator[JobId]:
    """Jobs that may have followed: as the job is, and as it was since the attempt was claimed."""
    tenant, job_id = attempt.tenant, attempt.id.run.job_id
    try:
        job = services.jobs.get(tenant, job_id)
    except (JobDamaged, JobNotFound):
        return
    yield from _named(job)
    now = job.timing.version
    for version in range(max(attempt.job_version, now - _MAX_VERSIONS), now):
        try:
            yield from _named(services.jobs.definition(tenant, job_id, version=version))
        except (JobDamaged, JobNotFound):
            continue


def _named(job: Job) -> Iterator[JobId]:
    return (follow_up.job_id for follow_up in job.then)
