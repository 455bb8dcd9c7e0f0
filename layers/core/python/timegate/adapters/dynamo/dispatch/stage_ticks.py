"""Progress of ticks, read off the cursors that they keep."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from timegate.adapters.dynamo.auditing.audit_cursor_items import verdict_from_fields, walk_key
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, cursor_key
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.auditing.stage_health import ShardTicks
from timegate.domain.dispatch.shards import OpenShards
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import from_compact
from timegate.ports.dispatch.cursors import Watcher

Found = TypeVar("Found")
_Fields = Mapping[str, Plain]


class DynamoStageTicks:
    """Reads the open shards, and three items of each."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table
        self._shards = DynamoShardStore(engine, table=table)

    def open_shards(self) -> OpenShards | None:
        """Read the open shards; ``None`` before the first tick."""
        return self._shards.read()

    def read(self, shards: OpenShards) -> tuple[ShardTicks, ...]:
        """Read the progress in each open shard, a hundred items a request."""
        keys = [key for shard in range(shards.count) for key in _keys(shard, shards.count)]
        found = self._engine.get_all({self._table: keys})[self._table]
        return tuple(_ticks(shard, shards, found) for shard in range(shards.count))


def _keys(shard: int, of: int) -> tuple[Key, Key, Key]:
    """Return the keys of planner, sweeper and auditor."""
    return (
        cursor_key(Watcher.PLANNER, shard),
        cursor_key(Watcher.SWEEPER, shard),
        walk_key(shard, of),
    )


def _ticks(shard: int, shards: OpenShards, found: Mapping[Key, _Fields]) -> ShardTicks:
    planner, sweeper, walk = (found.get(key, {}) for key in _keys(shard, shards.count))
    return ShardTicks(
        shard=shard,
        opened_at=shards.opened_at(shard),
        planned_to=_known(_watermark, planner),
        swept_to=_known(_watermark, sweeper),
        audit_began_at=_known(_round, walk),
        audited=_known(verdict_from_fields, walk),
    )


def _known(read: Callable[[_Fields], Found], fields: _Fields) -> Found | None:
    """Read part of an item; one that cannot be read has not been kept."""
    try:
        return read(fields)
    except Malformed:
        return None


@reader_of("cursor")
def _watermark(fields: _Fields) -> datetime:
    return from_compact(text(fields["watermark"]))


@reader_of("audit walk")
def _round(fields: _Fields) -> datetime:
    return from_compact(text(fields["round_began_at"]))
