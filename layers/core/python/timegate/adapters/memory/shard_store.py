"""Which shards are open, in memory."""

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.dispatch.shards import OpenShards


class MemoryShardStore:
    """The twin of ``DynamoShardStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def read(self) -> OpenShards | None:
        """What is open; ``None`` before anything ever was."""
        with self._tables.lock:
            return self._tables.open_shards

    def replace(self, before: OpenShards | None, after: OpenShards) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        with self._tables.lock:
            if self._tables.open_shards != before:
                return False
            self._tables.open_shards = in_milliseconds(after)
            return True
