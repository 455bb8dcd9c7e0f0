"""Reading runs: the history of a job, a tenant's failures, and one run with every attempt."""

from dataclasses import replace
from typing import Protocol

from timegate.domain.ledger.damaged_records import RunDamaged
from timegate.domain.operations.dead_letter import FailedRun, FailureFilter
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.run_filter import RunFilter
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.dead_letters import FailureStore
from timegate.ports.stores import AttemptRef, Loaded, Page, RunPage, RunStore
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

    With those that are damaged, of whose states nobody can tell. Fewer than ``limit``, even none,
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


class FailureServices(Protocol):
    """Services that list failures, of the API and of operations."""

    @property
    def runs(self) -> RunStore:
        """The store of runs."""

    @property
    def failures(self) -> FailureStore:
        """The index of failures."""


def list_failures(
    tenant: TenantId,
    wanted: FailureFilter,
    services: FailureServices,
    *,
    limit: int,
    cursor: str | None,
) -> Page[FailedRun]:
    """Runs of all jobs of a tenant that failed and match, the latest end first.

    Fewer than ``limit``, even none, with a cursor means "not finished looking". Raises
    ``InvalidInput`` for a cursor that is none.
    """

    def read(most: int, begin: str | None) -> Page[Loaded]:
        found = services.failures.list_failures(
            tenant, within=wanted.within, limit=most, cursor=begin
        )
        return Page(rows=load_last_attempts(found.rows, services), cursor=found.cursor)

    def matches(row: Loaded) -> bool:
        last, job = row.attempt, row.job
        if last is None or not wanted.matches(last):
            return False
        own = last.terms.tags if last.terms is not None else ()
        tags = {**(job.tags if job is not None else {}), **dict(own)}
        return wanted.suits(job.name if job is not None else "", tags)

    rows, pages = look_through(read, matches, limit=limit, cursor=cursor)
    failed = [FailedRun(last=row.attempt, job=row.job) for row in rows if row.attempt is not None]
    return Page(rows=tuple(failed), cursor=pages[-1].cursor)


def load_last_attempts(
    refs: tuple[AttemptRef, ...], services: FailureServices
) -> tuple[Loaded, ...]:
    """Load failures that are last attempts, with their jobs: a run that was opened again has a
    later one. One batch.
    """
    if not refs:
        return ()
    following = [replace(ref, id=ref.id.next()) for ref in refs]
    loaded = services.runs.load_all([*refs, *following])
    pairs = zip(loaded[: len(refs)], loaded[len(refs) :], strict=True)
    return tuple(row for row, later in pairs if later.attempt is None and later.unreadable is None)
