"""Routes under ``/v1/dags``, as far as they are about definitions."""

from http import HTTPStatus

from api.contracts.dags import DagPatch, DagsQuery, GraphQuery, NewDag
from api.contracts.queries import PageQuery
from api.dag_views import dag_page_view, dag_row, dag_view, graph_view, validated_view
from api.exchange import Exchange, Reply
from api.headers import dag_ref, etag, idempotency_key
from api.views import page_view
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.drawing import dot, drawing_of, mermaid
from timegate.domain.dags.errors import DagVersionNotFound
from timegate.usecases.dags.create_dag import create_dag
from timegate.usecases.dags.delete_dag import delete_dag
from timegate.usecases.dags.read_dags import list_dags, list_versions, read_dag
from timegate.usecases.dags.update_dag import update_dag
from timegate.usecases.dags.validate_dag import validate_new, validate_stored
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.create_job import Request

_LANGUAGES = {"mermaid": mermaid, "dot": dot}


def create(exchange: Exchange) -> Reply:
    """Create a DAG."""
    body = exchange.body()
    request = Request(
        tenant=exchange.tenant,
        hash=body.fingerprint,
        idempotency_key=idempotency_key(exchange),
    )
    definition = body.parse(NewDag).to_domain()
    created = create_dag(request, definition, exchange.services, now=exchange.now)
    reply = _reply(created.dag)
    headers = {**reply.headers, "Location": f"/v1/dags/{created.dag.dag_id}"}
    if created.replayed:
        headers["Idempotency-Replayed"] = "true"
        return Reply(body=reply.body, headers=headers)
    return Reply(body=reply.body, headers=headers, status=HTTPStatus.CREATED)


def list_page(exchange: Exchange) -> Reply:
    """List DAGs."""
    query = exchange.query(DagsQuery)
    page = list_dags(
        exchange.tenant, query.status, exchange.services, limit=query.limit, cursor=query.position
    )
    return Reply(body=dag_page_view(query.leading_on(page)))


def get(exchange: Exchange) -> Reply:
    """Read a DAG."""
    return _reply(read_dag(exchange.tenant, exchange.dag_id, exchange.services))


def update(exchange: Exchange) -> Reply:
    """Change a DAG: its next version."""
    changes = exchange.body().parse(DagPatch).to_domain()
    return _reply(update_dag(dag_ref(exchange), changes, exchange.services, now=exchange.now))


def delete(exchange: Exchange) -> Reply:
    """Delete a DAG."""
    return _reply(delete_dag(dag_ref(exchange), exchange.services, now=exchange.now))


def versions(exchange: Exchange) -> Reply:
    """List the versions of a DAG."""
    query = exchange.query(PageQuery)
    page = list_versions(
        exchange.tenant,
        exchange.dag_id,
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), dag_row))


def version(exchange: Exchange) -> Reply:
    """Read a version of a DAG."""
    dag_id, text = exchange.dag_id, exchange.path["version"]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):  # noqa: PLR2004 - digits
        raise DagVersionNotFound(dag_id, text)
    found = read_dag(exchange.tenant, dag_id, exchange.services, version=int(text))
    return Reply(body=dag_view(found))


def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a DAG that is not stored."""
    definition = exchange.body().parse(NewDag).to_domain()
    found = validate_new(exchange.tenant, definition, exchange.services, now=exchange.now)
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_view(found))


def validate_again(exchange: Exchange) -> Reply:
    """Say what is wrong with a DAG, as it is or would be after changes."""
    patch = exchange.body().parse(DagPatch) if exchange.has_body else DagPatch()
    found = validate_stored(exchange.tenant, exchange.dag_id, patch.to_domain(), exchange.services)
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_view(found))


def graph(exchange: Exchange) -> Reply:
    """Draw a DAG."""
    query = exchange.query(GraphQuery)
    dag = read_dag(exchange.tenant, exchange.dag_id, exchange.services, version=query.version)
    drawing = drawing_of(dag)
    text = _LANGUAGES[query.format](drawing) if query.format in _LANGUAGES else None
    named = {"dag_id": dag.dag_id, "version": dag.version, "name": dag.name}
    return Reply(body={**named, "format": query.format, **graph_view(drawing, text)})


def _reply(dag: Dag) -> Reply:
    return Reply(body=dag_view(dag), headers={"ETag": etag(dag.version)})
