"""Storing a plan's runs apart from its job's move, by statements in batches."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import chain

from timegate.adapters.dynamo.jobs.job_items import as_read, due_fields, standing_fields
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.engine import MAX_STATEMENTS, Engine
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.reading import written
from timegate.adapters.dynamo.tables.writes import Insert, Update
from timegate.domain.jobs.job import Timing
from timegate.domain.runs.run import Attempt
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.stores import Advance


class DynamoAnnouncedPlans:
    """The jobs table and the runs table, as planners write them."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        jobs_table: str,
        shards: ShardPlacement,
        retention_days: int,
    ) -> None:
        self._engine = engine
        self._table = table
        self._jobs_table = jobs_table
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def announce_all(self, jobs: Sequence[tuple[Timing, Timing]]) -> list[bool]:
        """Store what jobs announce, each if it is still as it was read."""
        return self._execute([self._announcement(before, after) for before, after in jobs])

    def store_runs(self, attempts: Sequence[Attempt]) -> list[bool]:
        """Store runs, each unless it exists."""
        shards, retention = self._shards(), self._retention
        items = [attempt_to_fields(each, shards=shards, retention=retention) for each in attempts]
        return self._execute([Insert(table=self._table, fields=item) for item in items])

    def move_all(self, advances: Sequence[Advance]) -> list[bool]:
        """Move jobs past what they announced, each if it is still as it announced it."""
        return self._execute([self._move(each) for each in advances])

    def _announcement(self, before: Timing, after: Timing) -> Update:
        return Update(
            table=self._jobs_table,
            key=job_key(before.tenant, before.job_id),
            # A count of runs that only grows: who has read the job before is refused by it.
            fields={"runs_planned": after.runs_planned, **standing_fields(after)},
            where=as_read(before),
        )

    def _move(self, advance: Advance) -> Update:
        before = advance.timing
        after = advance.plan.after(before)
        return Update(
            table=self._jobs_table,
            key=job_key(before.tenant, before.job_id),
            fields={
                **due_fields(after, shards=self._shards(), at=advance.at),
                "next_run_at": written(after.next_run_at),
                **standing_fields(after),
            },
            where=as_read(before),
        )

    def _execute(self, writes: Sequence[Update | Insert]) -> list[bool]:
        batches = [
            writes[start : start + MAX_STATEMENTS]
            for start in range(0, len(writes), MAX_STATEMENTS)
        ]
        written = self._engine.side_by_side(self._engine.execute, batches)
        return [result.done for result in chain.from_iterable(written)]
