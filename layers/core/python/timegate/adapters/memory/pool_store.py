"""What pools offer, in memory."""

from collections.abc import Collection, Sequence
from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.pools.offered import offered_at
from timegate.domain.runs.run import Attempt
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import Depth, Offered, Shelf, WorkerSeen
from timegate.ports.stores import AttemptRef


class MemoryPoolStore:
    """The twin of ``DynamoPoolStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables
        self._workers: dict[tuple[TenantId, str, str], WorkerSeen] = {}
        #: Those that cannot be read, and until when they are out of sight.
        self._put_off: dict[AttemptRef, datetime] = {}

    def offered(
        self, shelf: Shelf, *, until: datetime, limit: int, handlers: Collection[str] = ()
    ) -> list[Offered]:
        """The first runs that may be claimed by ``until``, soonest first."""
        return self._shown(shelf, until, handlers)[:limit]

    def depth(self, shelf: Shelf, *, now: datetime) -> Depth:
        """How many may be claimed now."""
        return Depth(count=len(self._shown(shelf, now, ())), is_partial=False)

    def put_off(self, tenant: TenantId, offered: Offered, *, until: datetime) -> None:
        """Show a run whose record nobody can read at ``until`` again."""
        self._put_off[AttemptRef(tenant=tenant, id=offered.ref.id)] = until

    def greet(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        """Remember that a worker asked for work."""
        self._workers[tenant, pool, seen.worker] = in_milliseconds(seen)

    def workers(self, tenant: TenantId, pool: str, *, since: datetime) -> Sequence[WorkerSeen]:
        """Those who asked since then, by name."""
        seen = [w for key, w in sorted(self._workers.items()) if key[:2] == (tenant, pool)]
        return [worker for worker in seen if worker.seen_at >= since]

    def _shown(self, shelf: Shelf, until: datetime, handlers: Collection[str]) -> list[Offered]:
        with self._tables.lock:
            attempts = list(self._tables.attempts.values())
        shown = [
            Offered(ref=AttemptRef(tenant=each.tenant, id=each.id), at=at)
            for each in attempts
            if _is_on(shelf, each, handlers) and (at := self._shown_at(each)) is not None
        ]
        in_time = [offered for offered in shown if offered.at <= until]
        return sorted(in_time, key=lambda each: (each.at, each.ref.id))

    def _shown_at(self, attempt: Attempt) -> datetime | None:
        hidden = self._put_off.get(AttemptRef(tenant=attempt.tenant, id=attempt.id))
        if hidden is not None:
            return hidden
        return offered_at(attempt)


def _is_on(shelf: Shelf, attempt: Attempt, handlers: Collection[str]) -> bool:
    offer = attempt.offer
    if offer is None or (attempt.tenant, offer.pool) != (shelf.tenant, shelf.pool):
        return False
    return attempt.priority is shelf.priority and (not handlers or offer.handler in handlers)
