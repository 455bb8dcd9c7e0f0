"""The routes of definitions of DAGs."""

from api.contracts.dags import DagPatch, DagsQuery, GraphQuery, NewDag
from api.contracts.queries import PageQuery
from api.routes import dags
from api.routes.route import Route
from api.routes.scope import Scope

DAGS = (
    Route(
        method="POST",
        path="/v1/dags",
        serve=dags.create,
        operation="createDag",
        weight=4,
        body=NewDag,
    ),
    Route(
        method="GET",
        path="/v1/dags",
        serve=dags.list_page,
        operation="listDags",
        query=DagsQuery,
    ),
    # Before what has an id in its place.
    Route(
        method="POST",
        path="/v1/dags/validate",
        serve=dags.validate,
        operation="validateNewDag",
        weight=4,
        body=NewDag,
        asks=Scope.READ,
    ),
    Route(
        method="GET",
        path="/v1/dags/<dag_id>",
        serve=dags.get,
        operation="getDag",
        weight=2,
    ),
    Route(
        method="PATCH",
        path="/v1/dags/<dag_id>",
        serve=dags.update,
        operation="updateDag",
        weight=4,
        body=DagPatch,
    ),
    Route(method="DELETE", path="/v1/dags/<dag_id>", serve=dags.delete, operation="deleteDag"),
    Route(
        method="GET",
        path="/v1/dags/<dag_id>/versions",
        serve=dags.versions,
        operation="listDagVersions",
        query=PageQuery,
    ),
    Route(
        method="GET",
        path="/v1/dags/<dag_id>/versions/<version>",
        serve=dags.version,
        operation="getDagVersion",
        weight=2,
    ),
    Route(
        method="POST",
        path="/v1/dags/<dag_id>/validate",
        serve=dags.validate_again,
        operation="validateDag",
        weight=4,
        body=DagPatch,
        body_is_optional=True,
        asks=Scope.READ,
    ),
    Route(
        method="GET",
        path="/v1/dags/<dag_id>/graph",
        serve=dags.graph,
        operation="drawDag",
        weight=2,
        query=GraphQuery,
    ),
)
