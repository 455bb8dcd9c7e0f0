"""What happens to a lease between its claim and its end, in memory."""

from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.conditions import (
    holds_lease,
    released_by_us,
    with_release,
    with_report,
    with_slice,
)
from timegate.adapters.memory.tables import MemoryTables
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost
from timegate.ports.held_leases import HeldByDagRun
from timegate.ports.shards import Spread


class HeldLeases:
    """The part of ``MemoryRunStore`` that those call who hold a run."""

    def __init__(self, tables: MemoryTables, *, shards: Spread = lambda: ONE_SHARD) -> None:
        self._tables = tables
        self._shards = shards

    def hand_over(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        at: datetime,
        to: HeldByDagRun | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Leave the lease to the target; ``False`` when it was lost, or the run has ended."""
        with self._tables.lock:
            stored = self._stored(attempt)
            if stored is None or stored.lease is None or not holds_lease(stored, attempt):
                return False
            if stored.lease.handed_over_at is None:
                lease = replace(stored.lease, expires_at=expires_at, handed_over_at=at)
                if to is not None:
                    stored = replace(stored, dag_run=to.dag_run)
                    lease = replace(lease, deadline_at=to.deadline_at)
                self._watched(replace(stored, lease=lease), watch_at)
            return True

    def extend(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        report: Report = SILENCE,
        handed_over_at: datetime | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Renew a lease and store what its holder reports; whether a cancel was requested."""
        with self._tables.lock:
            stored = self._stored(attempt)
            if stored is None or stored.lease is None or not holds_lease(stored, attempt):
                raise LeaseLost(str(attempt.id))
            since = stored.lease.handed_over_at or handed_over_at
            lease = replace(stored.lease, expires_at=expires_at, handed_over_at=since)
            self._watched(replace(with_report(stored, report), lease=lease), watch_at)
            return stored.cancel_requested

    def release(self, attempt: Attempt, *, state: RunState, watch_at: datetime) -> bool:
        """Hand a lease back; ``False`` when it was lost."""
        with self._tables.lock:
            stored = self._stored(attempt)
            if stored is None:
                return False
            if released_by_us(stored, attempt, state):
                return True
            if not holds_lease(stored, attempt):
                return False
            released = with_release(stored, attempt, state, watch_at)
            self._tables.put_attempt(released, shards=self._shards())
            return True

    def end_slice(self, before: Attempt, after: Attempt) -> bool:
        """End a slice and queue the next; ``False`` when the lease was lost."""
        with self._tables.lock:
            stored = self._stored(before)
            if stored is None or not holds_lease(stored, before):
                last = stored.slices.last if stored is not None else None
                return last is not None and last.fence == before.fence
            self._tables.put_attempt(with_slice(stored, before, after), shards=self._shards())
            return True

    def keep_answer(self, attempt: Attempt, answer: KeptAnswer) -> bool:
        """Keep what the target answered to a worker that lost its lease."""
        with self._tables.lock:
            stored = self._stored(attempt)
            if stored is None or stored.kept_answer is not None:
                return False
            self._tables.put_attempt(replace(stored, kept_answer=answer, direct=True))
            return True

    def count_duplicate(self, attempt: Attempt) -> None:
        """Count a duplicate that was prevented on the attempt's record."""
        with self._tables.lock:
            stored = self._stored(attempt)
            if stored is not None:
                prevented = stored.duplicates_prevented + 1
                self._tables.put_attempt(replace(stored, duplicates_prevented=prevented))

    def _watched(self, attempt: Attempt, watch_at: datetime | None) -> None:
        """Store an attempt, watched at another instant if there is one."""
        if watch_at is None:
            self._tables.put_attempt(attempt)
        else:
            moved = replace(attempt, watch_at=watch_at)
            self._tables.put_attempt(moved, shards=self._shards())

    def _stored(self, attempt: Attempt) -> Attempt | None:
        return self._tables.attempts.get((attempt.tenant, attempt.id))
