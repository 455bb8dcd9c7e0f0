"""Reading runs of all jobs of a tenant: failures, or runs in every state where jobs list them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.runs.run_filter import FailureFilter, RunCriteria
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.dead_letters import FailureStore
from timegate.ports.stores import AttemptRef, Loaded, Page, RunStore
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records
from timegate.usecases.services.matching_rows import look_through

#: Attempts that are looked through for one answer where not every one is wanted.
MOST_LOOKED_AT = 500
#: Attempts that are loaded at once, each with the one that would follow it.
_LOADED = 50


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
) -> Page[NamedRun]:
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
        return _is_wanted(row, wanted, None)

    rows, pages = look_through(read, matches, limit=limit, cursor=cursor)
    return Page(rows=_named(rows), cursor=pages[-1].cursor)


def list_all_runs(
    tenant: TenantId,
    wanted: RunCriteria,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
    now: datetime,
) -> Page[NamedRun]:
    """Runs of a tenant that match: failures, or runs in every state, the latest instant first.

    All of a job or of a DAG run that is named; else of jobs that list all their runs. Fewer than
    ``limit``, even none, with a cursor means "not finished looking". Raises ``JobNotFound``, and
    ``InvalidInput`` for a cursor that is none.
    """
    if isinstance(wanted, FailureFilter):
        return list_failures(tenant, wanted, services, limit=limit, cursor=cursor)
    if wanted.job_id is None and wanted.dag_run_id is None:
        return _list_listed(tenant, wanted, services, limit=limit, cursor=cursor, now=now)
    owner, of_tasks = wanted.job_id or JobId(str(wanted.dag_run_id)), wanted.job_id is None
    listed = partial(services.runs.list_runs, tenant, owner, of_tasks=of_tasks)

    def read(most: int, begin: str | None) -> Page[Loaded]:
        of_owner = listed(within=wanted.within, limit=most, cursor=begin)
        tell_of_damaged_records(of_owner.damaged, services.telemetry)
        refs = [AttemptRef(tenant=tenant, id=each.id) for each in of_owner.rows]
        return Page(
            rows=tuple(services.runs.load_all(refs) if refs else ()), cursor=of_owner.cursor
        )

    def matches(row: Loaded) -> bool:
        return _is_wanted(row, wanted, now)

    rows, pages = look_through(read, matches, limit=limit, cursor=cursor)
    if wanted.job_id is not None and cursor is None and not any(each.rows for each in pages):
        # A job that has not run yet and one that does not exist look alike from here.
        services.jobs.get(tenant, wanted.job_id)
    return Page(rows=_named(rows), cursor=pages[-1].cursor)


def _list_listed(
    tenant: TenantId,
    wanted: RunCriteria,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
    now: datetime,
) -> Page[NamedRun]:
    """List runs of the index: as much of it as is looked through is read by one set of queries."""
    looks_through = wanted != RunCriteria(within=wanted.within)
    page = services.listed_runs.list_listed(
        tenant,
        within=wanted.within,
        limit=max(limit, MOST_LOOKED_AT) if looks_through else limit,
        cursor=cursor,
    )
    found: list[Loaded] = []
    for begin in range(0, len(page.rows), _LOADED):
        for row in load_last_attempts(page.rows[begin : begin + _LOADED], services):
            if not _is_wanted(row, wanted, now) or row.attempt is None:
                continue
            found.append(row)
            if len(found) == limit:
                last = AttemptRef(tenant=tenant, id=row.attempt.id)
                is_end = page.cursor is None and last == page.rows[-1]
                following = None if is_end else services.listed_runs.cursor_after(last)
                return Page(rows=_named(found), cursor=following)
    return Page(rows=_named(found), cursor=page.cursor)


def _is_wanted(row: Loaded, wanted: RunCriteria, now: datetime | None) -> bool:
    """Tell if a run matches, with the name and the tags of its job."""
    last, job = row.attempt, row.job
    if last is None or not wanted.matches(last, now=now):
        return False
    own = last.terms.tags if last.terms is not None else ()
    tags = {**(job.tags if job is not None else {}), **dict(own)}
    return wanted.suits(job.name if job is not None else "", tags)


def _named(rows: Iterable[Loaded]) -> tuple[NamedRun, ...]:
    named = [NamedRun(last=row.attempt, job=row.job) for row in rows if row.attempt is not None]
    return tuple(named)


def load_last_attempts(
    refs: tuple[AttemptRef, ...], services: FailureServices
) -> tuple[Loaded, ...]:
    """Load those that are last attempts, with their jobs: a run that was opened again has a
    later one. One batch.
    """
    if not refs:
        return ()
    following = [replace(ref, id=ref.id.next()) for ref in refs]
    loaded = services.runs.load_all([*refs, *following])
    pairs = zip(loaded[: len(refs)], loaded[len(refs) :], strict=True)
    return tuple(row for row, later in pairs if later.attempt is None and not later.is_damaged)
