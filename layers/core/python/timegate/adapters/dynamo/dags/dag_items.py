"""DAGs as items: beside the graph, what a listing shows of it."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dags.dag_graph import graph_from_text
from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    payload_from_fields,
    payload_to_fields,
    text,
    texts,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dags.definition import Dag, DagStatus, FailurePolicy
from timegate.domain.values.identity import DagId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.dags import DagRow

Fields = Mapping[str, Plain]

DAG_SK = "dag"
VERSION_PREFIX = "dag-version#"


def dag_pk(tenant: TenantId, dag_id: DagId) -> str:
    """The partition of a DAG and its versions; no job has the id of a DAG."""
    return f"{tenant}#{dag_id}"


def dag_key(tenant: TenantId, dag_id: DagId) -> Key:
    """The key of a DAG as it is now."""
    return Key(pk=dag_pk(tenant, dag_id), sk=DAG_SK)


def version_key(tenant: TenantId, dag_id: DagId, version: int) -> Key:
    """The key of a version that was replaced; a DAG's sort by their numbers."""
    return Key(pk=dag_pk(tenant, dag_id), sk=f"{VERSION_PREFIX}{version:010}")


def listing_key(tenant: TenantId, status: DagStatus) -> str:
    """The partition of the index that lists a tenant's DAGs: no tenant's name has a ``#``."""
    return f"dags#{status}#{tenant}"


def listed_at(dag: Dag) -> str:
    """Creation order, ties broken by id."""
    return f"{compact(dag.created_at)}#{dag.dag_id}"


def dag_to_fields(dag: Dag, graph: Payload) -> dict[str, Plain]:
    """The item of a DAG as it is now; ``graph``: where its text is."""
    key = dag_key(dag.tenant, dag.dag_id)
    return {
        **_own_fields(dag, graph, key),
        "tenant_key": listing_key(dag.tenant, dag.status),
        "listed_at": listed_at(dag),
    }


def version_to_fields(dag: Dag, graph: Payload) -> dict[str, Plain]:
    """The item of a version that is replaced: in no index."""
    return _own_fields(dag, graph, version_key(dag.tenant, dag.dag_id, dag.version))


def _own_fields(dag: Dag, graph: Payload, key: Key) -> dict[str, Plain]:
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": dag.tenant,
        "dag_id": dag.dag_id,
        "version": dag.version,
        "status": dag.status,
        "name": dag.name,
        "description": dag.description or None,
        "tags": dict(dag.tags),
        "metadata": dict(dag.metadata),
        "task_count": len(dag.tasks),
        "edge_count": len(dag.edges),
        "graph": payload_to_fields(graph),
        "failure_policy": dag.failure_policy,
        "max_retries": dag.max_retries or None,
        "timeout_seconds": dag.timeout_seconds,
        "created_at": compact(dag.created_at),
        "updated_at": compact(dag.updated_at),
        "request_hash": dag.request_hash,
    }


@reader_of("DAG")
def dag_row_from_fields(fields: Fields) -> DagRow:
    """Read back what a listing shows; raises ``Malformed``."""
    return DagRow(
        dag_id=DagId(text(fields["dag_id"])),
        version=number(fields["version"]),
        status=DagStatus(text(fields["status"])),
        name=text(fields["name"]),
        description=text(fields.get("description", "")),
        tags=texts(fields.get("tags")),
        tasks=number(fields["task_count"]),
        edges=number(fields["edge_count"]),
        created_at=from_compact(text(fields["created_at"])),
        updated_at=from_compact(text(fields["updated_at"])),
    )


def graph_of(fields: Fields) -> Payload:
    """Return the payload that holds the text of a DAG's graph."""
    return payload_from_fields(mapping(fields.get("graph")))


@reader_of("DAG")
def dag_from_fields(fields: Fields) -> Dag:
    """Read a DAG back whose graph rides in the item; raises ``Malformed``."""
    row = dag_row_from_fields(fields)
    tasks, edges = graph_from_text(text(graph_of(fields).inline))
    return Dag(
        tenant=TenantId(text(fields["tenant"])),
        dag_id=row.dag_id,
        version=row.version,
        status=row.status,
        name=row.name,
        description=row.description,
        tags=row.tags,
        metadata=texts(fields.get("metadata")),
        tasks=tasks,
        edges=edges,
        failure_policy=FailurePolicy(text(fields["failure_policy"])),
        max_retries=number(fields.get("max_retries", 0)),
        timeout_seconds=number(fields["timeout_seconds"]),
        created_at=row.created_at,
        updated_at=row.updated_at,
        request_hash=text(fields["request_hash"]),
    )
