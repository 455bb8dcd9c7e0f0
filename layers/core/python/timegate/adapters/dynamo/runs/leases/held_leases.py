"""Writes of holders of runs, in the runs table."""

from dataclasses import replace
from datetime import datetime

from timegate.adapters.dynamo.runs.items.index_items import index_fields, moved_watch_fields
from timegate.adapters.dynamo.runs.leases import lease_writes, slice_writes
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.runs.held_leases import HeldByDagRun


class DynamoHeldLeases:
    """The part of ``DynamoRunStore`` between a claim and an end."""

    def __init__(self, engine: Engine, *, table: str, shards: ShardPlacement) -> None:
        self._engine = engine
        self._table = table
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
        return lease_writes.hand_over(
            self._engine,
            self._table,
            attempt,
            expires_at=expires_at,
            at=at,
            to=to,
            watch=moved_watch_fields(attempt, watch_at, shards=self._shards),
        )

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
        return lease_writes.extend(
            self._engine,
            self._table,
            attempt,
            expires_at=expires_at,
            report=report,
            handed_over_at=handed_over_at,
            watch=moved_watch_fields(attempt, watch_at, shards=self._shards),
        )

    def release(self, attempt: Attempt, *, state: RunState, watch_at: datetime) -> bool:
        """Hand a lease back; ``False`` when it was lost."""
        let_go = replace(attempt, state=state, lease=None, watch_at=watch_at)
        watch = index_fields(let_go, shards=self._shards())
        return lease_writes.release(self._engine, self._table, attempt, state=state, watch=watch)

    def end_slice(self, before: Attempt, after: Attempt) -> bool:
        """End a slice and queue the next; ``False`` when the lease was lost."""
        watch = index_fields(after, shards=self._shards())
        return slice_writes.end_slice(self._engine, self._table, before, after, watch=watch)

    def keep_answer(self, attempt: Attempt, answer: KeptAnswer) -> bool:
        """Keep what the target answered to a worker that lost its lease."""
        return lease_writes.keep_answer(self._engine, self._table, attempt, answer)

    def count_duplicate(self, attempt: Attempt) -> None:
        """Count a duplicate that was prevented on the attempt's record."""
        lease_writes.count_duplicate(self._engine, self._table, attempt)
