"""Reading the calendars of a tenant, by name."""

from collections.abc import Iterator
from itertools import islice

from timegate.adapters.dynamo.restrictions.restriction_items import (
    CALENDAR_PREFIX,
    calendar_from_fields,
    restrictions_pk,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
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
    stored = (each for each in _items(engine, table, tenant, after) if "deleted" not in each)
    found = [(_name_of(each), each) for each in islice(stored, limit + 1)]
    calendars, damaged = read_each(found[:limit], calendar_from_fields)
    more = write_cursor(listing, found[limit - 1][0]) if len(found) > limit else None
    return CalendarPage(rows=calendars, damaged=damaged, cursor=more)


def _name_of(fields: dict[str, Plain]) -> str:
    return str(fields["sk"]).removeprefix(CALENDAR_PREFIX)


def _items(engine: Engine, table: str, tenant: TenantId, after: str) -> Iterator[dict[str, Plain]]:
    return rows(
        engine,
        Query(
            table=table,
            of=restrictions_pk(tenant),
            first=f"{CALENDAR_PREFIX}{after}",
            last=f"{CALENDAR_PREFIX}{_AFTER_ALL}",
            consistent=True,
        ),
    )
