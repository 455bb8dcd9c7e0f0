"""Reading runs back from memory: all attempts at one, and the last attempts of many."""

from collections.abc import Iterable
from datetime import datetime

from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import RunNotFound
from timegate.domain.values.identity import JobId, Origin, RunId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page


def of_run(stored: Iterable[Attempt], tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
    """All attempts at a run, first to last, damaged or not; raises ``RunNotFound``."""
    own = [a for a in stored if a.tenant == tenant and a.id.run == run]
    if not own:
        raise RunNotFound(str(run))
    return tuple(sorted(own, key=lambda attempt: attempt.id.number))


def telling_of(stored: Iterable[Attempt], tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
    """The last attempt of each run that tells of this one."""
    last = {
        attempt.id.run: attempt
        for attempt in sorted(stored, key=lambda a: a.id)
        if attempt.tenant == tenant
        and attempt.id.run.job_id == run.job_id
        and attempt.id.run.origin is Origin.NOTIFICATION
        and attempt.id.run.scheduled_at == run.scheduled_at
        and attempt.id.run.about.startswith(f"{run.origin}{run.about}")
    }
    return tuple(last.values())


def page(
    stored: Iterable[Attempt],
    tenant: TenantId,
    job_id: JobId,
    *,
    within: InstantRange,
    limit: int,
    cursor: str | None,
) -> Page[Attempt]:
    """The last attempt of each run of a job, damaged or not, latest instant first."""
    listing = f"runs#{tenant}#{job_id}"
    below = read_cursor(listing, cursor) if cursor is not None else None
    last: dict[str, Attempt] = {}
    for attempt in sorted(stored, key=lambda a: a.id.number):
        own = attempt.tenant == tenant and attempt.id.run.job_id == job_id
        named = within.covers(attempt.id.run.scheduled_at)
        if own and named and attempt.id.run.origin is not Origin.NOTIFICATION:
            last[_position(attempt)] = attempt
    positions = sorted((p for p in last if below is None or p < below), reverse=True)
    rows = tuple(last[position] for position in positions[:limit])
    more = write_cursor(listing, positions[limit - 1]) if len(positions) > limit else None
    return Page(rows=rows, cursor=more)


def between(
    stored: Iterable[Attempt],
    tenant: TenantId,
    job_id: JobId,
    *,
    start: datetime,
    end: datetime,
) -> tuple[Attempt, ...]:
    """The last attempts at the runs that the schedule named in a range, damaged or not."""
    last = {
        attempt.id.run: attempt
        for attempt in sorted(stored, key=lambda a: a.id)
        if attempt.tenant == tenant
        and attempt.id.run.job_id == job_id
        and attempt.id.run.origin is Origin.SCHEDULE
        and start <= attempt.id.run.scheduled_at <= end
    }
    return tuple(last.values())


def _position(attempt: Attempt) -> str:
    run = attempt.id.run
    return f"{compact(run.scheduled_at)}#{run.origin}{run.about}"
