"""The shard leases of planner and sweeper, beside the jobs they look after."""

from datetime import datetime

from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import cursor_key
from timegate.adapters.dynamo.tables.reading import text
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.values.instants import compact, from_compact
from timegate.ports.dispatch.cursors import Cursor, Watcher


class DynamoCursorStore:
    """One item per watcher and shard."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

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
        """Lease a shard; ``None`` while another owner's lease lives."""
        taken = Update(
            table=self._table,
            key=cursor_key(watcher, shard),
            fields={"leased_by": owner, "leased_until": compact(until)},
            first={"watermark": compact(start or now)},
            # No watcher holds the shard, or the one that did is overdue ...
            where={"leased_until": Compared(at_most=compact(now), or_missing=True)},
            # ... or we do, and the answer was lost.
            or_where={"leased_by": owner},
            creates=True,
            shows_stored=True,
        )
        stored = self._engine.write(taken).stored
        if stored is None:
            return None
        watermark = text(stored["watermark"])
        return Cursor(
            watcher=watcher,
            shard=shard,
            owner=owner,
            watermark=from_compact(watermark),
            sealed=from_compact(text(stored.get("sealed", watermark))),
        )

    def release(self, cursor: Cursor, *, watermark: datetime, sealed: datetime) -> None:
        """Store how far we came and free the shard; does nothing if the lease was lost."""
        freed = Update(
            table=self._table,
            key=cursor_key(cursor.watcher, cursor.shard),
            fields={"watermark": compact(watermark), "sealed": compact(sealed)},
            removed=("leased_by", "leased_until"),
            # The lease is still ours to give back.
            where={"leased_by": cursor.owner},
        )
        self._engine.write(freed)
