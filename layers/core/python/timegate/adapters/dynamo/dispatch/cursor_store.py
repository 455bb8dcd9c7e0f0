"""The shard leases of planner and sweeper, beside the jobs they look after."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import cursor_key
from timegate.adapters.dynamo.tables.reading import Fields, number, text
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.domain.values.instants import compact, from_compact
from timegate.ports.dispatch.cursors import Cursor, Watcher

if TYPE_CHECKING:
    from timegate.domain.regions.region_record import OwedLook


class DynamoCursorStore:
    """One item per watcher and shard."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        owed_look: "Callable[[], OwedLook | None]" = lambda: None,
    ) -> None:
        self._engine = engine
        self._table = table
        self._owed_look = owed_look

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
        watermark = from_compact(text(stored["watermark"]))
        sealed = from_compact(text(stored.get("sealed", stored["watermark"])))
        look, looks = self._owed_look(), number(stored.get("looks", 0))
        if look is not None and looks < look.number:
            watermark, sealed = min(watermark, look.since), min(sealed, look.since)
            looks = look.number
        return Cursor(
            watcher=watcher,
            shard=shard,
            owner=owner,
            progress=BucketProgress(watermark=watermark, sealed=sealed, apart=_apart(stored)),
            looks=looks,
        )

    def release(self, cursor: Cursor, progress: BucketProgress) -> None:
        """Store how far we came and free the shard; does nothing if the lease was lost."""
        # Another look may be owed by now: this lease has made the one that it began with.
        looked = {"looks": cursor.looks} if cursor.looks else {}
        # A release that knows of none kept apart reads on from the watermark: all of them.
        apart = {"apart": " ".join(progress.apart)} if progress.apart else {}
        freed = Update(
            table=self._table,
            key=cursor_key(cursor.watcher, cursor.shard),
            fields={
                "watermark": compact(progress.watermark),
                "sealed": compact(progress.sealed),
                **apart,
                **looked,
            },
            removed=("leased_by", "leased_until", *(() if apart else ("apart",))),
            # The lease is still ours to give back.
            where={"leased_by": cursor.owner},
        )
        self._engine.write(freed)


def _apart(stored: Fields) -> tuple[str, ...]:
    return tuple(text(stored.get("apart", "")).split())
