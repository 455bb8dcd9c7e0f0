"""Reading jobs: one by its id, or the tenant's by page."""

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.values.errors import JobDamaged
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob, JobPage
from timegate.usecases.runs.store_payload import load_kept_payload
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damage
from timegate.usecases.services.matching_rows import look_through
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class JobWithPayload:
    """A job, and its payload wherever it was kept."""

    job: Job
    #: JSON text; ``None``: there is none, or it is lost.
    payload: str | None

    @property
    def is_lost(self) -> bool:
        """Tell if the job has a payload that is lost."""
        return self.payload is None and self.job.payload.is_given


def read_job(tenant: TenantId, job_id: JobId, services: ApiServices) -> JobWithPayload:
    """One job with its payload; raises ``JobNotFound`` and ``JobDamaged``."""
    try:
        job = services.jobs.get(tenant, job_id)
    except JobDamaged as error:
        damaged = DamagedJob(tenant=tenant, job_id=job_id, reason=error.reason)
        tell_of_damage([damaged], services.telemetry)
        raise
    return JobWithPayload(job=job, payload=load_kept_payload(job.payload, services.blobs))


def list_jobs(
    tenant: TenantId,
    wanted: JobFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> JobPage:
    """The jobs that match, newest first, at most ``limit``, and those that cannot be read.

    An unreadable job is named whatever was asked for. Fewer, even none, with a cursor means "not
    finished looking": go on from there. Raises ``InvalidInput`` for a cursor that is none.
    """

    def read(most: int, begin: str | None) -> JobPage:
        return services.jobs.list_jobs(tenant, limit=most, cursor=begin, name=wanted.name)

    found, pages = look_through(read, wanted.matches, limit=limit, cursor=cursor)
    damaged = tuple(each for page in pages for each in page.damaged)
    tell_of_damage(damaged, services.telemetry)
    return JobPage(rows=found, damaged=damaged, cursor=pages[-1].cursor)
