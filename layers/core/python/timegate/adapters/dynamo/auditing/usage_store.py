"""Usage of a tenant's quotas, by tallies and by recounts."""

from collections.abc import Iterator
from itertools import islice

from timegate.adapters.dynamo.dags.dag_items import listing_key
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.domain.dags.definition import DagStatus
from timegate.domain.execution.quota_usage import Quota, Tallied, Usage, job_counts
from timegate.domain.jobs.job import JobStatus
from timegate.domain.values.tenant import TenantId

#: DynamoDB's statuses, without their versions: the rest of a record is no matter here.
_COUNTED = frozenset(status.value for status in JobStatus if job_counts(status))
_PAGE = 100


class DynamoUsageStore:
    """Reads what the stores of jobs and DAGs count, and what they count."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table
        self._tallies = {
            quota: QuotaTally(engine, table=table, quota=quota)
            for quota in (Quota.JOBS, Quota.DAGS)
        }

    def usage(self, tenant: TenantId) -> Usage:
        """Read the tenant's usage now, strongly consistent; raises ``Throttled``."""
        return Usage(
            jobs=self.tallied(tenant, Quota.JOBS).used, dags=self.tallied(tenant, Quota.DAGS).used
        )

    def tallied(self, tenant: TenantId, quota: Quota) -> Tallied:
        """Read the tally of one quota, strongly consistent; raises ``Throttled``."""
        return self._tallies[quota].read(tenant)

    def correct(self, tenant: TenantId, quota: Quota, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer; ``False``: others were made since. Raises ``Throttled``."""
        return self._tallies[quota].correct(tenant, seen, by=by)

    def present(self, tenant: TenantId, quota: Quota, *, most: int) -> int | None:
        """Count the records that exist; ``None`` for more than ``most``. Raises ``Throttled``."""
        is_job = quota is Quota.JOBS
        listing = str(tenant) if is_job else listing_key(tenant, DagStatus.ACTIVE)
        found = list(islice(self._listed(listing), most + 1))
        if len(found) > most:
            return None
        if not is_job:
            return len(found)
        return sum(self._engine.side_by_side(self._is_counted, found))

    def _listed(self, listing: str) -> Iterator[Key]:
        """Yield the keys of everything in a list; of as few pages as are looked at."""
        query = Query(
            table=self._table,
            of=listing,
            index="by_tenant",
            fields=("pk", "sk"),
            limit=_PAGE,
        )
        for found in rows(self._engine, query):
            yield Key(pk=str(found["pk"]), sk=str(found["sk"]))

    def _is_counted(self, key: Key) -> bool:
        """Return whether a job's record, as it is now, has a status that counts, and is counted."""
        found = self._engine.get(self._table, key, fields=("status", "untallied"))
        if found is None or found.get("untallied"):
            return False
        return found.get("status") in _COUNTED
