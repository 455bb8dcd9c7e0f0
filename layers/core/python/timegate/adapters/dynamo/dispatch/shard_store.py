"""Open shards, recorded beside the jobs."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS, Key
from timegate.adapters.dynamo.tables.reading import Fields, mapping, reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import OpenShards

Record = TypeVar("Record")

#: The map within the item of a record that is decided about as a whole.
_MAP = "record"


class WholeRecord(Generic[Record]):
    """One record of a stage or a region, which each writer changes as it was read.

    A condition names each field that this release knows. One on the whole map would never hold once
    a later release has added a field, and the earlier one could change the record no more.
    """

    def __init__(self, part: Part[Record], key: Key) -> None:
        self._part = part
        self._key = key

    def read(self, fields: Fields) -> Record:
        """Read the record of an item; raises ``Malformed``."""
        return self._part.read(mapping(fields[_MAP]))

    def replacing(self, table: str, before: Record | None, after: Record) -> Update:
        """Store ``after`` if what is known of the record is as it was read; keep what is not."""
        if before is None:
            first = {_MAP: self._part.map(after)}
            return Update(
                table=table, key=self._key, fields=first, where={_MAP: None}, creates=True
            )
        return Update(
            table=table,
            key=self._key,
            within=(_MAP,),
            fields=self._part.fields(after),
            where=self._part.fields(before),
        )


_RECORD = WholeRecord(Part(OpenShards), OPEN_SHARDS)


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
        return self._engine.write(_RECORD.replacing(self._table, before, after)).done


@reader_of("record of open shards")
def _from_fields(fields: Mapping[str, Plain]) -> OpenShards:
    return _RECORD.read(fields)
