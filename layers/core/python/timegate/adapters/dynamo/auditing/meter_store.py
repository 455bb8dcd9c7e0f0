"""The meter's walk over the table of runs, and its tallies in that of jobs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from timegate.adapters.dynamo.auditing.scan_positions import key_after, position_of
from timegate.adapters.dynamo.auditing.tally_items import (
    ROUND_KEY,
    expiry_of,
    job_tally_key,
    job_tally_pk,
    month_from_fields,
    month_numbers,
    round_from_fields,
    round_to_fields,
    stage_pk,
    tally_from_fields,
    tenant_from_sk,
    tenant_key,
)
from timegate.adapters.dynamo.runs.items.attempt_items import IMPORTED_AT
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query, Scan
from timegate.adapters.dynamo.tables.keys import attempt_key, job_key
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.metering.metered_attempt import MeteredAttempt
from timegate.domain.metering.tally import CostTally, JobTally, TenantMonth
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.metering import MeterPage, MonthOf, TenantCost
from timegate.ports.stores import Page

#: Pages of a tenant's jobs that one answer reads.
_PAGES = 5
#: Only attempts have one.
_FENCE = "fence"


class DynamoMeterStore:
    """Tallies of jobs by tenant and month, those of tenants by month, and the meter's record."""

    def __init__(
        self, engine: Engine, *, jobs_table: str, runs_table: str, page_items: int | None = None
    ) -> None:
        self._engine = engine
        self._jobs = jobs_table
        self._runs = runs_table
        self._page_items = page_items

    def read_round(self) -> MeterRound:
        """Read the record of the meter."""
        found = self._engine.get(self._jobs, ROUND_KEY)
        return round_from_fields(found) if found is not None else MeterRound()

    def move(
        self, before: MeterRound, after: MeterRound, added: Mapping[MonthOf, TenantMonth]
    ) -> bool:
        """Move the meter and add to tenants' months in one transaction."""
        moved = Update(
            table=self._jobs,
            key=ROUND_KEY,
            fields=round_to_fields(after),
            # No other auditor has counted this page.
            where=round_to_fields(before),
            creates=True,
        )
        return write_with(self._engine, moved, [self._added(*each) for each in added.items()])

    def _added(self, of: MonthOf, month: TenantMonth) -> Update:
        return Update(
            table=self._jobs,
            key=tenant_key(*of),
            fields={"expires_at": expiry_of(of[1])},
            added=month_numbers(month),
            where={},
            creates=True,
        )

    def read_page(self, position: str | None) -> MeterPage:
        """Read attempts in the order of the table: a job's are together, and sorted."""
        after = key_after(position)
        page = self._engine.scan(Scan(table=self._runs, limit=self._page_items, after=after))
        read = [(each, size) for item in page.items for each, size in _attempt(item)]
        planned = Counter(_plan_of(each) for each, _ in read)
        return MeterPage(
            attempts=tuple(
                MeteredAttempt(attempt=each, size_bytes=size, planned_with=planned[_plan_of(each)])
                for each, size in read
            ),
            position=position_of(page.last) if page.last else None,
        )

    def position_behind(self, metered: MeteredAttempt) -> str:
        """Return the place of an attempt's item."""
        key = attempt_key(metered.attempt.tenant, metered.attempt.id)
        return position_of({"pk": key.pk, "sk": key.sk})

    def count_job(
        self,
        of: MonthOf,
        job_id: JobId,
        attempts: Sequence[MeteredAttempt],
        *,
        counting: MeterRound,
    ) -> None:
        """Add attempts behind those that were counted in this round.

        The record names the round and the last attempt. A page that is read again may end
        elsewhere.
        """
        placed = sorted((f"{counting.name}#{_sk(each)}", n) for n, each in enumerate(attempts))
        while placed:
            counted = Update(
                table=self._jobs,
                key=job_tally_key(*of, job_id),
                fields={"through": placed[-1][0], "expires_at": expiry_of(of[1])},
                added=CostTally.of(attempts[n] for _, n in placed).numbers(),
                where={"through": Compared(below=placed[0][0], or_missing=True)},
                creates=True,
                shows_refused=True,
            )
            result = self._engine.write(counted)
            if result.done or result.found is None:
                return
            through = str(result.found["through"])
            placed = [each for each in placed if each[0] > through]

    def tenant_month(self, of: MonthOf) -> TenantMonth:
        """Read a tenant's record."""
        return month_from_fields(self._engine.get(self._jobs, tenant_key(*of)) or {})

    def job_tally(self, of: MonthOf, job_id: JobId) -> CostTally:
        """Read a job's record."""
        return tally_from_fields(self._engine.get(self._jobs, job_tally_key(*of, job_id)) or {})

    def job_tallies(self, of: MonthOf) -> tuple[tuple[JobTally, ...], bool]:
        """Read a tenant's jobs, five pages at most."""
        found: list[JobTally] = []
        after: Fields | None = None
        for _ in range(_PAGES):
            page = self._engine.query(Query(table=self._jobs, of=job_tally_pk(*of), after=after))
            found += [
                JobTally(job_id=JobId(str(each["sk"])), tally=tally_from_fields(each))
                for each in page.items
            ]
            after = page.last
            if after is None:
                break
        return tuple(found), after is None

    def job_names(self, tenant: TenantId, job_ids: Sequence[JobId]) -> Mapping[JobId, str]:
        """Read the names of jobs in one batch."""
        keys = {job_key(tenant, each): each for each in job_ids}
        found = self._engine.get_all({self._jobs: [*keys]})[self._jobs] if keys else {}
        return {keys[key]: str(item["name"]) for key, item in found.items() if "name" in item}

    def tenants(self, month: str, *, limit: int, cursor: str | None) -> Page[TenantCost]:
        """Read the tenants of a month."""
        pk, listing = stage_pk(month), f"costs#{month}"
        sk = read_cursor(listing, cursor) if cursor is not None else None
        page = self._engine.query(
            Query(
                table=self._jobs,
                of=pk,
                limit=limit,
                after={"pk": pk, "sk": sk} if sk is not None else None,
            )
        )
        rows = [
            TenantCost(tenant=tenant_from_sk(each["sk"]), month=month_from_fields(each))
            for each in page.items
        ]
        last = page.last
        return Page(
            rows=tuple(rows), cursor=write_cursor(listing, str(last["sk"])) if last else None
        )


def _attempt(item: Fields) -> list[tuple[Attempt, int]]:
    """Read an attempt; nothing of another record, of another stage's, or of an unreadable one."""
    if _FENCE not in item or IMPORTED_AT in item:
        return []
    try:
        return [(attempt_from_fields(item), size_of(item))]
    except Malformed:
        return []


def _plan_of(attempt: Attempt) -> tuple[object, ...]:
    """Attempts with the same were stored by one plan."""
    run = attempt.id.run
    return (attempt.tenant, run.job_id, run.origin, attempt.id.number, attempt.created_at)


def _sk(metered: MeteredAttempt) -> str:
    return attempt_key(metered.attempt.tenant, metered.attempt.id).sk
