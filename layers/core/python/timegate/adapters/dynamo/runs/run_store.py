"""The runs table."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.limits.day_counts import DayCounts
from timegate.adapters.dynamo.pools.shown_offers import shown_names
from timegate.adapters.dynamo.runs.items.attempt_items import end_fields
from timegate.adapters.dynamo.runs.items.index_items import watch_fields
from timegate.adapters.dynamo.runs.items.watch_items import UNWATCHED, unwatching
from timegate.adapters.dynamo.runs.leases import claim_writes
from timegate.adapters.dynamo.runs.leases.own_write import took_effect
from timegate.adapters.dynamo.runs.leases.retry_transaction import EndAndRetry, finish_and_retry
from timegate.adapters.dynamo.runs.leases.unchanged import unchanged
from timegate.adapters.dynamo.runs.loading import load_all
from timegate.adapters.dynamo.runs.run_queries import DynamoRunQueries
from timegate.adapters.dynamo.runs.triggered_runs import DynamoTriggeredRuns
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, attempt_key
from timegate.adapters.dynamo.tables.put_off import IndexPlace, put_off
from timegate.adapters.dynamo.tables.transactions import write_apart, write_with
from timegate.adapters.dynamo.tables.values import Plain, stored
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Update
from timegate.domain.execution.day_quota import Counted, DayQuota
from timegate.domain.execution.quota_usage import is_counted, job_counts
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.checkpoint import Checkpoint, sequence_of
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.runs.held_leases import RetryWritten
from timegate.ports.stores import Advance, AttemptRef, Loaded, Unreadable

if TYPE_CHECKING:
    from timegate.adapters.dynamo.planning.plan_transaction import PlannedJob


class DynamoRunStore(DynamoTriggeredRuns, DynamoRunQueries):
    """Runs: one item per attempt."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        jobs_table: str,
        shards: ShardPlacement,
        retention_days: int,
        stage: Quotas = Quotas(),  # noqa: B008 - frozen
        audit: AuditWrites | None = None,
    ) -> None:
        super().__init__(
            engine,
            table=table,
            jobs_table=jobs_table,
            shards=shards,
            retention_days=retention_days,
            audit=audit,
        )
        self._stage = stage
        self._days = DayCounts(engine, table=table, shards=shards)

    def insert_all(self, attempts: Sequence[Attempt]) -> list[bool]:
        """Store new attempts, each unless it exists; ``False`` marks the duplicates."""
        inserts = [Insert(table=self._table, fields=self._fields(a)) for a in attempts]
        told = [self._audit.run(None, each) if each.is_asked_for else [] for each in attempts]
        if any(told):
            return write_apart(self._engine, list(zip(inserts, told, strict=True)))
        return [result.done for result in self._engine.write_each(inserts)]

    def plan_all(self, advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        """Store the planned runs of each job and move it past them; ``None``: too late."""
        # Imported here: few functions plan.
        from timegate.adapters.dynamo.planning.plan_transaction import write_plans  # noqa: PLC0415

        written = write_plans(self._engine, [self._planned(advance) for advance in advances])
        return [
            None if new is None else tuple(compress(advance.plan.attempts, new))
            for advance, new in zip(advances, written, strict=True)
        ]

    def load_all(self, refs: Sequence[AttemptRef]) -> list[Loaded]:
        """Attempts with their jobs, strongly consistent, in the order asked: one call."""
        tables = {"runs": self._table, "jobs": self._jobs_table}
        return load_all(self._engine, refs, **tables, stage=self._stage)

    def claim_all(self, claims: Sequence[LeaseClaim]) -> list[bool]:
        """Lease attempts, each unless it was leased or renewed since."""
        return claim_writes.claim_all(self._engine, self._table, claims, shards=self._shards)

    def claim_within(
        self, tenant: TenantId, quota: DayQuota, claims: Sequence[LeaseClaim]
    ) -> list[Counted]:
        """Claim runs as ``claim_all`` does, each counted by its own claim while there is room."""
        days, table, shards = self._days, self._table, self._shards
        return claim_writes.claim_within(days, table, tenant, quota, claims, shards=shards)

    def is_known_full(self, tenant: TenantId, quota: DayQuota) -> bool:
        """Tell if this process has seen that no room is left; reads nothing."""
        return self._days.is_known_full(tenant, quota)

    def begun(self, tenant: TenantId, day: date) -> int:
        """Read the count of runs of a day, strongly consistent."""
        return self._days.begun(tenant, day)

    def finish_all(self, ended: Sequence[Attempt]) -> list[bool]:
        """Record terminal states, each conditional on its lease still being the stored one."""
        results = self._engine.execute([self._finish(attempt) for attempt in ended])
        return [took_effect(*each) for each in zip(results, ended, strict=True)]

    def finish_and_retry(self, ended: Attempt, retry: Attempt) -> RetryWritten:
        """End one attempt and create the next, unless a caller asked to cancel it."""
        return finish_and_retry(
            self._engine,
            ended,
            lambda checkpoint: EndAndRetry(
                end=self._finish_at(ended, checkpoint),
                retry=Insert(
                    table=self._table, fields=self._fields(replace(retry, checkpoint=checkpoint))
                ),
            ),
        )

    def replace(self, before: Attempt, after: Attempt) -> bool:
        """Write ``after`` unless the attempt changed since it was read as ``before``."""
        fields = stored(self._fields(after))
        write = Replace(
            table=self._table, fields=fields, where=unchanged(before), shows_refused=True
        )
        told = self._audit.run(before, after)
        if told:
            return write_with(self._engine, write, told)
        result = self._engine.write(write)
        # Our own write, if the answer to it was lost on its way.
        return result.done or result.found == fields

    def put_off(
        self, found: AttemptRef | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Have an attempt that cannot be judged looked at at ``until``; ``False``: it is elsewhere.

        The written image may be that of a queued attempt, and must not publish.
        """
        key = (
            Key(pk=found.pk, sk=found.sk)
            if isinstance(found, Unreadable)
            else attempt_key(found.tenant, found.id)
        )
        place = IndexPlace(index="watch", minute=minute, shard=shard)
        return put_off(self._engine, self._table, key, place, until=until, direct=True)

    def unwatch_all(self, ended: Sequence[Attempt]) -> None:
        """Take ends that are followed up out of the ``watch`` index: 25 a call."""
        # The stream's readers need not see it: nothing follows from it.
        self._engine.execute([unwatching(self._table, each) for each in ended])

    def _planned(self, advance: Advance) -> "PlannedJob":
        from timegate.adapters.dynamo.jobs.gap_items import gap_to_fields  # noqa: PLC0415
        from timegate.adapters.dynamo.planning.plan_items import move_of  # noqa: PLC0415
        from timegate.adapters.dynamo.planning.plan_transaction import PlannedJob  # noqa: PLC0415

        timing, plan = advance.timing, advance.plan
        move = partial(move_of, advance, table=self._jobs_table, shards=self._shards())
        runs = [Insert(table=self._table, fields=self._fields(run)) for run in plan.attempts]
        gaps = [
            Put(
                table=self._jobs_table,
                fields=gap_to_fields(gap, expires_at=gap.recorded_at + self._retention),
            )
            for gap in plan.gaps
        ]
        ends = is_counted(timing) and not job_counts(plan.status_after)
        counts = [self.job_tally.ended(timing.tenant, timing.job_id)] if ends else []
        return PlannedJob(
            move=move(plan),
            move_if_last_exists=move(plan.as_stored(())),
            runs=runs,
            gaps=gaps,
            counts=counts,
        )

    def _end_fields(self, ended: Attempt) -> dict[str, Plain]:
        """Only what an end says; a cancel request, say, stays as it is."""
        fields = end_fields(ended, retention=self._retention)
        return {name: value for name, value in fields.items() if value is not None}

    def _finish_at(self, ended: Attempt, checkpoint: Checkpoint | None) -> Update:
        """An end, if this is still the last checkpoint."""
        end = self._finish(ended)
        marks = {**end.where, "checkpoint_sequence": sequence_of(checkpoint) or None}
        return replace(end, where=marks)

    def _finish(self, ended: Attempt) -> Update:
        watch = watch_fields(ended, shards=self._shards())
        return Update(
            table=self._table,
            key=attempt_key(ended.tenant, ended.id),
            fields={**self._end_fields(ended), **watch},
            removed=[*([] if watch else UNWATCHED), *shown_names(ended)],
            where={"state": RunState.RUNNING, "fence": ended.fence},
            shows_refused=True,
        )
