"""Definitions of DAGs, read from the jobs table; large graphs are in the blob store."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dags.dag_items import (
    dag_from_fields,
    dag_key,
    graph_of,
    version_key,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import DagNotFound, DagVersionNotFound
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import DagId, own_job_id
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore


class DynamoDagDefinitions:
    """DAGs as they are, or as a version has them; functions that start DAG runs read no more."""

    def __init__(self, engine: Engine, *, table: str, blobs: BlobStore) -> None:
        self._engine = engine
        self._table = table
        self._blobs = blobs

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The DAG as it is now, strongly consistent; raises ``DagNotFound``."""
        return self._dag(self._head(tenant, dag_id))

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """The DAG as that version has it; raises ``DagNotFound`` and ``DagVersionNotFound``."""
        # Most often asked for: what a run that is under way keeps to, which was not replaced.
        keys = [dag_key(tenant, dag_id), version_key(tenant, dag_id, version)]
        found = self._engine.get_all({self._table: keys})[self._table]
        if keys[0] not in found:
            raise DagNotFound(dag_id)
        for fields in found.values():
            if fields.get("version") == version:
                return self._dag(fields)
        raise DagVersionNotFound(dag_id, version)

    def own_job(self, tenant: TenantId, dag_id: DagId) -> Job | None:
        """The DAG's own job, strongly consistent; ``None``: there is none that can be read."""
        # Imported here: few DAG runs are started beside a job of their DAG.
        from timegate.adapters.dynamo.jobs.job_items import is_barred, job_or_damage  # noqa: PLC0415

        job_id = own_job_id(tenant, dag_id)
        key = job_key(tenant, job_id)
        # A batch, as below.
        found = self._engine.get_all({self._table: [key]})[self._table].get(key)
        read = None if found is None or is_barred(found) else job_or_damage(tenant, job_id, found)
        return read if isinstance(read, Job) else None

    def _head(self, tenant: TenantId, dag_id: DagId) -> dict[str, Plain]:
        key = dag_key(tenant, dag_id)
        # The reads of versions are alike: a starter of DAG runs has no other way into this table.
        found = self._engine.get_all({self._table: [key]})[self._table]
        if key not in found:
            raise DagNotFound(dag_id)
        return found[key]

    def _dag(self, fields: Mapping[str, Plain]) -> Dag:
        graph = graph_of(fields)
        if graph.blob is None:
            return dag_from_fields(fields)
        return dag_from_fields({**fields, "graph": {"inline": self._blobs.get(graph.blob)}})
