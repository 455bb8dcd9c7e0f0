"""Ended records of both tables, by a walk over each: what no index shows is archived as well."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from timegate.adapters.archive.archive_rows import job_row, run_row
from timegate.adapters.dynamo.tables.engine import Engine, Scan
from timegate.domain.archive.columns import ArchivedRow
from timegate.domain.archive.rounds import ArchivedTable, Span
from timegate.domain.values.instants import compact

#: Bytes of a table that one segment has. Its rows take nine times as much while they are written,
#: if all are of one day: half of the archiver's memory, as partitions make no segments of one size.
SEGMENT_BYTES = 128 * 1024 * 1024
#: DynamoDB's limit.
MAX_SEGMENTS = 1_000_000
#: Sorts behind whatever follows an instant in a sort key.
_BEHIND = "~"


class DynamoEndedRecords:
    """Walks that DynamoDB filters: only what ended in the span is sent."""

    def __init__(
        self, engine: Engine, *, jobs_table: str, runs_table: str, size_of: Callable[[str], int]
    ) -> None:
        """Read the two tables; ``size_of`` tells how many bytes a table has."""
        self._engine = engine
        self._tables = {ArchivedTable.JOBS: jobs_table, ArchivedTable.RUNS: runs_table}
        self._size_of = size_of

    def segments(self, source: ArchivedTable) -> int:
        """Return in how many segments a table is to be read."""
        size = self._size_of(self._tables[source])
        return min(1 + size // SEGMENT_BYTES, MAX_SEGMENTS)

    def rows(
        self, source: ArchivedTable, span: Span, *, segment: int, of: int
    ) -> Iterator[ArchivedRow]:
        """Yield the records of one segment that ended in the span, in no order."""
        row_of = run_row if source is ArchivedTable.RUNS else job_row
        scan: Scan | None = Scan(
            table=self._tables[source], segment=segment, of=of, between=_bounds(source, span)
        )
        while scan is not None:
            page = self._engine.scan(scan)
            for fields in page.items:
                row = row_of(fields)
                if row is not None:
                    yield row
            scan = replace(scan, after=page.last) if page.last is not None else None


def _bounds(source: ArchivedTable, span: Span) -> Mapping[str, tuple[str, str]]:
    first, last = compact(span.first), compact(span.last)
    if source is ArchivedTable.RUNS:
        return {"ended_at": (first, last)}
    # Sort keys of the audit trail begin with the instant of the change.
    return {
        "recorded_at": (first, last),
        "sk": (first, f"{last}{_BEHIND}"),
        # Jobs whose records have the entry of their creation.
        "told_at": (first, last),
    }
