"""The records of operations, as the use cases see them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from timegate.domain.operations.operation import Operation
from timegate.domain.values.identity import OperationId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationRef:
    """Tenant and id of a stored operation."""

    tenant: TenantId
    id: OperationId


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationPage(NamedPage[Operation]):
    """Operations, and those between them whose records cannot be read."""


class OperationStore(Protocol):
    """One record per operation. Throttling raises ``Throttled`` everywhere.

    Every write of one that is running is an event: workers on operations are told of it.
    """

    def create(self, operation: Operation) -> Operation:
        """Store a new operation unless its id exists; returns what is stored, new or old."""

    def get(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """The operation, strongly consistent; raises ``OperationNotFound``."""

    def list_operations(self, tenant: TenantId, *, limit: int, cursor: str | None) -> OperationPage:
        """The tenant's operations, newest first; raises ``InvalidInput`` for no cursor of it."""

    def advance(self, before: Operation, after: Operation) -> bool:
        """Store a step; ``False`` when another was made since ``before`` was read.

        A cancel that was requested meanwhile stays requested.
        """

    def request_cancel(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """Mark a running operation; returns it as it is now, also when it has ended.

        Raises ``OperationNotFound``.
        """

    def wake(self, tenant: TenantId, operation_id: OperationId) -> bool:
        """Make a worker on operations look at this one; ``False`` if it is not running."""

    def overdue(self, *, until: datetime) -> Iterator[OperationRef]:
        """Running operations at which a worker must look; eventually consistent."""

    def touch(self, ref: OperationRef, *, now: datetime, watch_at: datetime) -> Operation | None:
        """Wake an operation that is overdue and put the next look off to ``watch_at``.

        Answers with the operation; ``None`` when it is not overdue any more.
        """
