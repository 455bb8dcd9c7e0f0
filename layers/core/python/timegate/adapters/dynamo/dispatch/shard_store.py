"""Open shards, recorded beside the jobs."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS
from timegate.adapters.dynamo.tables.reading import mapping, reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dispatch.shards import OpenShards

_RECORD = Part(OpenShards)


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
    return _RECORD.map(shards)


@reader_of("record of open shards")
def _from_fields(fields: Mapping[str, Plain]) -> OpenShards:
    return _RECORD.read(mapping(fields["record"]))
