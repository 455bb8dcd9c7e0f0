"""Open shards, recorded beside the jobs."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    optional_number,
    text,
)
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import Opening, OpenShards
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import compact, from_compact


class DynamoShardStore:
    """One item for the whole table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def read(self) -> OpenShards | None:
        """Read the open shards, strongly consistent; ``None`` before the first record."""
        found = self._engine.get_all({self._table: [OPEN_SHARDS]})[self._table]
        return _from_fields(found[OPEN_SHARDS]) if OPEN_SHARDS in found else None

    def replace(self, before: OpenShards | None, after: OpenShards) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        written = Update(
            table=self._table,
            key=OPEN_SHARDS,
            fields={"record": _to_fields(after)},
            where={"record": _to_fields(before) if before is not None else None},
            creates=True,
        )
        return self._engine.write(written).done


def _to_fields(shards: OpenShards) -> Mapping[str, Plain]:
    """One value, so that one condition compares all of it."""
    openings: list[Plain] = [
        {"shards": each.shards, "at": compact(each.at)} for each in shards.openings
    ]
    closing: dict[str, Plain] = {"closing": shards.closing} if shards.closing is not None else {}
    return {"openings": openings, "key": shards.key.hex(), **closing}


@reader_of("record of open shards")
def _from_fields(fields: Mapping[str, Plain]) -> OpenShards:
    record = mapping(fields["record"])
    listed = record["openings"]
    if not isinstance(listed, list):
        raise Malformed("The record of open shards lists none.")
    openings = [mapping(each) for each in listed]
    return OpenShards(
        openings=tuple(
            Opening(shards=number(each["shards"]), at=from_compact(text(each["at"])))
            for each in openings
        ),
        closing=optional_number(record.get("closing")),
        key=bytes.fromhex(text(record["key"])),
    )
