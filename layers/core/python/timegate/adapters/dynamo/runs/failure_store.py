"""Failed runs of a tenant: a sparse index over a few partitions, read as one."""

from collections.abc import Iterator
from heapq import merge
from itertools import islice

from timegate.adapters.dynamo.runs.items.index_items import FAILURE_PARTS, failure_partition
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import parse_attempt_key
from timegate.adapters.dynamo.tables.reading import Fields
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Page

#: Sorts before every instant, and after everything that follows one in a key.
_EARLIEST, _LATEST = "0", "~"


class DynamoFailureStore:
    """The index ``failures`` of the runs table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def list_failures(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """A tenant's failures that ended within, the latest end first."""
        listing = f"failures#{tenant}"
        below = read_cursor(listing, cursor) if cursor is not None else None
        first = compact(within.start) if within.start is not None else _EARLIEST
        last = f"{compact(within.end)}{_LATEST}" if within.end is not None else _LATEST
        if below is not None:
            last = min(last, below)
        if last < first:
            return Page(rows=(), cursor=None)
        parts = [
            self._part(failure_partition(tenant, part), (first, last), page_size=limit + 1)
            for part in range(FAILURE_PARTS)
        ]
        merged = merge(*parts, key=_position, reverse=True)
        # The range includes its bound: the last row of the page before.
        rest = (row for row in merged if _position(row) != below)
        found = list(islice(rest, limit + 1))
        shown = found[:limit]
        leads_on = len(found) > limit
        return Page(
            rows=tuple(_reference(row) for row in shown),
            cursor=write_cursor(listing, _position(shown[-1])) if leads_on else None,
        )

    def _part(self, partition: str, keys: tuple[str, str], *, page_size: int) -> Iterator[Fields]:
        first, last = keys
        query = Query(
            table=self._table,
            of=partition,
            index="failures",
            first=first,
            last=last,
            latest_first=True,
            limit=page_size,
        )
        return rows(self._engine, query)


def _position(row: Fields) -> str:
    return str(row["failure_at"])


def _reference(row: Fields) -> AttemptRef:
    tenant, attempt = parse_attempt_key(str(row["pk"]), str(row["sk"]))
    return AttemptRef(tenant=tenant, id=attempt)
