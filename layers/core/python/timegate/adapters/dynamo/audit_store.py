"""Reading the audit trail: of one thing by its partition, of a tenant by the index."""

from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.audit_items import (
    audit_listing,
    audit_pk,
    entry_from_fields,
    entry_key,
)
from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.keys import Key
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item, to_item
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.audit_trail import AuditEntry, AuditFilter
from timegate.domain.instants import compact
from timegate.domain.tenant import TenantId
from timegate.ports.stores import Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Positions begin with an instant; a tilde sorts behind all that follows one.
_EARLIEST, _BEHIND = "0", "~"


class DynamoAuditStore:
    """Two queries and no filter: who is wanted is picked from the page."""

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._client = client
        self._table = table

    def list_entries(
        self, tenant: TenantId, wanted: AuditFilter, *, limit: int, cursor: str | None
    ) -> Page[AuditEntry]:
        """Entries that match, latest first; a page may hold fewer than there are."""
        listing = f"audit#{tenant}#{wanted.resource}"
        before = read_cursor(listing, cursor) if cursor is not None else None
        answer = self._page(tenant, wanted, limit, before)
        found = [from_item(item) for item in answer["Items"]]
        keys = [Key(pk=str(each["pk"]), sk=str(each["sk"])) for each in found]
        items = read_all(self._client, {self._table: keys})[self._table] if keys else {}
        entries = [entry_from_fields(items[key]) for key in keys if key in items]
        more = "LastEvaluatedKey" in answer and bool(keys)
        return Page(
            rows=tuple(entry for entry in entries if wanted.matches(entry)),
            cursor=write_cursor(listing, _position(tenant, keys[-1])) if more else None,
        )

    def _page(self, tenant: TenantId, wanted: AuditFilter, limit: int, before: str | None) -> Any:  # noqa: ANN401 - a boto3 answer
        first = compact(wanted.since) if wanted.since is not None else _EARLIEST
        last = f"{compact(wanted.until)}{_BEHIND}" if wanted.until is not None else _BEHIND
        of_one = wanted.resource is not None
        partition = audit_pk(tenant, wanted.resource) if wanted.resource else audit_listing(tenant)
        names = ("pk", "sk") if of_one else ("tenant_key", "listed_at")
        asked: dict[str, Any] = {
            "TableName": self._table,
            "KeyConditionExpression": f"{names[0]} = :of AND {names[1]} BETWEEN :first AND :last",
            "ExpressionAttributeValues": {
                ":of": {"S": partition},
                ":first": {"S": first},
                ":last": {"S": last},
            },
            "ScanIndexForward": False,
            "Limit": limit,
        }
        asked |= {"ConsistentRead": True} if of_one else {"IndexName": "by_tenant"}
        if before is not None:
            asked["ExclusiveStartKey"] = _start(tenant, before, of_one=of_one)
        with throttles_translated():
            return self._client.query(**asked)


def _position(tenant: TenantId, key: Key) -> str:
    return f"{key.sk}@{key.pk.removeprefix(entry_key(tenant, '', '').pk)}"


def _start(tenant: TenantId, position: str, *, of_one: bool) -> Any:  # noqa: ANN401 - a boto3 key
    sk, _, resource = position.partition("@")
    key = entry_key(tenant, resource, sk)
    start = {"pk": key.pk, "sk": key.sk}
    if not of_one:
        start |= {"tenant_key": audit_listing(tenant), "listed_at": sk}
    return to_item(start)
