"""Reading the calendars of a tenant, by name."""

from collections.abc import Iterator

from timegate.adapters.dynamo.restrictions.restriction_items import (
    CALENDAR_PREFIX,
    calendar_from_fields,
    calendar_key,
    in_force_from_fields,
    in_force_key,
    restrictions_pk,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.present_rows import present_rows
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.values.tenant import TenantId
from timegate.ports.restrictions import CalendarPage

#: Behind a name it sorts after that name, and before every longer one that begins with it.
_BEFORE_LONGER = "!"
_AFTER_ALL = "~"


def list_calendars(
    engine: Engine, table: str, tenant: TenantId, *, limit: int, cursor: str | None
) -> CalendarPage:
    """List calendars; the version of a deleted one stays stored, and is left out."""
    listing = f"calendars#{tenant}"
    after = f"{read_cursor(listing, cursor)}{_BEFORE_LONGER}" if cursor is not None else ""
    query = Query(
        table=table,
        of=restrictions_pk(tenant),
        first=f"{CALENDAR_PREFIX}{after}",
        last=f"{CALENDAR_PREFIX}{_AFTER_ALL}",
        consistent=True,
    )
    stored = present_rows(engine, query, limit + 1, lambda: _keys(engine, table, tenant))
    found = [(_name_of(each), each) for each in stored]
    calendars, damaged = read_each(found[:limit], calendar_from_fields)
    more = write_cursor(listing, found[limit - 1][0]) if len(found) > limit else None
    return CalendarPage(rows=calendars, damaged=damaged, cursor=more)


def _name_of(fields: dict[str, Plain]) -> str:
    return str(fields["sk"]).removeprefix(CALENDAR_PREFIX)


def _keys(engine: Engine, table: str, tenant: TenantId) -> Iterator[Key]:
    """Yield the keys of the calendars that the record of what is in force names."""
    found = engine.get(table, in_force_key(tenant))
    if found is not None:
        names = in_force_from_fields(tenant, found).calendars
        yield from (calendar_key(tenant, name) for name in names)
