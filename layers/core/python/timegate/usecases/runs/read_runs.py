"""Reading runs: the history of a job, and one run with every attempt."""

from timegate.domain.ledger.damaged_records import RunDamaged
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.run_filter import RunFilter
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import RunPage
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records, tell_of_damaged_run
from timegate.usecases.services.matching_rows import look_through


def read_run(tenant: TenantId, run: RunId, services: ApiServices) -> tuple[Attempt, ...]:
    """Every attempt at a run, first to last; raises ``RunNotFound`` and ``RunDamaged``."""
    try:
        return services.runs.attempts(tenant, run)
    except RunDamaged as error:
        tell_of_damaged_run(tenant, error, services.telemetry)
        raise


def list_runs(
    tenant: TenantId,
    job_id: JobId,
    wanted: RunFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> RunPage:
    """The last attempt at each run of a job that matches, latest instant first.

    With those that are damaged, whose states cannot be told. Fewer than ``limit``, even none,
    with a cursor means "not finished looking". Raises ``JobNotFound``, and ``InvalidInput`` for a
    cursor that is none.
    """

    def read(most: int, begin: str | None) -> RunPage:
        return services.runs.list_runs(
            tenant, job_id, within=wanted.within, limit=most, cursor=begin
        )

    found, pages = look_through(read, wanted.matches, limit=limit, cursor=cursor)
    damaged = tuple(each for page in pages for each in page.damaged)
    page = RunPage(rows=found, damaged=damaged, cursor=pages[-1].cursor)
    tell_of_damaged_records(page.damaged, services.telemetry)
    if not any(each.rows or each.damaged for each in pages) and cursor is None:
        # A job that has not run yet and one that does not exist look alike from here.
        services.jobs.get(tenant, job_id)
    return page
