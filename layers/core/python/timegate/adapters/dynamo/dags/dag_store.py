"""DAGs, in the jobs table: a partition each, and their large graphs in the blob store."""

import hashlib
from collections.abc import Collection, Mapping

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dags.dag_definitions import DynamoDagDefinitions
from timegate.adapters.dynamo.dags.dag_graph import graph_to_text
from timegate.adapters.dynamo.dags.dag_items import (
    VERSION_PREFIX,
    dag_key,
    dag_pk,
    dag_row_from_fields,
    dag_to_fields,
    listing_key,
    version_key,
    version_to_fields,
)
from timegate.adapters.dynamo.dags.own_job_writes import OwnJobWrites
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query, Rows, first_rows
from timegate.adapters.dynamo.tables.keys import Key, job_key
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Write
from timegate.adapters.page_cursor import read_cursor, read_number, write_cursor
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.dags.errors import DagChanged
from timegate.domain.dags.limits import MAX_INLINE_BYTES
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.jobs.job import JobStatus
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import DagId, JobId
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.dags import DagPage, DagRow, DagVersionPage, OwnJobWrite


class DynamoDagStore(DynamoDagDefinitions):
    """A write of a DAG is one conditional write, with what goes with it: its predecessor's record,
    and the DAG's own job.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        blobs: BlobStore,
        runs: DynamoRunStore,
        audit: AuditWrites | None = None,
    ) -> None:
        super().__init__(engine, table=table, blobs=blobs)
        self._own_jobs = OwnJobWrites(runs)
        self._audit = audit or AuditWrites(table=table)
        self._tally = QuotaTally(engine, table=table, quota=Quota.DAGS)

    def create(
        self, dag: Dag, *, limit: int | None = None, own_job: OwnJobWrite | None = None
    ) -> Dag:
        """Store a new DAG and its job unless its id exists; what is stored, new or old.

        Raises ``QuotaExceeded`` where the tenant has ``limit`` DAGs that are not deleted, or no
        room for the job.
        """
        fields = dag_to_fields(dag, self._stored_graph(dag))
        insert = Insert(table=self._table, fields=fields)
        owner, counts = (dag.tenant, dag.dag_id), (False, _counts(dag))
        job, beside = self._own_jobs.of(own_job)
        writes: list[Write | Put] = [insert, *self._audit.dag(None, dag), *job]
        is_new = self._tally.write(owner, writes, counts=counts, limit=limit, beside=beside)
        return dag if is_new else self.get(*owner)

    def versions(
        self, tenant: TenantId, dag_id: DagId, *, limit: int, cursor: str | None
    ) -> DagVersionPage:
        """All versions of a DAG, the latest first; raises ``DagNotFound`` and ``InvalidInput``.

        A replaced one that is damaged hides no other.
        """
        listing = f"dag-versions#{tenant}#{dag_id}"
        head = dag_row_from_fields(self._head(tenant, dag_id))
        below = read_number(listing, cursor) if cursor is not None else head.version
        latest = (head,) if cursor is None else ()
        room = limit - len(latest)
        # One more than asked for tells whether there are any beyond.
        found = self._replaced(tenant, dag_id, below=below, limit=room + 1)
        last = found[:room][-1][0] if room and found else head.version
        replaced, damaged = read_each(found[:room], dag_row_from_fields)
        return DagVersionPage(
            rows=(*latest, *replaced),
            damaged=tuple(version for version, _ in damaged),
            cursor=write_cursor(listing, str(last)) if len(found) > room else None,
        )

    def update(self, before: Dag, after: Dag, *, own_job: OwnJobWrite | None = None) -> None:
        """Store the next version, and its job; raises ``DagChanged`` and ``QuotaExceeded``."""
        replacement = Replace(
            table=self._table,
            fields=dag_to_fields(after, self._stored_graph(after)),
            where={"version": before.version},
        )
        kept = Insert(
            table=self._table, fields=version_to_fields(before, self._stored_graph(before))
        )
        owner, counts = (before.tenant, before.dag_id), (_counts(before), _counts(after))
        job, beside = self._own_jobs.of(own_job)
        writes: list[Write | Put] = [replacement, kept, *self._audit.dag(before, after), *job]
        if not self._tally.write(owner, writes, counts=counts, beside=beside):
            raise DagChanged(after.dag_id)

    def list_dags(
        self, tenant: TenantId, status: DagStatus, *, limit: int, cursor: str | None
    ) -> DagPage:
        """The tenant's DAGs of a status, newest first: one query, and one read of the items."""
        listing = listing_key(tenant, status)
        page = self._listed(tenant, listing, limit, cursor)
        found = page.items
        keys = [Key(pk=str(row["pk"]), sk=str(row["sk"])) for row in found]
        items = self._engine.get_all({self._table: keys})[self._table] if keys else {}
        rows: list[DagRow] = []
        damaged: list[DagId] = []
        for key in keys:
            # The index is a little late: what was deleted just now is in the other list already.
            if key in items and items[key].get("tenant_key") == listing:
                try:
                    rows.append(dag_row_from_fields(items[key]))
                except Malformed:
                    damaged.append(DagId(key.pk.rpartition("#")[2]))
        more = page.last is not None and bool(found)
        return DagPage(
            rows=tuple(rows),
            damaged=tuple(damaged),
            cursor=write_cursor(listing, str(found[-1]["listed_at"])) if more else None,
        )

    def job_statuses(
        self, tenant: TenantId, job_ids: Collection[JobId]
    ) -> Mapping[JobId, JobStatus]:
        """Read the status of these jobs, as far as they exist: one read for a hundred."""
        keys = {job_id: job_key(tenant, job_id) for job_id in job_ids}
        found = self._engine.get_all({self._table: [*keys.values()]})[self._table]
        return {
            job_id: JobStatus(str(found[key]["status"]))
            for job_id, key in keys.items()
            if "status" in found.get(key, ())
        }

    def names(self, tenant: TenantId, dag_ids: Collection[DagId]) -> Mapping[DagId, str]:
        """Read the names of these DAGs, as far as they exist: one read for a hundred."""
        keys = {dag_id: dag_key(tenant, dag_id) for dag_id in dag_ids}
        found = self._engine.get_all({self._table: [*keys.values()]})[self._table]
        return {dag_id: str(found[key]["name"]) for dag_id, key in keys.items() if key in found}

    def _listed(self, tenant: TenantId, listing: str, limit: int, cursor: str | None) -> Rows:
        after: dict[str, Plain] | None = None
        if cursor is not None:
            listed_at = read_cursor(listing, cursor)
            key = dag_key(tenant, DagId(listed_at.rpartition("#")[2]))
            after = {"pk": key.pk, "sk": key.sk, "tenant_key": listing, "listed_at": listed_at}
        return self._engine.query(
            Query(
                table=self._table,
                of=listing,
                index="by_tenant",
                latest_first=True,
                limit=limit,
                after=after,
            )
        )

    def _replaced(
        self, tenant: TenantId, dag_id: DagId, *, below: int, limit: int
    ) -> list[tuple[int, Fields]]:
        """The items of the latest versions that were replaced, before one, by their numbers."""
        query = Query(
            table=self._table,
            of=dag_pk(tenant, dag_id),
            first=VERSION_PREFIX,
            last=version_key(tenant, dag_id, below - 1).sk,
            latest_first=True,
            consistent=True,
        )
        found = first_rows(self._engine, query, limit)
        return [(int(str(each["sk"]).removeprefix(VERSION_PREFIX)), each) for each in found]

    def _stored_graph(self, dag: Dag) -> Payload:
        """Return the payload of the DAG's graph; store a large one, the same at the same path."""
        text = graph_to_text(dag)
        size = len(text.encode())
        if size <= MAX_INLINE_BYTES:
            return Payload(inline=text, size_bytes=size)
        digest = hashlib.sha256(text.encode()).hexdigest()
        path = f"payloads/{dag.tenant}/{dag.dag_id}/{digest}"
        self._blobs.put(path, text)
        return Payload(blob=path, size_bytes=size)


def _counts(dag: Dag) -> bool:
    """Tell if the DAG counts against the quota."""
    return dag.status is DagStatus.ACTIVE
