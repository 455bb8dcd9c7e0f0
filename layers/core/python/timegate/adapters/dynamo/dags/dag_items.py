"""DAGs as items: beside the graph, what a listing shows of it."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dags.dag_graph import graph_from_text
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import mapping, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.values.identity import DagId
from timegate.domain.values.instants import compact
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.dags import DagRow

Fields = Mapping[str, Plain]

DAG_SK = "dag"
VERSION_PREFIX = "dag-version#"
_DAG = Part(Dag, without=("tasks", "edges"), always=("status",))
_ROW = Part(DagRow, names={"tasks": "task_count", "edges": "edge_count"})
_GRAPH = Part(Payload)


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
        **_DAG.fields(dag),
        "task_count": len(dag.tasks),
        "edge_count": len(dag.edges),
        "graph": _GRAPH.map(graph),
    }


@reader_of("DAG")
def dag_row_from_fields(fields: Fields) -> DagRow:
    """Read back what a listing shows; raises ``Malformed``."""
    return _ROW.read(fields)


def graph_of(fields: Fields) -> Payload:
    """Return the payload that holds the text of a DAG's graph."""
    return _GRAPH.read(mapping(fields.get("graph")))


@reader_of("DAG")
def dag_from_fields(fields: Fields) -> Dag:
    """Read a DAG back whose graph rides in the item; raises ``Malformed``."""
    tasks, edges = graph_from_text(text(graph_of(fields).inline))
    return _DAG.read(fields, tasks=tasks, edges=edges)
