"""Reading operations, and asking one to stop."""

from timegate.domain.operations.operation import Operation, OperationStatus
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.values.errors import OperationIsFinished
from timegate.domain.values.identity import OperationId
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.operation_store import OperationPage
from timegate.ports.stores import NamedPage
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable
from timegate.usecases.services.matching_rows import damaged_of, look_through


def read_operation(tenant: TenantId, operation_id: OperationId, services: ApiServices) -> Operation:
    """One operation; raises ``OperationNotFound``."""
    return services.operations.get(tenant, operation_id)


def list_operations(
    tenant: TenantId,
    wanted: OperationFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> NamedPage[Operation]:
    """The tenant's operations that match and can be read, newest first.

    Fewer than ``limit``, even none, with a cursor means "not finished looking". Raises
    ``InvalidInput`` for a cursor that is none.
    """

    def read(most: int, begin: str | None) -> OperationPage:
        page = services.operations.list_operations(tenant, limit=most, cursor=begin)
        event, telemetry = service_events.OPERATION_UNREADABLE, services.telemetry
        tell_of_unreadable(event, tenant, page.damaged, telemetry, named="operation_id")
        return page

    found, pages = look_through(read, wanted.matches, limit=limit, cursor=cursor)
    return NamedPage(rows=found, damaged=damaged_of(pages), cursor=pages[-1].cursor)


def cancel_operation(
    tenant: TenantId, operation_id: OperationId, services: ApiServices
) -> Operation:
    """Ask it to begin nothing more; what it did stays done, and a cancelled one stays as it is.

    A backfill cancels those of its runs that have not begun.
    Raises ``OperationNotFound``, and ``OperationIsFinished`` when it ended in another way.
    """
    operation = services.operations.request_cancel(tenant, operation_id)
    if not operation.is_running and operation.status is not OperationStatus.CANCELLED:
        raise OperationIsFinished(operation_id, operation.status)
    services.telemetry.event(
        service_events.OPERATION_CANCEL_REQUESTED, tenant_id=tenant, operation_id=operation_id
    )
    return operation
