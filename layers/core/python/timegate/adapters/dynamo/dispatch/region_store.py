"""The record of a region, in a table that is not replicated."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import mapping, reader_of
from timegate.adapters.dynamo.tables.throttles import reached
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.regions.region_record import RegionRecord

#: The one item of the table.
RECORD = Key(pk="region", sk="record")
_RECORD = Part(RegionRecord)


class DynamoRegionStore:
    """One item for the whole table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def read(self) -> RegionRecord | None:
        """Read the record, strongly consistent; ``None`` before the first one."""
        found = self._engine.get(self._table, RECORD)
        return _from_fields(found) if found is not None else None

    def replace(self, before: RegionRecord | None, after: RegionRecord) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        written = Update(
            table=self._table,
            key=RECORD,
            fields={"record": _to_fields(after)},
            where={"record": _to_fields(before) if before is not None else None},
            creates=True,
        )
        return self._engine.write(written).done


class PeerRegionStore:
    """The record of the other region: whatever keeps a caller from it is ``RegionUnreached``."""

    def __init__(self, store: DynamoRegionStore) -> None:
        self._store = store

    def read(self) -> RegionRecord | None:
        """Read the record."""
        with reached():
            return self._store.read()

    def replace(self, before: RegionRecord | None, after: RegionRecord) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        with reached():
            return self._store.replace(before, after)


def _to_fields(record: RegionRecord) -> Mapping[str, Plain]:
    """One value, so that one condition compares all of it."""
    return _RECORD.map(record)


@reader_of("record of a region")
def _from_fields(fields: Mapping[str, Plain]) -> RegionRecord:
    return _RECORD.read(mapping(fields["record"]))
