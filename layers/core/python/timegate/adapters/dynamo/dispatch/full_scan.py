"""Everything that waits, read from end to end: an operator's right, which no function has."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from timegate.adapters.dynamo.tables.engine import Engine, Scan
from timegate.adapters.dynamo.tables.keys import Key, bucket_name, job_of
from timegate.adapters.dynamo.tables.reading import text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import from_compact
from timegate.ports.dispatch.shards import Resident

#: Between the minute and the shard of a bucket.
_OF_SHARD = "#"


class DynamoCensus:
    """Both indexes, page by page: about 60 bytes an entry, and half a read unit per 4 KB."""

    def __init__(self, engine: Engine, *, jobs_table: str, runs_table: str) -> None:
        self._engine = engine
        self._tables = {"due": jobs_table, "watch": runs_table}

    def residents(self) -> Iterator[Resident]:
        """All jobs and runs that wait in shards, in no order; eventually consistent."""
        for index in self._tables:
            yield from self._of_index(index)

    def move(self, resident: Resident, shards: Placement) -> bool:
        """Let it wait at the same time in the shard that ``shards`` names; ``False``: not there."""
        bucket = f"{resident.index}_bucket"
        shard = shards.shard_of(job_of(resident.pk))
        # Writing it must publish nothing: only a queued run is published by the stream.
        waits = {"state": RunState.WAITING} if resident.index == "watch" else {}
        moved = Update(
            table=self._tables[resident.index],
            key=Key(pk=resident.pk, sk=resident.sk),
            fields={bucket: bucket_name(resident.minute, shard)},
            where={bucket: bucket_name(resident.minute, resident.shard), **waits},
        )
        return self._engine.write(moved).done

    def _of_index(self, index: str) -> Iterator[Resident]:
        named = ("pk", "sk", f"{index}_bucket", f"{index}_at")
        scan: Scan | None = Scan(table=self._tables[index], index=index, fields=named)
        while scan is not None:
            page = self._engine.scan(scan)
            yield from (_resident(index, each) for each in page.items if _is_sharded(index, each))
            scan = replace(scan, after=page.last) if page.last is not None else None


def _is_sharded(index: str, fields: Mapping[str, Plain]) -> bool:
    """Tell if an item waits in a shard: operations and watches over rules have buckets without."""
    return _OF_SHARD in text(fields[f"{index}_bucket"])


def _resident(index: str, fields: Mapping[str, Plain]) -> Resident:
    minute, _, shard = text(fields[f"{index}_bucket"]).rpartition(_OF_SHARD)
    if not shard.isdecimal():
        raise Malformed(f"{fields[f'{index}_bucket']!r} is no bucket.")
    return Resident(
        index=index,
        pk=text(fields["pk"]),
        sk=text(fields["sk"]),
        minute=minute,
        shard=int(shard),
        at=from_compact(text(fields[f"{index}_at"])),
    )
