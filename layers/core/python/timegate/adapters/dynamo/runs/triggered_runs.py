"""Writes of triggers and of new jobs, in both tables.

Only callers trigger and create: functions that do neither load nothing of it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.jobs.job_items import barring
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.runs.leases.held_leases import DynamoHeldLeases
from timegate.adapters.dynamo.runs.leases.unchanged import unchanged
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.transactions import write_or_refuse, write_with
from timegate.adapters.dynamo.tables.values import Plain, stored
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Write
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement

if TYPE_CHECKING:
    from timegate.adapters.dynamo.jobs.job_writes import JobWrites
    from timegate.adapters.dynamo.limits.tally import QuotaTally
    from timegate.adapters.dynamo.planning.opened_jobs import OpenedJobs
    from timegate.domain.execution.triggers import KeyedRun, TriggerKey
    from timegate.domain.jobs.job import Job
    from timegate.domain.limits.collapse import CollapseKey, CollapseWindow
    from timegate.domain.runs.run import Collapsed
    from timegate.ports.runs.claims import CollapseWrite

#: Runs that join a window in one transaction: each with its entry of the audit trail.
JOINED_AT_ONCE = 49


class DynamoTriggeredRuns(DynamoHeldLeases):
    """The part of ``DynamoRunStore`` that stores what callers trigger and create."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        jobs_table: str,
        shards: ShardPlacement,
        retention_days: int,
        audit: AuditWrites | None,
    ) -> None:
        super().__init__(engine, table=table, shards=shards)
        self._audit = audit or AuditWrites(table=jobs_table)
        self._jobs_table = jobs_table
        self._retention = timedelta(days=retention_days)

    @cached_property
    def job_tally(self) -> "QuotaTally":
        """The count of each tenant's jobs."""
        # Ends and callers' requests alone change it.
        from timegate.adapters.dynamo.limits.tally import QuotaTally  # noqa: PLC0415

        return QuotaTally(self._engine, table=self._jobs_table, quota=Quota.JOBS)

    @cached_property
    def _opened(self) -> "OpenedJobs":
        # Callers' requests alone create jobs.
        from timegate.adapters.dynamo.planning.opened_jobs import OpenedJobs  # noqa: PLC0415

        table, tally = self._jobs_table, self.job_tally
        return OpenedJobs(self._engine, table=table, tally=tally, opening=self.opening)

    @cached_property
    def job_writes(self) -> "JobWrites":
        """Writes of the jobs whose runs these are."""
        # Callers' requests alone write jobs.
        from timegate.adapters.dynamo.jobs.job_writes import JobWrites  # noqa: PLC0415

        return JobWrites(
            table=self._jobs_table,
            shards=self._shards,
            retention_days=self._retention.days,
            audit=self._audit,
        )

    def create_job(
        self,
        job: "Job",
        attempts: Sequence[Attempt],
        *,
        limit: int | None,
        repeatable: bool = False,
    ) -> bool:
        """Store a new job past its first runs, and these; ``False``: its id or key exists."""
        return self._opened.create(job, attempts, limit=limit, repeatable=repeatable)

    def bar_creation(self, tenant: TenantId, job_id: JobId) -> bool:
        """Bar the creator of a job for good; ``False``: the job exists."""
        return self._engine.write(barring(self._jobs_table, tenant, job_id)).done

    def opening(self, job: "Job", attempts: Sequence[Attempt]) -> "list[Write | Put]":
        """Return the writes of a new job and of its first runs, for a transaction."""
        return [*self.job_writes.creation(job), *(self._insert(each) for each in attempts)]

    def insert_keyed(self, attempt: Attempt, key: "TriggerKey") -> bool:
        """Store a new attempt and the key that names its run, or neither where one exists."""
        kept = self._kept_key(key, attempt)
        return write_with(self._engine, self._insert(attempt), [kept, *self._told(None, attempt)])

    def keyed_run(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, now: datetime
    ) -> "KeyedRun | None":
        """The run that a key names by now, strongly consistent."""
        from timegate.adapters.dynamo.runs.keyed_triggers import read_key  # noqa: PLC0415

        return read_key(self._engine, self._jobs_table, tenant, job_id, key, now=now)

    def knows_key(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, now: datetime
    ) -> bool:
        """Tell if a trigger or a batch used the key, strongly consistent."""
        from timegate.adapters.dynamo.runs.keyed_triggers import knows_key  # noqa: PLC0415

        return knows_key(self._engine, self._jobs_table, tenant, job_id, key, now=now)

    def keep_batch(
        self, tenant: TenantId, job_id: JobId, key: "TriggerKey", *, at: datetime
    ) -> datetime | None:
        """The instant that runs of a batch count from: that of its first request."""
        from timegate.adapters.dynamo.runs.keyed_triggers import keep_batch  # noqa: PLC0415

        table, kept_for = self._jobs_table, self._retention
        return keep_batch(self._engine, table, tenant, job_id, key, at, kept_for)

    def window(
        self, tenant: TenantId, job_id: JobId, key: "CollapseKey"
    ) -> "CollapseWindow | None":
        """The last window of a key, strongly consistent."""
        from timegate.adapters.dynamo.runs.collapse_windows import latest_window  # noqa: PLC0415

        return latest_window(self._engine, self._jobs_table, tenant, job_id, key)

    def window_of(
        self, tenant: TenantId, job_id: JobId, mark: "Collapsed"
    ) -> "CollapseWindow | None":
        """The window that a run's record names."""
        from timegate.adapters.dynamo.runs.collapse_windows import window_of  # noqa: PLC0415

        return window_of(self._engine, self._jobs_table, tenant, job_id, mark)

    def collapse(self, write: "CollapseWrite") -> bool:
        """Store run, window and key, and the end of the run that is replaced: all or nothing."""
        from timegate.adapters.dynamo.runs.collapse_windows import window_write  # noqa: PLC0415

        writes: list[Write | Put] = [
            window_write(self._jobs_table, write, retention=self._retention),
            self._insert(write.attempt),
            *self._told(None, write.attempt),
        ]
        if write.replaced is not None:
            before, after = write.replaced
            fields = stored(self._fields(after))
            # No worker claimed it since it was read.
            writes.append(Replace(table=self._table, fields=fields, where=unchanged(before)))
            writes.extend(self._told(before, after))
        if write.key is not None:
            writes.append(self._kept_key(write.key, write.attempt))
        return not write_or_refuse(self._engine, writes)

    def join(self, window: "CollapseWindow", attempts: Sequence[Attempt]) -> list[bool]:
        """Store ended runs of a window, and count those that are new."""
        done: list[bool] = []
        for start in range(0, len(attempts), JOINED_AT_ONCE):
            some = attempts[start : start + JOINED_AT_ONCE]
            if self._join(window, some):
                done.extend([True] * len(some))
            else:
                done.extend(len(some) > 1 and self._join(window, [each]) for each in some)
        return done

    def _join(self, window: "CollapseWindow", attempts: Sequence[Attempt]) -> bool:
        from timegate.adapters.dynamo.runs.collapse_windows import joining_write  # noqa: PLC0415

        table, retention = self._jobs_table, self._retention
        count = joining_write(table, window, attempts[-1], len(attempts), retention=retention)
        told = [put for each in attempts for put in self._told(None, each)]
        inserts = [self._insert(each) for each in attempts]
        return not write_or_refuse(self._engine, [count, *inserts, *told])

    def _kept_key(self, key: "TriggerKey", attempt: Attempt) -> Insert:
        from timegate.adapters.dynamo.runs.keyed_triggers import keep_key  # noqa: PLC0415

        return keep_key(self._jobs_table, key, attempt, retention=self._retention)

    def _insert(self, attempt: Attempt) -> Insert:
        return Insert(table=self._table, fields=self._fields(attempt))

    def _told(self, before: Attempt | None, after: Attempt) -> list[Put]:
        return self._audit.run(before, after)

    def _fields(self, attempt: Attempt) -> dict[str, Plain]:
        return attempt_to_fields(attempt, shards=self._shards(), retention=self._retention)
