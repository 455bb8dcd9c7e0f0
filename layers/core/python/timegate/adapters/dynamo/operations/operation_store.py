"""The records of operations, in the jobs table."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.operations.operation_items import (
    WATCH_BUCKET,
    listing_of,
    operation_from_fields,
    operation_key,
    operation_to_fields,
    parse_operation_key,
    progress_fields,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Insert, Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.operations.operation import Operation, OperationStatus
from timegate.domain.values.errors import OperationNotFound
from timegate.domain.values.identity import OperationId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.operation_store import OperationPage, OperationRef


class DynamoOperationStore:
    """One item per operation."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._engine = engine
        self._audit = audit or AuditWrites(table=table)
        self._table = table
        self._retention = timedelta(days=retention_days)

    def create(self, operation: Operation) -> Operation:
        """Store a new operation unless its id exists; what is stored, new or old."""
        fields = operation_to_fields(operation, retention=self._retention)
        insert = Insert(table=self._table, fields=fields, as_of=operation.created_at)
        is_new = write_with(self._engine, insert, self._audit.operation(None, operation))
        return operation if is_new else self.get(operation.tenant, operation.operation_id)

    def get(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """The operation, strongly consistent; raises ``OperationNotFound``."""
        found = self._engine.get(self._table, operation_key(tenant, operation_id))
        if found is None:
            raise OperationNotFound(operation_id)
        return operation_from_fields(found)

    def list_operations(self, tenant: TenantId, *, limit: int, cursor: str | None) -> OperationPage:
        """The tenant's operations, newest first: one query of the index, one read of them."""
        listing = listing_of(tenant)
        page = self._engine.query(
            Query(
                table=self._table,
                of=listing,
                index="by_tenant",
                latest_first=True,
                limit=limit,
                after=_start(tenant, listing, cursor),
            )
        )
        found = page.items
        keys = [Key(pk=str(row["pk"]), sk=str(row["sk"])) for row in found]
        items = self._engine.get_all({self._table: keys})[self._table]
        stored = [(key, items[key]) for key in keys if key in items]
        read, damaged = read_each(stored, operation_from_fields)
        named = tuple((parse_operation_key(key.pk, key.sk)[1], why) for key, why in damaged)
        more = page.last is not None and bool(found)
        position = str(found[-1]["listed_at"]) if more else None
        following = write_cursor(listing, position) if position else None
        return OperationPage(rows=read, damaged=named, cursor=following)

    def advance(self, before: Operation, after: Operation) -> bool:
        """Store a step; ``False`` when another was made since ``before`` was read."""
        update = Update(
            table=self._table,
            key=operation_key(before.tenant, before.operation_id),
            fields=progress_fields(after, retention=self._retention),
            where={"status": OperationStatus.RUNNING, "step": before.step},
        )
        return self._engine.write_each([update])[0].done

    def request_cancel(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """Mark a running operation; as it is now, also when it has ended."""
        found = self.get(tenant, operation_id)
        if found.is_running and not found.cancel_requested:
            update = Update(
                table=self._table,
                key=operation_key(tenant, operation_id),
                fields={"cancel_requested": True},
                where={"status": OperationStatus.RUNNING, "cancel_requested": None},
            )
            asked = replace(found, cancel_requested=True)
            told = self._audit.operation(found, asked)
            if write_with(self._engine, update, told):
                return asked
            return self.get(tenant, operation_id)
        return found

    def wake(self, tenant: TenantId, operation_id: OperationId) -> bool:
        """Change a field without readers: the stream shows it."""
        woken = Update(
            table=self._table,
            key=operation_key(tenant, operation_id),
            fields={},
            added={"woken": 1},
            where={"status": OperationStatus.RUNNING},
        )
        return self._engine.write(woken).done

    def overdue(self, *, until: datetime) -> Iterator[OperationRef]:
        """Running operations at which a worker must look, soonest first."""
        query = Query(table=self._table, of=WATCH_BUCKET, index="due", last=compact(until))
        for fields in rows(self._engine, query):
            tenant, operation = parse_operation_key(str(fields["pk"]), str(fields["sk"]))
            yield OperationRef(tenant=tenant, id=operation)

    def touch(self, ref: OperationRef, *, now: datetime, watch_at: datetime) -> Operation | None:
        """Wake an operation that is overdue and put the next look off."""
        touched = Update(
            table=self._table,
            key=operation_key(ref.tenant, ref.id),
            fields={"due_at": compact(watch_at)},
            # No worker has made a step, or put the look off, since it was found.
            where={
                "status": OperationStatus.RUNNING,
                "due_at": Compared(at_most=compact(now)),
            },
            shows_stored=True,
        )
        found = self._engine.write(touched).stored
        return operation_from_fields(found) if found is not None else None


def _start(tenant: TenantId, listing: str, cursor: str | None) -> dict[str, Plain] | None:
    if cursor is None:
        return None
    listed_at = read_cursor(listing, cursor)
    key = operation_key(tenant, OperationId(listed_at.rpartition("#")[2]))
    return {"pk": key.pk, "sk": key.sk, "tenant_key": listing, "listed_at": listed_at}
