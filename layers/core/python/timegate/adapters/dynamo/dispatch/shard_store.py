"""Open shards, recorded beside the jobs."""

from collections.abc import Mapping

from timegate.adapters.dynamo.dispatch.whole_records import WholeRecord
from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import OpenShards

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
