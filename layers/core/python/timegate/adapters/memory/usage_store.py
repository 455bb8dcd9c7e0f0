"""How much of its quotas a tenant uses, in memory: whatever there is, counted."""

from timegate.adapters.memory.tables import MemoryTables
from timegate.domain.dag.definition import DagStatus
from timegate.domain.quota_usage import Quota, QuotaExceeded, Usage, job_counts
from timegate.domain.tenant import TenantId


class MemoryUsageStore:
    """The twin of ``DynamoUsageStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def usage(self, tenant: TenantId) -> Usage:
        """What the tenant uses now."""
        return Usage(jobs=jobs_in_use(self._tables, tenant), dags=dags_in_use(self._tables, tenant))


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
