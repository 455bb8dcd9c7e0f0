"""The records of operations, in memory."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.operations.operation import Operation
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.values.errors import OperationNotFound
from timegate.domain.values.identity import OperationId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations import OperationRef
from timegate.ports.stores import Page


class MemoryOperationStore:
    """The twin of ``DynamoOperationStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def create(self, operation: Operation) -> Operation:
        """Store a new operation unless its id exists; what is stored, new or old."""
        with self._tables.lock:
            stored = self._stored(operation.tenant, operation.operation_id)
            if stored is None:
                self._told(None, operation)
            return stored or self._tables.put_operation(operation)

    def get(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """The operation; raises ``OperationNotFound``."""
        with self._tables.lock:
            stored = self._stored(tenant, operation_id)
        if stored is None:
            raise OperationNotFound(operation_id)
        return stored

    def list_operations(
        self, tenant: TenantId, *, limit: int, cursor: str | None
    ) -> Page[Operation]:
        """The tenant's operations, newest first."""
        listing = f"{tenant}#operations"
        below = read_cursor(listing, cursor) if cursor is not None else None
        with self._tables.lock:
            own = [o for o in self._tables.operations.values() if o.tenant == tenant]
        newest = sorted(own, key=_listed_at, reverse=True)
        rows = [each for each in newest if below is None or _listed_at(each) < below]
        page = rows[:limit]
        more = write_cursor(listing, _listed_at(page[-1])) if len(rows) > limit else None
        return Page(rows=tuple(page), cursor=more)

    def advance(self, before: Operation, after: Operation) -> bool:
        """Store a step; ``False`` when another was made since ``before`` was read."""
        with self._tables.lock:
            stored = self._stored(before.tenant, before.operation_id)
            if stored is None or not stored.is_running or stored.step != before.step:
                return False
            kept = replace(after, cancel_requested=stored.cancel_requested)
            self._tables.put_operation(kept)
            return True

    def request_cancel(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """Mark a running operation; as it is now, also when it has ended."""
        with self._tables.lock:
            stored = self.get(tenant, operation_id)
            if not stored.is_running or stored.cancel_requested:
                return stored
            after = replace(stored, cancel_requested=True)
            self._told(stored, after)
            return self._tables.put_operation(after)

    def _told(self, before: Operation | None, after: Operation) -> None:
        resource = (ResourceKind.OPERATION, after.operation_id)
        self._tables.told(after.tenant, resource, before=before, after=after)

    def wake(self, tenant: TenantId, operation_id: OperationId) -> bool:
        """Show it in the stream; no field that anybody reads changes."""
        with self._tables.lock:
            stored = self._stored(tenant, operation_id)
            if stored is None or not stored.is_running:
                return False
            self._tables.put_operation(stored)
            return True

    def overdue(self, *, until: datetime) -> Iterator[OperationRef]:
        """Running operations at which someone must look, soonest first."""
        with self._tables.lock:
            found = [
                (each.watch_at, each.operation_id, each.tenant)
                for each in self._tables.operations.values()
                if each.watch_at is not None and each.watch_at <= until
            ]
        return iter([OperationRef(tenant=tenant, id=id_) for _, id_, tenant in sorted(found)])

    def touch(self, ref: OperationRef, *, now: datetime, watch_at: datetime) -> Operation | None:
        """Wake an operation that is overdue and put the next look off."""
        with self._tables.lock:
            stored = self._stored(ref.tenant, ref.id)
            if stored is None or stored.watch_at is None or stored.watch_at > now:
                return None
            return self._tables.put_operation(replace(stored, watch_at=watch_at))

    def _stored(self, tenant: TenantId, operation_id: OperationId) -> Operation | None:
        return self._tables.operations.get((tenant, operation_id))


def _listed_at(operation: Operation) -> str:
    return f"{compact(operation.created_at)}#{operation.operation_id}"
