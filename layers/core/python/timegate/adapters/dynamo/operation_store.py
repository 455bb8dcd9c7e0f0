"""The records of operations, in the jobs table."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.audit_writes import AuditWrites
from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.keys import Key
from timegate.adapters.dynamo.operation_items import (
    WATCH_BUCKET,
    listing_of,
    operation_from_fields,
    operation_key,
    operation_to_fields,
    parse_operation_key,
    progress_fields,
)
from timegate.adapters.dynamo.single_writes import write_each, write_with
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item, to_item
from timegate.adapters.dynamo.writes import Insert, Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.errors import OperationNotFound
from timegate.domain.identity import OperationId
from timegate.domain.instants import compact
from timegate.domain.operation import Operation, OperationStatus
from timegate.domain.tenant import TenantId
from timegate.ports.operations import OperationRef
from timegate.ports.stores import Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_IS_RUNNING = "#status = :running"
#: Nobody has made a step, or put the look off, since it was found.
_IS_OVERDUE = f"{_IS_RUNNING} AND due_at <= :now"


class DynamoOperationStore:
    """One item per operation."""

    def __init__(
        self,
        client: "DynamoDBClient",
        *,
        table: str,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._client = client
        self._audit = audit or AuditWrites(table=table)
        self._table = table
        self._retention = timedelta(days=retention_days)

    def create(self, operation: Operation) -> Operation:
        """Store a new operation unless its id exists; what is stored, new or old."""
        fields = operation_to_fields(operation, retention=self._retention)
        insert = Insert(table=self._table, fields=fields)
        is_new = write_with(self._client, insert, self._audit.operation(None, operation))
        return operation if is_new else self.get(operation.tenant, operation.operation_id)

    def get(self, tenant: TenantId, operation_id: OperationId) -> Operation:
        """The operation, strongly consistent; raises ``OperationNotFound``."""
        key = operation_key(tenant, operation_id)
        with throttles_translated():
            answer = self._client.get_item(
                TableName=self._table, Key=key.attributes(), ConsistentRead=True
            )
        if "Item" not in answer:
            raise OperationNotFound(operation_id)
        return operation_from_fields(from_item(answer["Item"]))

    def list_operations(
        self, tenant: TenantId, *, limit: int, cursor: str | None
    ) -> Page[Operation]:
        """The tenant's operations, newest first: one query of the index, one read of them."""
        listing = listing_of(tenant)
        with throttles_translated():
            answer = self._client.query(
                TableName=self._table,
                IndexName="by_tenant",
                KeyConditionExpression="tenant_key = :listing",
                ExpressionAttributeValues={":listing": {"S": listing}},
                ScanIndexForward=False,
                Limit=limit,
                **_start(tenant, listing, cursor),
            )
        found = [from_item(item) for item in answer["Items"]]
        keys = [Key(pk=str(row["pk"]), sk=str(row["sk"])) for row in found]
        items = read_all(self._client, {self._table: keys})[self._table]
        rows = tuple(operation_from_fields(items[key]) for key in keys if key in items)
        more = "LastEvaluatedKey" in answer and bool(found)
        position = str(found[-1]["listed_at"]) if more else None
        return Page(rows=rows, cursor=write_cursor(listing, position) if position else None)

    def advance(self, before: Operation, after: Operation) -> bool:
        """Store a step; ``False`` when another was made since ``before`` was read."""
        update = Update(
            table=self._table,
            key=operation_key(before.tenant, before.operation_id),
            fields=progress_fields(after, retention=self._retention),
            where={"status": OperationStatus.RUNNING, "step": before.step},
        )
        return write_each(self._client, [update])[0].done

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
            if write_with(self._client, update, told):
                return asked
            return self.get(tenant, operation_id)
        return found

    def wake(self, tenant: TenantId, operation_id: OperationId) -> bool:
        """Change something that nobody reads: the stream shows it."""
        ref = OperationRef(tenant=tenant, id=operation_id)
        values = {":one": {"N": "1"}}
        return self._change(ref, "ADD woken :one", _IS_RUNNING, values) is not None

    def overdue(self, *, until: datetime) -> Iterator[OperationRef]:
        """Running operations at which someone must look, soonest first."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            IndexName="due",
            KeyConditionExpression="due_bucket = :bucket AND due_at <= :until",
            ExpressionAttributeValues={
                ":bucket": {"S": WATCH_BUCKET},
                ":until": {"S": compact(until)},
            },
        )
        with throttles_translated():
            for page in pages:
                for item in page["Items"]:
                    tenant, operation = parse_operation_key(
                        str(item["pk"]["S"]), str(item["sk"]["S"])
                    )
                    yield OperationRef(tenant=tenant, id=operation)

    def touch(self, ref: OperationRef, *, now: datetime, watch_at: datetime) -> Operation | None:
        """Wake an operation that is overdue and put the next look off."""
        values = {":now": {"S": compact(now)}, ":watch_at": {"S": compact(watch_at)}}
        return self._change(ref, "SET due_at = :watch_at", _IS_OVERDUE, values)

    def _change(
        self, ref: OperationRef, update: str, condition: str, values: dict[str, Any]
    ) -> Operation | None:
        """The operation as it is then; ``None`` when the condition does not hold."""
        try:
            with throttles_translated():
                answer = self._client.update_item(
                    TableName=self._table,
                    Key=operation_key(ref.tenant, ref.id).attributes(),
                    UpdateExpression=update,
                    ConditionExpression=condition,
                    ExpressionAttributeNames={"#status": "status"},
                    ExpressionAttributeValues={
                        ":running": {"S": OperationStatus.RUNNING},
                        **values,
                    },
                    ReturnValues="ALL_NEW",
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return None
        return operation_from_fields(from_item(answer["Attributes"]))


def _start(tenant: TenantId, listing: str, cursor: str | None) -> dict[str, Any]:
    if cursor is None:
        return {}
    listed_at = read_cursor(listing, cursor)
    key = operation_key(tenant, OperationId(listed_at.rpartition("#")[2]))
    position = {"pk": key.pk, "sk": key.sk, "tenant_key": listing, "listed_at": listed_at}
    return {"ExclusiveStartKey": to_item(position)}
