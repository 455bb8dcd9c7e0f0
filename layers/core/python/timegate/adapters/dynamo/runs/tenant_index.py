"""An index of the runs table whose entries of one tenant lie in a few partitions, read as one."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice

from timegate.adapters.dynamo.runs.items.index_items import tenant_partition
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.indexes import RUNS_INDEXES
from timegate.adapters.dynamo.tables.reading import Fields
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page

#: Sorts before every instant, and after everything that follows one in a key.
_EARLIEST, _LATEST = "0", "~"
#: Entries that are read of a partition at once, at least: chance spreads them unevenly.
_FEW = 8


class TenantIndex:
    """Entries of an index whose sort keys begin with an instant, by tenant."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        index: str,
        parts: Sequence[int | str],
        listing: str | None = None,
    ) -> None:
        """``listing``: the name that cursors carry; by default that of the index."""
        self._engine, self._table = engine, table
        self._index, self._parts = index, parts
        self._name = listing or index
        self._sort = RUNS_INDEXES[index].sort

    def page(
        self, tenant: TenantId, *, limit: int, cursor: str | None, within: InstantRange = EVER
    ) -> Page[Fields]:
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
        size = min(limit + 1, max(_FEW, 2 * (limit + 1) // len(self._parts)))
        parts = [
            self._part(tenant_partition(tenant, part), (first, last), page_size=size)
            for part in self._parts
        ]
        merged = merge(*parts, key=self._position, reverse=True)
        # The range includes its bound: the last row of the page before.
        rest = (row for row in merged if self._position(row) != below)
        found = list(islice(rest, limit + 1))
        shown = found[:limit]
        leads_on = len(found) > limit
        return Page(
            rows=tuple(shown),
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
    ) -> tuple[tuple[Fields, ...], str | None]:
        """A tenant's entries of instants within, the earliest first, and where others are.

        ``beside``: further partitions, whose entries no listing shows.
        """
        first = compact(within.start) if within.start is not None else _EARLIEST
        last = f"{compact(within.end)}{_LATEST}" if within.end is not None else _LATEST
        keys = (max(first, after or _EARLIEST), last)
        parts = [
            self._part(tenant_partition(tenant, part), keys, page_size=limit + 1, downwards=False)
            for part in (*self._parts, *beside)
        ]
        # The range includes its bound: the last row of the page before.
        merged = merge(*parts, key=self._position)
        found = list(islice((r for r in merged if self._position(r) != after), limit + 1))
        shown = found[:limit]
        more = self._position(shown[-1]) if len(found) > limit else None
        return tuple(shown), more

    def cursor(self, tenant: TenantId, position: str) -> str:
        """The cursor that leads on from a position."""
        return write_cursor(self._listing(tenant), position)

    def _listing(self, tenant: TenantId) -> str:
        return f"{self._name}#{tenant}"

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
