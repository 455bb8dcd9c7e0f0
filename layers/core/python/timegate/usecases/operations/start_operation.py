"""Starting an operation: its record is the event that begins it."""

from datetime import datetime

from timegate.domain.operations.operation import (
    WAKE_AFTER,
    Operation,
    OperationKind,
    Tally,
    Task,
)
from timegate.domain.values.errors import IdempotencyConflict, OperationNotFound
from timegate.domain.values.identity import OperationId, job_id_from, operation_id_for_key
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationRequest:
    """The caller, and the keys that recognise a repeated request."""

    tenant: TenantId
    #: Fingerprint of the whole request.
    hash: str
    #: Caller of the tenant.
    caller: str
    idempotency_key: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Started:
    """The operation as it stands now."""

    operation: Operation
    #: An earlier request with the same key had started it.
    replayed: bool


def start_operation(
    request: OperationRequest,
    kind: OperationKind,
    task: Task,
    services: ApiServices,
    *,
    now: datetime,
    matched: int = 0,
) -> Started:
    """Store an operation; the stream hands it to ``operations``.

    ``matched``: how much there is to do, where that is known. Raises ``IdempotencyConflict``
    for a key that was used with another body.
    """
    operation = Operation(
        tenant=request.tenant,
        operation_id=_operation_id(request, services),
        kind=kind,
        task=task,
        request_hash=request.hash,
        created_by=request.caller,
        created_at=now,
        updated_at=now,
        watch_at=now + WAKE_AFTER,
        tally=Tally(matched=matched),
    )
    stored = services.operations.create(operation)
    _check(stored, request)
    replayed = stored.created_at != now
    services.telemetry.event(
        service_events.OPERATION_START_REPLAYED if replayed else service_events.OPERATION_STARTED,
        tenant_id=request.tenant,
        operation_id=stored.operation_id,
        kind=kind,
        caller=request.caller,
    )
    return Started(operation=stored, replayed=replayed)


def started_before(request: OperationRequest, services: ApiServices) -> Operation | None:
    """Return the operation that the same key started; raises ``IdempotencyConflict``.

    A request accepted then may be refused by now: a replay is recognised first.
    """
    if request.idempotency_key is None:
        return None
    operation_id = operation_id_for_key(request.tenant, request.idempotency_key)
    try:
        stored = services.operations.get(request.tenant, operation_id)
    except OperationNotFound:
        return None
    _check(stored, request)
    return stored


def _check(stored: Operation, request: OperationRequest) -> None:
    if stored.request_hash != request.hash:
        raise IdempotencyConflict


def _operation_id(request: OperationRequest, services: ApiServices) -> OperationId:
    if request.idempotency_key is None:
        return OperationId(job_id_from(services.new_seed()))
    return operation_id_for_key(request.tenant, request.idempotency_key)
