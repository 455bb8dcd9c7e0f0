"""DAGs, in memory."""

from collections.abc import Collection, Mapping

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.adapters.memory.usage_store import dags_in_use, refuse_beyond
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.dags.errors import DagChanged, DagNotFound, DagVersionNotFound
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.jobs.job import JobStatus
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.values.identity import DagId, JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dags import DagPage, DagRow
from timegate.ports.stores import Page


class MemoryDagStore:
    """The twin of ``DynamoDagStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def create(self, dag: Dag, *, limit: int | None = None) -> Dag:
        """Store a new DAG unless its id exists; returns what is stored, new or old."""
        with self._tables.lock:
            if (dag.tenant, dag.dag_id) not in self._tables.dags:
                refuse_beyond(Quota.DAGS, limit, dags_in_use(self._tables, dag.tenant))
            versions = self._tables.dags.setdefault((dag.tenant, dag.dag_id), [])
            if not versions:
                versions.append(in_milliseconds(dag))
                self._told(None, dag)
            return versions[-1]

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The DAG as it is now; raises ``DagNotFound``."""
        return self._all(tenant, dag_id)[-1]

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """The DAG as that version has it; raises ``DagNotFound`` and ``DagVersionNotFound``."""
        for dag in self._all(tenant, dag_id):
            if dag.version == version:
                return dag
        raise DagVersionNotFound(dag_id, version)

    def versions(
        self, tenant: TenantId, dag_id: DagId, *, limit: int, cursor: str | None
    ) -> Page[DagRow]:
        """All versions of a DAG, the latest first; raises ``DagNotFound`` and ``InvalidInput``."""
        listing = f"dag-versions#{tenant}#{dag_id}"
        latest = self._all(tenant, dag_id)[::-1]
        below = int(read_cursor(listing, cursor)) if cursor is not None else latest[0].version + 1
        rows = [DagRow.of(dag) for dag in latest if dag.version < below]
        more = write_cursor(listing, str(rows[limit - 1].version)) if len(rows) > limit else None
        return Page(rows=tuple(rows[:limit]), cursor=more)

    def update(self, before: Dag, after: Dag) -> None:
        """Store the next version, and keep ``before``; raises ``DagChanged``."""
        with self._tables.lock:
            versions = self._tables.dags.get((before.tenant, before.dag_id), [])
            if not versions or versions[-1].version != before.version:
                raise DagChanged(after.dag_id)
            versions.append(in_milliseconds(after))
            self._told(before, after)

    def _told(self, before: Dag | None, after: Dag) -> None:
        self._tables.told(
            after.tenant,
            (ResourceKind.DAG, after.dag_id),
            before=before,
            after=after,
            version=after.version,
        )

    def list_dags(
        self, tenant: TenantId, status: DagStatus, *, limit: int, cursor: str | None
    ) -> DagPage:
        """The tenant's DAGs of a status, newest first; raises ``InvalidInput`` for no cursor."""
        listing = f"dags#{status}#{tenant}"
        below = read_cursor(listing, cursor) if cursor is not None else None
        with self._tables.lock:
            latest = [versions[-1] for (t, _), versions in self._tables.dags.items() if t == tenant]
        found = sorted(
            ((_listed_at(dag), dag) for dag in latest if dag.status is status),
            key=lambda pair: pair[0],
            reverse=True,
        )
        rows = [(at, dag) for at, dag in found if below is None or at < below]
        more = write_cursor(listing, rows[limit - 1][0]) if len(rows) > limit else None
        return DagPage(rows=tuple(DagRow.of(dag) for _, dag in rows[:limit]), cursor=more)

    def job_statuses(
        self, tenant: TenantId, job_ids: Collection[JobId]
    ) -> Mapping[JobId, JobStatus]:
        """How those of these jobs stand that there are."""
        with self._tables.lock:
            jobs = self._tables.jobs
            return {i: jobs[tenant, i].timing.status for i in job_ids if (tenant, i) in jobs}

    def _all(self, tenant: TenantId, dag_id: DagId) -> list[Dag]:
        with self._tables.lock:
            versions = list(self._tables.dags.get((tenant, dag_id), []))
        if not versions:
            raise DagNotFound(dag_id)
        return versions


def _listed_at(dag: Dag) -> str:
    return f"{compact(dag.created_at)}#{dag.dag_id}"
