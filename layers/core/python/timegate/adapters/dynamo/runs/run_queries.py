"""Reading history and the ``watch`` index: always by key."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

from timegate.adapters.dynamo.runs.run_records import StoredAttempt, sound_attempts, stored_attempts
from timegate.adapters.dynamo.tables.engine import Engine, Query, pages, rows
from timegate.adapters.dynamo.tables.keys import (
    DAG_RUN_SK,
    NOTICE_PREFIX,
    TASK_RUN_PREFIX,
    bucket_name,
    job_pk,
    notices_prefix,
    parse_attempt_key,
    parse_dag_run_key,
    run_prefix,
)
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.ledger.damaged_records import DamagedRun, RunRecord
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Malformed, RunNotFound
from timegate.domain.values.identity import JobId, Origin, RunId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, RunPage, Unreadable

#: No attempt has this number: a position just below all attempts at a run.
_BEFORE_FIRST = "0000"
#: Sorts after everything that follows an instant in a key.
_AFTER_ALL = "~"


class DynamoRunQueries:
    """The part of ``DynamoRunStore`` that reads."""

    _engine: Engine
    _table: str

    def attempts(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """All attempts at a run, first to last; raises ``RunNotFound`` and ``RunDamaged``."""
        found = self._beginning(job_pk(tenant, run.job_id), run_prefix(run))
        if not found:
            raise RunNotFound(str(run))
        return found

    def notices(self, tenant: TenantId, run: RunId) -> tuple[Attempt, ...]:
        """The last attempt of each run that tells of this one; raises ``RunDamaged``."""
        found = self._beginning(job_pk(tenant, run.job_id), notices_prefix(run))
        return tuple({attempt.id.run: attempt for attempt in found}.values())

    def list_runs(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
        of_tasks: bool = False,
    ) -> RunPage:
        """The last attempt of each run that is named within, latest instant first.

        Read downwards, a run's last attempt comes first. A cursor points below the first attempt
        at a run, so no run straddles two pages.
        """
        pk, prefix = job_pk(tenant, job_id), TASK_RUN_PREFIX if of_tasks else ""
        return self._listed(pk, f"runs#{pk}", within, limit=limit, cursor=cursor, prefix=prefix)

    def list_notices(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        limit: int,
        cursor: str | None,
        within: InstantRange = EVER,
    ) -> RunPage:
        """The last attempt of each run that tells of a job or rule, latest instant first."""
        pk = job_pk(tenant, job_id)
        listing = f"notices#{pk}"
        return self._listed(pk, listing, within, limit=limit, cursor=cursor, prefix=NOTICE_PREFIX)

    def history(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        start: datetime,
        end: datetime,
        limit: int,
        latest_first: bool = False,
    ) -> tuple[RunRecord, ...]:
        """The last attempt of each run that the schedule named in a range, in order."""
        attempts = self._within(
            job_pk(tenant, job_id), (start, end), page_size=limit + 1, upwards=not latest_first
        )
        named = (each for each in attempts if each.id.run.origin is Origin.SCHEDULE)
        found = _first_read(named, limit) if latest_first else _last_read(named, limit)
        return tuple(each.read() for each in found)

    def worked_runs(
        self,
        tenant: TenantId,
        job_id: JobId,
        *,
        start: datetime,
        end: datetime,
        most_pages: int,
    ) -> Iterator[RunRecord]:
        """Yield runs that were neither skipped nor cancelled, latest first, of so many pages.

        Each is shown by its last attempt that was neither. DynamoDB reads the others as well, a
        megabyte a page, and sends none of them.
        """
        first, last = _keys(InstantRange(start=start, end=end), None, "")
        query = Query(
            table=self._table,
            of=job_pk(tenant, job_id),
            first=first or None,
            last=last,
            latest_first=True,
            consistent=True,
            without={"state": [RunState.SKIPPED, RunState.CANCELLED]},
        )
        seen: set[RunId] = set()
        for page in islice(pages(self._engine, query), most_pages):
            for attempt in stored_attempts(page.items):
                if attempt.id.run.origin is Origin.SCHEDULE and attempt.id.run not in seen:
                    seen.add(attempt.id.run)
                    yield attempt.read()

    def overdue(
        self, minute: str, shard: int, *, until: datetime
    ) -> Iterator[AttemptRef | DagRunRef | Unreadable]:
        """Attempts and DAG runs in one bucket of the ``watch`` index, soonest first."""
        bucket = bucket_name(minute, shard)
        query = Query(table=self._table, of=bucket, index="watch", last=compact(until))
        for fields in rows(self._engine, query):
            yield _watched(str(fields["pk"]), str(fields["sk"]))

    def _listed(
        self,
        pk: str,
        listing: str,
        within: InstantRange,
        *,
        limit: int,
        cursor: str | None,
        prefix: str = "",
    ) -> RunPage:
        below = read_cursor(listing, cursor) if cursor is not None else None
        last: dict[RunId, StoredAttempt] = {}
        keys = _keys(within, below, prefix)
        for attempt in self._downwards(pk, keys, page_size=limit + 1):
            if attempt.id.run not in last and len(last) == limit:
                position = f"{run_prefix(list(last)[-1])}{_BEFORE_FIRST}"
                return _page(last.values(), cursor=write_cursor(listing, position))
            last.setdefault(attempt.id.run, attempt)
        return _page(last.values(), cursor=None)

    def _beginning(self, pk: str, prefix: str) -> tuple[Attempt, ...]:
        found = rows(self._engine, Query(table=self._table, of=pk, prefix=prefix, consistent=True))
        return tuple(sound_attempts(found))

    def _downwards(
        self, pk: str, keys: tuple[str, str], *, page_size: int
    ) -> Iterator[StoredAttempt]:
        first, last = keys
        query = Query(
            table=self._table,
            of=pk,
            # No empty text is a key.
            first=first or None,
            last=last,
            latest_first=True,
            consistent=True,
            limit=page_size,
        )
        return iter(()) if last < first else stored_attempts(rows(self._engine, query))

    def _within(
        self,
        pk: str,
        span: tuple[datetime, datetime],
        *,
        page_size: int,
        upwards: bool,
    ) -> Iterator[StoredAttempt]:
        start, end = span
        query = Query(
            table=self._table,
            of=pk,
            first=compact(start),
            last=f"{compact(end)}{_AFTER_ALL}",
            latest_first=not upwards,
            consistent=True,
            limit=page_size,
        )
        return stored_attempts(rows(self._engine, query))


def successes(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, *, within: InstantRange
) -> Iterator[Attempt]:
    """Yield runs that are named within and succeeded, latest instant first.

    DynamoDB reads the others as well, and sends none of them.
    """
    first, last = _keys(within, None, "")
    query = Query(
        table=table,
        of=job_pk(tenant, job_id),
        first=first or None,
        last=last,
        latest_first=True,
        consistent=True,
        only={"state": [RunState.SUCCEEDED]},
    )
    read = (each.read() for each in stored_attempts(rows(engine, query)))
    return (each for each in read if isinstance(each, Attempt))


def _page(last: Iterable[StoredAttempt], *, cursor: str | None) -> RunPage:
    read = [each.read() for each in last]
    return RunPage(
        rows=tuple(each for each in read if isinstance(each, Attempt)),
        damaged=tuple(each for each in read if isinstance(each, DamagedRun)),
        cursor=cursor,
    )


def _last_read(attempts: Iterator[StoredAttempt], limit: int) -> Iterable[StoredAttempt]:
    """Read upwards, a run's last attempt comes last: it is known when the next run begins."""
    found: dict[RunId, StoredAttempt] = {}
    for attempt in attempts:
        run = attempt.id.run
        if run not in found and len(found) == limit:
            break
        found[run] = attempt
    return found.values()


