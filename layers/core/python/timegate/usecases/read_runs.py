"""Reading runs: the history of a job, and one run with every attempt at it."""

from timegate.domain.identity import JobId, RunId
from timegate.domain.run import Attempt
from timegate.domain.tenant import TenantId
from timegate.ports.stores import Page
from timegate.usecases.services import ApiServices


def read_run(tenant: TenantId, run: RunId, services: ApiServices) -> tuple[Attempt, ...]:
    """Every attempt at a run, first to last; raises ``RunNotFound``."""
    return services.runs.attempts(tenant, run)


def list_runs(
    tenant: TenantId, job_id: JobId, services: ApiServices, *, limit: int, cursor: str | None
) -> Page[Attempt]:
    """The last attempt at each run of a job, latest instant first.

    Raises ``JobNotFound``, and ``InvalidInput`` for a cursor that is none.
    """
    page = services.runs.list_runs(tenant, job_id, limit=limit, cursor=cursor)
    if not page.rows and cursor is None:
        # A job that has not run yet and one that does not exist look alike from here.
        services.jobs.get(tenant, job_id)
    return page
