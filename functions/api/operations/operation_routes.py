"""Routes that start, show and stop long work."""

import hashlib
from functools import partial
from http import HTTPStatus

from api.http.body import JsonBody
from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.route import Scope, route
from api.http.tenancy import check_scope
from api.operations import operation_answers
from api.operations.operation_views import operation_view, preview_view
from api.values.views import page_view
from timegate.contracts.jobs.listings import OperationsQuery
from timegate.contracts.operations.operation import BackfillRequest, NewOperation
from timegate.domain.operations.operation import OperationKind, Task
from timegate.usecases.operations.read_operations import (
    cancel_operation,
    list_operations,
    read_operation,
)
from timegate.usecases.operations.start_backfill import preview_backfill, start_backfill
from timegate.usecases.operations.start_operation import OperationRequest, Started, start_operation

#: Declares a route that starts an operation.
starting = partial(
    route,
    "POST",
    asks=Scope.OPERATE,
    answer=operation_answers.Operation,
    success={
        202: "The operation that was started.",
        200: "The Idempotency-Key was used before with this body: it as it is now.",
    },
    refusals=(404, 409),
    request_headers=("Idempotency-Key",),
    answer_headers=("Location", "Idempotency-Replayed"),
)


@starting("/v1/operations", operation="startOperation", body=NewOperation, refusals=(409,))
def start(exchange: Exchange) -> Reply:
    """Change many jobs.

    Pause, resume or cancel every job that matches. It works on by itself; the answer says where to
    look. To cancel them takes the scope of cancelling one as well: timegate/write.
    """
    body = exchange.body()
    asked = body.parse(NewOperation)
    if asked.kind is OperationKind.CANCEL:
        prefix = exchange.services.scope_prefix
        check_scope(exchange.event, Scope.WRITE, exchange.people, prefix)
    return started_by(exchange, body, "bulk", asked.kind, asked.to_domain())


@starting(
    "/v1/jobs/<job_id>/backfill",
    operation="backfillJob",
    body=BackfillRequest,
    success={
        202: "The operation that was started.",
        200: "Of a dry run: what would be done. Of a replay: the operation as it is now.",
    },
    others={200: operation_answers.BackfillAnswer},
)
def backfill(exchange: Exchange) -> Reply:
    """Run a job for instants of the past.

    A run for each instant of the schedule in a range of the past, at most so many at once. A dry
    run says how many those are.
    """
    body = exchange.body()
    asked = body.parse(BackfillRequest)
    task = asked.to_domain(exchange.job_id)
    if asked.dry_run:
        preview = preview_backfill(exchange.tenant, task, exchange.services, now=exchange.now)
        return Reply(body=preview_view(preview))
    request = _request(exchange, body, exchange.job_id)
    started = start_backfill(request, task, exchange.services, now=exchange.now)
    return _started_reply(started, exchange)


@route(
    "GET",
    "/v1/operations",
    operation="listOperations",
    query=OperationsQuery,
    answer=operation_answers.OperationPage,
    success={200: "A page of the tenant's operations."},
)
def list_page(exchange: Exchange) -> Reply:
    """List operations.

    Newest first.
    """
    query = exchange.query(OperationsQuery)
    page = list_operations(exchange.tenant, query.to_filter(), exchange.services, **query.paging)
    page = query.leading_on(page)
    return Reply(body=page_view(page, lambda each: operation_view(each, now=exchange.now)))


@route(
    "GET",
    "/v1/operations/<operation_id>",
    operation="getOperation",
    answer=operation_answers.Operation,
    success={200: "The operation."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read an operation.

    How far it is, and what it could not do.
    """
    found = read_operation(exchange.tenant, exchange.operation_id, exchange.services)
    return Reply(body=operation_view(found, now=exchange.now))


@route(
    "POST",
    "/v1/operations/<operation_id>/cancel",
    operation="cancelOperation",
    asks=Scope.OPERATE,
    answer=operation_answers.Operation,
    success={200: "The operation, cancelled or about to be."},
    refusals=(404, 409),
)
def cancel(exchange: Exchange) -> Reply:
    """Ask an operation to stop.

    It begins nothing more; what it did stays done.
    """
    operation = cancel_operation(exchange.tenant, exchange.operation_id, exchange.services)
    return Reply(body=operation_view(operation, now=exchange.now))


def started_by(
    exchange: Exchange, body: JsonBody, what: str, kind: OperationKind, task: Task
) -> Reply:
    """Start an operation, and answer with it; ``what`` tells apart what the same body means."""
    request = _request(exchange, body, what)
    started = start_operation(request, kind, task, exchange.services, now=exchange.now)
    return _started_reply(started, exchange)


def _request(exchange: Exchange, body: JsonBody, what: str) -> OperationRequest:
    whole = hashlib.sha256(f"{what}\n{body.fingerprint}".encode()).hexdigest()
    return OperationRequest(
        tenant=exchange.tenant,
        hash=whole,
        caller=exchange.caller,
        idempotency_key=idempotency_key(exchange),
    )


def _started_reply(started: Started, exchange: Exchange) -> Reply:
    """The operation that was started, or that an earlier request had started."""
    operation = started.operation
    headers = {"Location": f"/v1/operations/{operation.operation_id}"}
    view = operation_view(operation, now=exchange.now)
    reply = Reply(body=view, headers=headers, status=HTTPStatus.ACCEPTED)
    return reply.unless(replayed=started.replayed)
