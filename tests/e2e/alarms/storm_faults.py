"""Storms of records, each with what its runbook does.

A thousand jobs wait for one auditor, and a thousand runs of a lane that stands still for one
sweeper. The records are written by the product's own codec, as such storms leave them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import count, islice

from infra.local.clock import CloudClock
from tests.support.deployed.stack import Stack, switch_schedule
from timegate.adapters.dynamo.auditing.audit_cursor_store import DynamoAuditCursorStore
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.dispatch.shards import Placement
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, job_id_from
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.usecases.auditing.audit_shard import MAX_JOBS

SHARDS = 4
#: More than one tick checks, and more than the sweeper's alarm counts in a minute.
MANY = MAX_JOBS + 40
YEARLY = {"kind": "cron", "cron": "0 0 1 1 *"}
#: For so long the auditor has stood still.
UNAUDITED = timedelta(hours=2)
#: Since so long the runs are due: the sweeper leaves them to the messages of their lane.
WAITED = timedelta(minutes=5)
#: A minute of alarms, of which three must be bad one after the other.
MINUTE, MINUTES = timedelta(seconds=4), 3
#: Looks that were asked for before are over by then.
LOOKS = timedelta(minutes=5)
RETENTION_DAYS = 30


@dataclass
class StormFaults:
    """Storms on a stack whose clock can be set, and which nothing else uses."""

    stack: Stack
    clock: CloudClock
    #: Creates a job of the first tenant by its name and schedule; its id.
    create: Callable[..., str]
    _jobs: list[JobId] = field(default_factory=list)
    _runs: list[Attempt] = field(default_factory=list)

    # --- the auditor

    def let_audits_wait(self) -> None:
        """Let more jobs of a shard wait for their check than one tick checks, for two hours."""
        switch_schedule(self.stack, "AuditorFunctionName", "DISABLED")
        job, since = self._created("unaudited"), self.clock.now() - UNAUDITED
        owned = (job_id for job_id in _ids("unaudited") if self._audits.owns(0, SHARDS, job_id))
        self._jobs += islice(owned, MANY)
        jobs = [replace(job, timing=replace(job.timing, job_id=each)) for each in self._jobs]
        table, place = self._jobs_table, self._placement
        fields = [job_to_fields(each, shards=place) for each in jobs]
        self._engine.put_all(table, [Put(table=table, fields=each) for each in fields])
        cursors = [
            AuditCursor(
                tenant=job.tenant,
                job_id=each,
                version=job.timing.version,
                checked_until=since,
                check_at=since,
            )
            for each in self._jobs
        ]
        self._audits.save(cursors, now=since)

    def start_auditor(self) -> None:
        """Let ticks come again: the auditor goes on with the rest, as its runbook says."""
        switch_schedule(self.stack, "AuditorFunctionName", "ENABLED")

    # --- the sweeper

    def let_runs_pile_up(self) -> None:
        """Let a thousand runs of a lane that stands still be overdue in each of three minutes.

        The clock stands meanwhile: minutes are as long as the sweeper takes.
        """
        switch_schedule(self.stack, "SweeperFunctionName", "DISABLED")
        job, start = self._created("storm", priority="critical"), self.clock.now() + LOOKS
        shard = self._placement.shard_of(job.job_id)
        for number in range(MINUTES):
            at = start + number * MINUTE
            self.clock.set(at)
            self._put(_queued(job, at))
            swept = self.stack.invoke("SweeperFunctionName", {"shards": [shard]})
            assert swept["looked_at"] >= MAX_JOBS, swept
        self.clock.jump_to(self.clock.now() + MILLISECOND)

    def take_runs_away(self) -> None:
        """Let the sweeper's ticks come again; the runs have no messages, and are taken away."""
        keys = [attempt_key(each.tenant, each.id) for each in self._runs]
        self._engine.delete_all(self._runs_table, keys)
        switch_schedule(self.stack, "SweeperFunctionName", "ENABLED")

    def _put(self, attempts: Sequence[Attempt]) -> None:
        self._runs += attempts
        table, kept = self._runs_table, timedelta(days=RETENTION_DAYS)
        fields = [attempt_to_fields(a, shards=self._placement, retention=kept) for a in attempts]
        self._engine.put_all(table, [Put(table=table, fields=each) for each in fields])

    # --- parts of these

    def _created(self, name: str, **more: object) -> Job:
        job_id = JobId(self.create(name, YEARLY, **more))
        return self._store.get(TenantId(self.stack.tenant("first")), job_id)

    @cached_property
    def _engine(self) -> BotoEngine:
        return BotoEngine(self.stack.aws("dynamodb"))

    @cached_property
    def _placement(self) -> Placement:
        opened = DynamoShardStore(self._engine, table=self._jobs_table).read()
        assert opened is not None
        return opened.placement(SHARDS)

    @cached_property
    def _store(self) -> DynamoJobStore:
        return DynamoJobStore(
            self._engine,
            table=self._jobs_table,
            shards=lambda: self._placement,
            retention_days=RETENTION_DAYS,
        )

    @cached_property
    def _audits(self) -> DynamoAuditCursorStore:
        return DynamoAuditCursorStore(
            self._engine,
            table=self._jobs_table,
            shards=lambda: self._placement,
            retention_days=RETENTION_DAYS,
        )

    @property
    def _jobs_table(self) -> str:
        return self.stack.outputs["JobsTableName"]

    @property
    def _runs_table(self) -> str:
        return self.stack.outputs["RunsTableName"]


def _ids(name: str) -> Iterator[JobId]:
    """Yield ids without end."""
    return (job_id_from(f"{name} {number}".encode()) for number in count())


def _queued(job: Job, now: datetime) -> list[Attempt]:
    """Many runs of a job that are due, and whose look is as well."""
    timing, first = job.timing, now - WAITED
    return [
        Attempt(
            tenant=job.tenant,
            id=AttemptId(
                run=RunId(job_id=job.job_id, origin=Origin.SCHEDULE, scheduled_at=due_at), number=1
            ),
            state=RunState.QUEUED,
            job_version=timing.version,
            priority=timing.priority,
            resource_class=timing.resource_class,
            precision=timing.precision,
            due_at=due_at,
            created_at=due_at,
            watch_at=now - MILLISECOND,
        )
        for due_at in (first + number * MILLISECOND for number in range(MANY))
    ]
