"""Routes that start, show and stop long work."""

import hashlib
from http import HTTPStatus

from api.body import JsonBody
from api.contracts.listings import OperationsQuery
from api.contracts.operations import BackfillRequest, NewOperation
from api.exchange import Exchange, Reply
from api.headers import idempotency_key
from api.operation_views import operation_view, preview_view
from api.views import page_view
from timegate.domain.operations.operation import Operation
from timegate.usecases.operations.read_operations import (
    cancel_operation,
    list_operations,
    read_operation,
)
from timegate.usecases.operations.start_backfill import preview_backfill, start_backfill
from timegate.usecases.operations.start_operation import OperationRequest, Started, start_operation


def start(exchange: Exchange) -> Reply:
    """Change many jobs."""
    body = exchange.body()
    asked = body.parse(NewOperation)
    started = start_operation(
        operation_request(exchange, body, "bulk"),
        asked.kind,
        asked.to_domain(),
        exchange.services,
        now=exchange.now,
    )
    return started_reply(started, exchange)


def backfill(exchange: Exchange) -> Reply:
    """Run a job for instants of the past."""
    body = exchange.body()
    asked = body.parse(BackfillRequest)
    task = asked.to_domain(exchange.job_id)
    if asked.dry_run:
        preview = preview_backfill(exchange.tenant, task, exchange.services, now=exchange.now)
        return Reply(body=preview_view(preview))
    request = operation_request(exchange, body, exchange.job_id)
    return started_reply(
        start_backfill(request, task, exchange.services, now=exchange.now), exchange
    )


def list_page(exchange: Exchange) -> Reply:
    """List operations."""
    query = exchange.query(OperationsQuery)
    page = list_operations(
        exchange.tenant,
        query.to_filter(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    page = query.leading_on(page)
    return Reply(body=page_view(page, lambda each: operation_view(each, now=exchange.now)))


def get(exchange: Exchange) -> Reply:
    """Read an operation."""
    found = read_operation(exchange.tenant, exchange.operation_id, exchange.services)
    return Reply(body=operation_view(found, now=exchange.now))


def cancel(exchange: Exchange) -> Reply:
    """Ask an operation to stop."""
    operation = cancel_operation(exchange.tenant, exchange.operation_id, exchange.services)
    return Reply(body=operation_view(operation, now=exchange.now))


def operation_request(exchange: Exchange, body: JsonBody, what: str) -> OperationRequest:
    """A request that starts an operation; the same body means another thing on another path."""
    whole = hashlib.sha256(f"{what}\n{body.fingerprint}".encode()).hexdigest()
    return OperationRequest(
        tenant=exchange.tenant,
        hash=whole,
        caller=exchange.caller,
        idempotency_key=idempotency_key(exchange),
    )


def started_reply(started: Started, exchange: Exchange) -> Reply:
    """The operation that was started, or that an earlier request had started."""
    operation: Operation = started.operation
    headers = {"Location": f"/v1/operations/{operation.operation_id}"}
    view = operation_view(operation, now=exchange.now)
    if started.replayed:
        return Reply(body=view, headers=headers | {"Idempotency-Replayed": "true"})
    return Reply(body=view, headers=headers, status=HTTPStatus.ACCEPTED)
