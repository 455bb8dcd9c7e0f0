"""Routes under ``/v1/dags``, as far as they are about definitions."""

from http import HTTPStatus

from api.dags import dag_answers
from api.dags.dag_views import dag_page_view, dag_row, dag_view, graph_view, validated_view
from api.http.exchange import Exchange, Reply
from api.http.headers import dag_ref, etag, idempotency_key
from api.http.route import Scope, route
from api.values.views import page_view
from timegate.contracts.dags.dag import DagPatch, DagsQuery, GraphQuery, NewDag
from timegate.contracts.values.queries import PageQuery
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.drawing import dot, drawing_of, mermaid
from timegate.domain.dags.errors import DagVersionNotFound
from timegate.usecases.dags.create_dag import create_dag
from timegate.usecases.dags.delete_dag import delete_dag
from timegate.usecases.dags.read_dags import list_dags, list_versions, read_dag
from timegate.usecases.dags.update_dag import update_dag
from timegate.usecases.dags.validate_dag import validate_new, validate_stored
from timegate.usecases.execution.target_refusals import tell_refused_fields
from timegate.usecases.jobs.create_job import CreateJobRequest

_LANGUAGES = {"mermaid": mermaid, "dot": dot}


@route(
    "POST",
    "/v1/dags",
    operation="createDag",
    weight=4,
    body=NewDag,
    answer=dag_answers.Dag,
    success={
        201: "The new DAG.",
        200: "The Idempotency-Key was used before with this body: the DAG as it is now.",
    },
    refusals=(409, 422),
    request_headers=("Idempotency-Key",),
    answer_headers=("ETag", "Location", "Idempotency-Replayed"),
)
def create(exchange: Exchange) -> Reply:
    """Create a DAG.

    Its graph is checked as a whole. With an Idempotency-Key the same request gives the same DAG for
    as long as it exists.
    """
    body = exchange.body(keeps_unknown=True)
    request = CreateJobRequest(
        tenant=exchange.tenant,
        hash=body.fingerprint,
        idempotency_key=idempotency_key(exchange),
    )
    definition = body.parse(NewDag).to_domain()
    created = create_dag(request, definition, exchange.services, now=exchange.now)
    reply = _reply(created.dag)
    headers = {**reply.headers, "Location": f"/v1/dags/{created.dag.dag_id}"}
    made = Reply(body=reply.body, headers=headers, status=HTTPStatus.CREATED)
    return made.unless(replayed=created.replayed)


@route(
    "GET",
    "/v1/dags",
    operation="listDags",
    query=DagsQuery,
    answer=dag_answers.DagPage,
    success={200: "A page of the tenant's DAGs."},
)
def list_page(exchange: Exchange) -> Reply:
    """List DAGs.

    Newest first, without their tasks; those deleted are a list of their own.
    """
    query = exchange.query(DagsQuery)
    page = list_dags(exchange.tenant, query.status, exchange.services, **query.paging)
    return Reply(body=dag_page_view(query.leading_on(page)))


