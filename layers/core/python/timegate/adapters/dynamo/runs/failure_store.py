"""Runs of a tenant that sparse indexes show: failures, and all runs of jobs that list them."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice

from timegate.adapters.dynamo.runs.items.index_items import (
    FAILURE_PARTS,
    LISTED_PARTS,
    late_part,
    listed_position,
    tenant_partition,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.indexes import RUNS_INDEXES
from timegate.adapters.dynamo.tables.keys import parse_attempt_key
from timegate.adapters.dynamo.tables.reading import Fields
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Page

#: Sorts before every instant, and after everything that follows one in a key.
_EARLIEST, _LATEST = "0", "~"
#: Entries that are read of a partition at once, at least: chance spreads them unevenly.
_FEW = 8


class _TenantIndex:
    """An index of the runs table, whose sort keys begin with an instant; its entries of one tenant
    lie in a few partitions, read as one.
    """

    def __init__(self, engine: Engine, *, table: str, index: str, parts: int) -> None:
        self._engine, self._table = engine, table
        self._index, self._parts = index, parts
        self._sort = RUNS_INDEXES[index].sort

    def page(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """A tenant's entries of instants within, the latest first; one query for each partition.

        Raises ``InvalidInput`` for a cursor that is none of this listing.
        """
        below = read_cursor(self._listing(tenant), cursor) if cursor is not None else None
        first = compact(within.start) if within.start is not None else _EARLIEST
        last = f"{compact(within.end)}{_LATEST}" if within.end is not None else _LATEST
        if below is not None:
            last = min(last, below)
        if last < first:
            return Page(rows=(), cursor=None)
        # Twice the share of each: a partition that has more of them is read on.
        size = min(limit + 1, max(_FEW, 2 * (limit + 1) // self._parts))
        parts = [
            self._part(tenant_partition(tenant, part), (first, last), page_size=size)
            for part in range(self._parts)
        ]
        merged = merge(*parts, key=self._position, reverse=True)
        # The range includes its bound: the last row of the page before.
        rest = (row for row in merged if self._position(row) != below)
        found = list(islice(rest, limit + 1))
        shown = found[:limit]
        leads_on = len(found) > limit
        return Page(
            rows=tuple(_reference(row) for row in shown),
            cursor=self.cursor(tenant, self._position(shown[-1])) if leads_on else None,
        )

    def earliest(
        self,
        tenant: TenantId,
        *,
        within: InstantRange,
        limit: int,
        after: str | None,
        beside: Sequence[str] = (),
    ) -> tuple[tuple[AttemptRef, ...], str | None]:
        """A tenant's entries of instants within, the earliest first, and where others are.

        ``beside``: further partitions, whose entries no listing shows.
        """
        first = compact(within.start) if within.start is not None else _EARLIEST
        last = f"{compact(within.end)}{_LATEST}" if within.end is not None else _LATEST
        keys = (max(first, after or _EARLIEST), last)
        parts = [
            self._part(tenant_partition(tenant, part), keys, page_size=limit + 1, downwards=False)
            for part in (*range(self._parts), *beside)
        ]
        # The range includes its bound: the last row of the page before.
        merged = merge(*parts, key=self._position)
        found = list(islice((r for r in merged if self._position(r) != after), limit + 1))
        shown = found[:limit]
        more = self._position(shown[-1]) if len(found) > limit else None
        return tuple(_reference(row) for row in shown), more

    def cursor(self, tenant: TenantId, position: str) -> str:
        """The cursor that leads on from a position."""
        return write_cursor(self._listing(tenant), position)

    def _listing(self, tenant: TenantId) -> str:
        return f"{self._index}#{tenant}"

    def _position(self, row: Fields) -> str:
        return str(row[self._sort])

    def _part(
        self,
        partition: str,
        keys: tuple[str, str],
        *,
        page_size: int,
        downwards: bool = True,
    ) -> Iterator[Fields]:
        first, last = keys
        query = Query(
            table=self._table,
            of=partition,
            index=self._index,
            first=first,
            last=last,
            latest_first=downwards,
            limit=page_size,
        )
        return rows(self._engine, query)


def _reference(row: Fields) -> AttemptRef:
    tenant, attempt = parse_attempt_key(str(row["pk"]), str(row["sk"]))
    return AttemptRef(tenant=tenant, id=attempt)


class DynamoFailureStore:
    """The index ``failures`` of the runs table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._index = _TenantIndex(engine, table=table, index="failures", parts=FAILURE_PARTS)

    def list_failures(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """A tenant's failures that ended within, the latest end first."""
        return self._index.page(tenant, within=within, limit=limit, cursor=cursor)

    def failures_since(
        self,
        tenant: TenantId,
        *,
        within: InstantRange,
        limit: int,
        after: str | None,
        late: bool = False,
    ) -> tuple[tuple[AttemptRef, ...], str | None]:
        """A tenant's failures that ended within, and late runs found within; the earliest first."""
        beside = [late_part(part) for part in range(FAILURE_PARTS)] if late else []
        return self._index.earliest(tenant, within=within, limit=limit, after=after, beside=beside)


class DynamoListedRunStore:
    """The index ``listed`` of the runs table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._index = _TenantIndex(engine, table=table, index="listed", parts=LISTED_PARTS)

    def list_listed(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """Attempts of a tenant's listed runs of instants within, the latest instant first."""
        return self._index.page(tenant, within=within, limit=limit, cursor=cursor)

    def cursor_after(self, last: AttemptRef) -> str:
        """The cursor that leads on from an attempt of this listing."""
        return self._index.cursor(last.tenant, listed_position(last.id))
