"""Shard leases, in memory."""

from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables, ShardLease, in_milliseconds
from timegate.domain.values.instants import to_milliseconds
from timegate.ports.cursors import Cursor, Watcher


class MemoryCursorStore:
    """The twin of ``DynamoCursorStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def acquire(
        self,
        watcher: Watcher,
        shard: int,
        *,
        owner: str,
        now: datetime,
        until: datetime,
        start: datetime | None = None,
    ) -> Cursor | None:
        """Lease a shard to ``until``; ``None`` while another owner's lease lives."""
        key = (watcher, shard)
        with self._tables.lock:
            held = self._tables.shard_leases.get(key)
            if held is not None and held.owner not in {None, owner} and _lives(held, now):
                return None
            watermark = held.watermark if held is not None else start or now
            sealed = held.sealed if held is not None else watermark
            lease = in_milliseconds(
                ShardLease(watermark=watermark, sealed=sealed, owner=owner, until=until)
            )
            self._tables.shard_leases[key] = lease
        return Cursor(
            watcher=watcher,
            shard=shard,
            owner=owner,
            watermark=lease.watermark,
            sealed=lease.sealed,
        )

    def release(self, cursor: Cursor, *, watermark: datetime, sealed: datetime) -> None:
        """Store how far we came and free the shard; does nothing if the lease was lost."""
        key = (cursor.watcher, cursor.shard)
        with self._tables.lock:
            held = self._tables.shard_leases.get(key)
            if held is not None and held.owner == cursor.owner:
                free = ShardLease(watermark=watermark, sealed=sealed, owner=None, until=None)
                self._tables.shard_leases[key] = in_milliseconds(free)


def _lives(held: ShardLease, now: datetime) -> bool:
    """It ends at its expiry, not a moment later."""
    return held.until is not None and held.until > to_milliseconds(now)
