"""How much of its quotas a tenant uses, in memory: whatever there is, counted."""

from collections import Counter

from timegate.adapters.memory.tables import MemoryTables
from timegate.domain.dags.definition import DagStatus
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded, Tallied, Usage, job_counts
from timegate.domain.values.tenant import TenantId


class MemoryUsageStore:
    """The twin of ``DynamoUsageStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables
        #: What was corrected by hand.
        self._corrected: Counter[tuple[TenantId, Quota]] = Counter()

    def usage(self, tenant: TenantId) -> Usage:
        """What the tenant uses now."""
        return Usage(
            jobs=self.tallied(tenant, Quota.JOBS).used, dags=self.tallied(tenant, Quota.DAGS).used
        )

    def tallied(self, tenant: TenantId, quota: Quota) -> Tallied:
        """What was counted of one quota: whatever there is, and what was corrected."""
        made = self._in_use(tenant, quota) + self._corrected[tenant, quota]
        return Tallied(made=made, ended=0)

    def present(self, tenant: TenantId, quota: Quota, *, most: int) -> int | None:
        """How many are there; ``None`` where it would look at more than ``most``."""
        kept = self._tables.jobs if quota is Quota.JOBS else self._tables.dags
        looked_at = sum(owner == tenant for owner, _ in kept)
        return self._in_use(tenant, quota) if looked_at <= most else None

    def correct(self, tenant: TenantId, quota: Quota, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer; ``False``: others were made since it was seen."""
        if self.tallied(tenant, quota) != seen:
            return False
        self._corrected[tenant, quota] += by
        return True

    def _in_use(self, tenant: TenantId, quota: Quota) -> int:
        in_use = jobs_in_use if quota is Quota.JOBS else dags_in_use
        return in_use(self._tables, tenant)


def jobs_in_use(tables: MemoryTables, tenant: TenantId) -> int:
    """Its jobs that may still run."""
    with tables.lock:
        own = (job for (owner, _), job in tables.jobs.items() if owner == tenant)
        return sum(job_counts(job.timing.status) for job in own)


def dags_in_use(tables: MemoryTables, tenant: TenantId) -> int:
    """Its DAGs that are not deleted."""
    with tables.lock:
        own = (versions for (owner, _), versions in tables.dags.items() if owner == tenant)
        return sum(versions[-1].status is DagStatus.ACTIVE for versions in own if versions)


def refuse_beyond(quota: Quota, limit: int | None, used: int) -> None:
    """Raise ``QuotaExceeded`` if there is no room for one more."""
    if limit is not None and used >= limit:
        raise QuotaExceeded(quota, limit=limit, used=used)
