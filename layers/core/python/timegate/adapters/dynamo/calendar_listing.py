"""Reading the calendars of a tenant, by name."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.restriction_items import (
    CALENDAR_PREFIX,
    calendar_from_fields,
    restrictions_pk,
)
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.calendar import Calendar
from timegate.domain.tenant import TenantId
from timegate.ports.stores import Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Behind a name it sorts after that name, and before every longer one that begins with it.
_BEFORE_LONGER = "!"
_AFTER_ALL = "~"


def list_calendars(
    client: "DynamoDBClient", table: str, tenant: TenantId, *, limit: int, cursor: str | None
) -> Page[Calendar]:
    """Those that are: of one that was deleted its version stays, as long as runs do."""
    listing = f"calendars#{tenant}"
    after = f"{read_cursor(listing, cursor)}{_BEFORE_LONGER}" if cursor is not None else ""
    found: list[Calendar] = []
    for fields in _items(client, table, tenant, after):
        if "deleted" not in fields:
            found.append(calendar_from_fields(fields))
        if len(found) > limit:
            more = write_cursor(listing, found[limit - 1].name)
            return Page(rows=tuple(found[:limit]), cursor=more)
    return Page(rows=tuple(found), cursor=None)


def _items(
    client: "DynamoDBClient", table: str, tenant: TenantId, after: str
) -> Iterator[dict[str, Plain]]:
    pages = client.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
        ExpressionAttributeValues={
            ":pk": {"S": restrictions_pk(tenant)},
            ":first": {"S": f"{CALENDAR_PREFIX}{after}"},
            ":last": {"S": f"{CALENDAR_PREFIX}{_AFTER_ALL}"},
        },
        ConsistentRead=True,
    )
    with throttles_translated():
        for page in pages:
            yield from map(from_item, page["Items"])
