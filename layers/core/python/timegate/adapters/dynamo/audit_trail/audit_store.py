"""Reading the audit trail: of one thing by its partition, of a tenant by the index."""

from timegate.adapters.dynamo.audit_trail.audit_items import (
    audit_listing,
    audit_pk,
    entry_from_fields,
    entry_key,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, Rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page

#: Positions begin with an instant; a tilde sorts behind all that follows one.
_EARLIEST, _BEHIND = "0", "~"


class DynamoAuditStore:
    """Two queries and no filter: who is wanted is picked from the page."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def list_entries(
        self, tenant: TenantId, wanted: AuditFilter, *, limit: int, cursor: str | None
    ) -> Page[AuditEntry]:
        """Entries that match, latest first; a page may hold fewer than there are."""
        listing = f"audit#{tenant}#{wanted.resource}"
        before = read_cursor(listing, cursor) if cursor is not None else None
        answer = self._page(tenant, wanted, limit, before)
        found = answer.items
        keys = [Key(pk=str(each["pk"]), sk=str(each["sk"])) for each in found]
        items = self._engine.get_all({self._table: keys})[self._table] if keys else {}
        entries = [entry_from_fields(items[key]) for key in keys if key in items]
        more = answer.last is not None and bool(keys)
        return Page(
            rows=tuple(entry for entry in entries if wanted.matches(entry)),
            cursor=write_cursor(listing, _position(tenant, keys[-1])) if more else None,
        )

    def _page(self, tenant: TenantId, wanted: AuditFilter, limit: int, before: str | None) -> Rows:
        first = compact(wanted.since) if wanted.since is not None else _EARLIEST
        last = f"{compact(wanted.until)}{_BEHIND}" if wanted.until is not None else _BEHIND
        of_one = wanted.resource is not None
        partition = audit_pk(tenant, wanted.resource) if wanted.resource else audit_listing(tenant)
        return self._engine.query(
            Query(
                table=self._table,
                of=partition,
                index=None if of_one else "by_tenant",
                first=first,
                last=last,
                latest_first=True,
                consistent=of_one,
                limit=limit,
                after=_start(tenant, before, of_one=of_one) if before is not None else None,
            )
        )


def _position(tenant: TenantId, key: Key) -> str:
    return f"{key.sk}@{key.pk.removeprefix(entry_key(tenant, '', '').pk)}"


def _start(tenant: TenantId, position: str, *, of_one: bool) -> dict[str, Plain]:
    sk, _, resource = position.partition("@")
    key = entry_key(tenant, resource, sk)
    start: dict[str, Plain] = {"pk": key.pk, "sk": key.sk}
    if not of_one:
        start |= {"tenant_key": audit_listing(tenant), "listed_at": sk}
    return start