def _first_read(attempts: Iterator[StoredAttempt], limit: int) -> Iterable[StoredAttempt]:
    """Read downwards, a run's last attempt comes first."""
    found: dict[RunId, StoredAttempt] = {}
    for attempt in attempts:
        found.setdefault(attempt.id.run, attempt)
        if len(found) == limit:
            break
    return found.values()


def _watched(pk: str, sk: str) -> AttemptRef | DagRunRef | Unreadable:
    if sk == DAG_RUN_SK:
        return parse_dag_run_key(pk)
    try:
        tenant, attempt = parse_attempt_key(pk, sk)
    except Malformed as malformed:
        return Unreadable(pk=pk, sk=sk, reason=str(malformed))
    return AttemptRef(tenant=tenant, id=attempt)


def _keys(within: InstantRange, below: str | None, prefix: str) -> tuple[str, str]:
    """The first and the last sort key of what is left of a range of instants.

    A key to begin at would have to lie within the range; a bound need not.
    """
    first = prefix + (compact(within.start) if within.start is not None else "")
    # Below the notices of a job lie its runs.
    after_all = f"{prefix}{_AFTER_ALL}" if prefix else NOTICE_PREFIX
    last = after_all if within.end is None else f"{prefix}{compact(within.end)}{_AFTER_ALL}"
    return first, min(last, below) if below is not None else last