@route(
    "GET",
    "/v1/dags/<dag_id>",
    operation="getDag",
    weight=2,
    answer=dag_answers.Dag,
    success={200: "The DAG as it is now, whether or not it is deleted."},
    refusals=(404,),
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read a DAG.

    Its latest version.
    """
    return _reply(read_dag(exchange.tenant, exchange.dag_id, exchange.services))


@route(
    "PATCH",
    "/v1/dags/<dag_id>",
    operation="updateDag",
    weight=4,
    body=DagPatch,
    answer=dag_answers.Dag,
    success={200: "The DAG as it is now."},
    refusals=(404, 409, 412, 422),
    request_headers=("If-Match",),
    answer_headers=("ETag",),
)
def update(exchange: Exchange) -> Reply:
    """Change a DAG: its next version.

    Its next version; runs that have begun keep to theirs.
    """
    changes = exchange.body().parse(DagPatch).to_domain()
    return _reply(update_dag(dag_ref(exchange), changes, exchange.services, now=exchange.now))


@route(
    "DELETE",
    "/v1/dags/<dag_id>",
    operation="deleteDag",
    answer=dag_answers.Dag,
    success={200: "The DAG, deleted; one that was is as it was."},
    refusals=(404, 409, 412),
    request_headers=("If-Match",),
    answer_headers=("ETag",),
)
def delete(exchange: Exchange) -> Reply:
    """Delete a DAG.

    No run of it starts any more; runs that have begun go on.
    """
    return _reply(delete_dag(dag_ref(exchange), exchange.services, now=exchange.now))


@route(
    "GET",
    "/v1/dags/<dag_id>/versions",
    operation="listDagVersions",
    query=PageQuery,
    answer=dag_answers.DagVersionPage,
    success={200: "A page of its versions."},
    refusals=(404,),
)
def versions(exchange: Exchange) -> Reply:
    """List the versions of a DAG.

    Latest first.
    """
    query = exchange.query(PageQuery)
    page = list_versions(exchange.tenant, exchange.dag_id, exchange.services, **query.paging)
    return Reply(body=page_view(query.leading_on(page), dag_row))


@route(
    "GET",
    "/v1/dags/<dag_id>/versions/<version>",
    operation="getDagVersion",
    weight=2,
    answer=dag_answers.Dag,
    success={200: "The DAG as that version has it."},
    refusals=(404,),
)
def version(exchange: Exchange) -> Reply:
    """Read a version of a DAG.

    Runs under way may still follow an earlier version.
    """
    dag_id, text = exchange.dag_id, exchange.path["version"]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):  # noqa: PLR2004 - digits
        raise DagVersionNotFound(dag_id, text)
    found = read_dag(exchange.tenant, dag_id, exchange.services, version=int(text))
    return Reply(body=dag_view(found))


@route(
    "POST",
    "/v1/dags/validate",
    operation="validateNewDag",
    asks=Scope.READ,
    weight=4,
    body=NewDag,
    answer=dag_answers.DagValidation,
    success={200: "What is wrong with it; nothing is stored."},
)
def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a DAG that is not stored.

    The problems are those of createDag; nothing is stored and no quota is used.
    """
    definition = exchange.body().parse(NewDag).to_domain()
    found = validate_new(exchange.tenant, definition, exchange.services, now=exchange.now)
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_view(found))


@route(
    "POST",
    "/v1/dags/<dag_id>/validate",
    operation="validateDag",
    asks=Scope.READ,
    weight=4,
    body=DagPatch,
    body_is_optional=True,
    answer=dag_answers.DagValidation,
    success={200: "What is wrong with it as jobs and targets are now; nothing is stored."},
    refusals=(404,),
)
def validate_again(exchange: Exchange) -> Reply:
    """Say what is wrong with a DAG, as it is or would be after changes.

    Without changes the stored definition is checked; nothing is stored.
    """
    patch = exchange.optional_body().parse(DagPatch)
    found = validate_stored(
        exchange.tenant, exchange.dag_id, patch.to_domain(), exchange.services, now=exchange.now
    )
    tell_refused_fields(exchange.tenant, found.problems, exchange.services.telemetry)
    return Reply(body=validated_view(found))


@route(
    "GET",
    "/v1/dags/<dag_id>/graph",
    operation="drawDag",
    weight=2,
    query=GraphQuery,
    answer=dag_answers.DagGraph,
    success={200: "The DAG as a picture."},
    refusals=(404,),
)
def graph(exchange: Exchange) -> Reply:
    """Draw a DAG.

    The answer has places and lines, or text for Mermaid or Graphviz; drawDagPicture draws SVG.
    """
    query = exchange.query(GraphQuery)
    dag = read_dag(exchange.tenant, exchange.dag_id, exchange.services, version=query.version)
    drawing = drawing_of(dag)
    text = _LANGUAGES[query.format](drawing) if query.format in _LANGUAGES else None
    named = {"dag_id": dag.dag_id, "version": dag.version, "name": dag.name}
    return Reply(body={**named, "format": query.format, **graph_view(drawing, text)})


def _reply(dag: Dag) -> Reply:
    return Reply(body=dag_view(dag), headers={"ETag": etag(dag.version)})
