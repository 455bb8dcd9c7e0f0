"""The routes of operations, and of many jobs at once."""

from api.contracts.listings import OperationsQuery
from api.contracts.operations import BackfillRequest, NewJobs, NewOperation
from api.routes import bulk, operations
from api.routes.route import Route
from api.routes.scope import Scope

LONG_WORK = (
    Route(
        method="POST",
        path="/v1/jobs/bulk",
        serve=bulk.create,
        operation="createJobs",
        body=NewJobs,
        weight=5,
    ),
    Route(
        method="POST",
        path="/v1/jobs/<job_id>/backfill",
        serve=operations.backfill,
        operation="backfillJob",
        body=BackfillRequest,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/operations",
        serve=operations.start,
        operation="startOperation",
        body=NewOperation,
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/operations",
        serve=operations.list_page,
        operation="listOperations",
        query=OperationsQuery,
    ),
    Route(
        method="GET",
        path="/v1/operations/<operation_id>",
        serve=operations.get,
        operation="getOperation",
    ),
    Route(
        method="POST",
        path="/v1/operations/<operation_id>/cancel",
        serve=operations.cancel,
        operation="cancelOperation",
        asks=Scope.OPERATE,
    ),
)
