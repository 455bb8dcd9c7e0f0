"""Listing the freezes of a tenant, and of the stage that holds it back."""

from heapq import merge
from itertools import islice

from timegate.adapters.dynamo.restrictions.restriction_items import (
    FREEZE_PREFIX,
    freeze_from_fields,
    restrictions_pk,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, first_rows
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.restrictions.freeze import Freeze, FreezeId
from timegate.domain.values.tenant import ADMINISTRATION, TenantId
from timegate.ports.restrictions import FreezePage


def list_freezes(
    engine: Engine, table: str, tenant: TenantId, *, limit: int, cursor: str | None
) -> FreezePage:
    """Return a page of freezes, the last to start first: two queries, for the stage itself one."""
    listing = f"freezes#{tenant}"
    # Nothing that begins with the prefix sorts behind a tilde.
    last = f"{FREEZE_PREFIX}~"
    before = min(read_cursor(listing, cursor), last) if cursor is not None else last
    owners = dict.fromkeys([tenant, ADMINISTRATION])
    found = [_freezes_of(engine, table, owner, limit + 1, before=before) for owner in owners]
    rows = list(islice(merge(*found, key=_sort_key, reverse=True), limit + 1))
    named = [(FreezeId(_sort_key(f).removeprefix(FREEZE_PREFIX)), f) for f in rows[:limit]]
    freezes, damaged = read_each(named, freeze_from_fields)
    seen = [each for freeze in freezes for each in seen_at(tenant, freeze)]
    following = write_cursor(listing, _sort_key(rows[limit])) if len(rows) > limit else None
    return FreezePage(rows=tuple(seen), damaged=damaged, cursor=following)


def seen_at(tenant: TenantId, freeze: Freeze) -> tuple[Freeze, ...]:
    """Return a freeze as a tenant sees it; one of the stage that spares it is not seen."""
    if freeze.tenant == tenant:
        return (freeze,)
    return () if tenant in freeze.spared_tenants else (freeze.seen_by(tenant),)


def _freezes_of(
    engine: Engine, table: str, owner: TenantId, limit: int, *, before: str
) -> list[dict[str, Plain]]:
    query = Query(
        table=table,
        of=restrictions_pk(owner),
        first=FREEZE_PREFIX,
        last=before,
        latest_first=True,
        consistent=True,
    )
    return list(first_rows(engine, query, limit))


def _sort_key(fields: dict[str, Plain]) -> str:
    return str(fields["sk"])
