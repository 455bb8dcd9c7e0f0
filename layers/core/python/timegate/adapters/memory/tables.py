"""What the memory stores share: the two tables, and the stream of the second."""

from collections import defaultdict
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache, cached_property
from threading import RLock
from types import NoneType
from typing import TypeVar

from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_identity import DagRunRef, task_run_mark
from timegate.domain.dags.definition import Dag, TaskKey
from timegate.domain.dispatch.shards import ONE_SHARD, OpenShards, Placement
from timegate.domain.execution.day_quota import DayIsFull, DayQuota
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.ledger import Gap
from timegate.domain.operations.operation import Operation
from timegate.domain.planning.places import shown_from
from timegate.domain.restrictions.freeze import Freeze, FreezeId
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, InForce, with_freeze
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import AuditEntry, ResourceKind
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.identity import (
    AttemptId,
    DagId,
    DagRunId,
    JobId,
    OperationId,
    RunId,
)
from timegate.domain.values.instants import minute_of, to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.ports.audit_cursors import AuditWalk
from timegate.ports.audit_trail import Trail
from timegate.ports.cursors import Watcher

Record = TypeVar("Record")
#: One minute of one shard.
Bucket = tuple[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """One change of an attempt, as the stream shows it; no ``before`` means it is new."""

    before: Attempt | None
    after: Attempt


@dataclass(frozen=True, kw_only=True, slots=True)
class ShardLease:
    """How far a shard's watcher came, and who holds the shard until when."""

    watermark: datetime
    sealed: datetime
    owner: str | None
    until: datetime | None


class MemoryTables:
    """Jobs, attempts and shard cursors. Whoever reads before writing holds ``lock``."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.jobs: dict[tuple[TenantId, JobId], Job] = {}
        #: Definitions that were replaced, by their versions.
        self.job_versions: dict[tuple[TenantId, JobId, int], Job] = {}
        self.attempts: dict[tuple[TenantId, AttemptId], Attempt] = {}
        #: Where a waiting job is found: the later of its next instant and its last write.
        self.due: dict[tuple[TenantId, JobId], tuple[Bucket, datetime]] = {}
        #: Where an attempt that has not ended is found: written with ``watch_at``.
        self.watch: dict[tuple[TenantId, AttemptId], Bucket] = {}
        self.watched: defaultdict[Bucket, set[tuple[TenantId, AttemptId]]] = defaultdict(set)
        self.open_shards: OpenShards | None = None
        #: Jobs and attempts whose items say nothing that anybody understands.
        self.damaged: set[tuple[TenantId, JobId | AttemptId]] = set()
        self.gaps: dict[tuple[TenantId, JobId, datetime, int], Gap] = {}
        #: Gaps whose items say nothing that anybody understands, or no more than where they begin.
        self.damaged_gaps: dict[tuple[TenantId, JobId, datetime, int], bool] = {}
        self.calendars: dict[tuple[TenantId, str], Calendar] = {}
        #: Of calendars that were deleted as well.
        self.calendar_versions: dict[tuple[TenantId, str], int] = {}
        self.freezes: dict[tuple[TenantId, FreezeId], Freeze] = {}
        self.tenants: dict[TenantId, TenantSettings] = {}
        self.in_force: dict[TenantId, InForce] = {}
        #: Every version of each, the latest last.
        self.dags: dict[tuple[TenantId, DagId], list[Dag]] = {}
        self.shard_leases: dict[tuple[Watcher, int], ShardLease] = {}
        #: Every change of an attempt, oldest first: feed these to the relay and to outcomes.
        self.images: list[Image] = []
        self.operations: dict[tuple[TenantId, OperationId], Operation] = {}
        #: Every write of an operation, oldest first: feed those that are running to the operator.
        self.operation_images: list[Operation] = []

        self.dag_runs: dict[tuple[TenantId, DagRunId], DagRun] = {}
        self.dag_tasks: dict[tuple[TenantId, DagRunId, TaskKey], TaskProgress] = {}
        #: What governs the runs of a task.
        self.governors: dict[tuple[TenantId, DagRunId, TaskKey], Job] = {}
        #: Where a DAG run that has not ended is found.
        self.watched_dag_runs: dict[tuple[TenantId, DagRunId], Bucket] = {}
        #: Every write of a DAG run, oldest first: feed those that say ``follow`` to outcomes.
        self.dag_run_images: list[DagRun] = []

    @cached_property
    def audit_live(self) -> dict[tuple[TenantId, JobId], AuditCursor]:
        """Audit cursors of jobs that have more to check."""
        return {}

    @cached_property
    def audit_finished(self) -> dict[tuple[TenantId, JobId], AuditCursor]:
        """Audit cursors of jobs that have ended."""
        return {}

    @cached_property
    def audit_walks(self) -> dict[tuple[int, int], AuditWalk]:
        """How far the auditor's walk came, by shard and number of shards."""
        return {}

    @cached_property
    def audit_leases(self) -> dict[tuple[int, int], tuple[str, datetime]]:
        """Which auditor holds a share of the walk, and until when."""
        return {}

    @cached_property
    def trail(self) -> Trail:
        """On whose behalf stores write."""
        return Trail(retention=timedelta(days=400))

    @cached_property
    def audit(self) -> dict[tuple[TenantId, str, str], AuditEntry]:
        """What was changed, by thing and position."""
        return {}

    @cached_property
    def begun(self) -> defaultdict[tuple[TenantId, date], int]:
        """How many runs have begun, by tenant and day."""
        return defaultdict(int)

    def put_job(
        self, job: Job, *, at: datetime | None = None, shards: Placement = ONE_SHARD
    ) -> Job:
        """Store a job that was written at ``at``, or last updated; returns it as stored.

        ``shards``: where the writer places jobs.
        """
        stored = in_milliseconds(job)
        key = (job.tenant, job.job_id)
        self.jobs[key] = stored
        self.due.pop(key, None)
        shown_at = shown_from(stored.timing, at or stored.updated_at)
        if shown_at is not None:
            bucket = (minute_of(shown_at), shards.shard_of(job.job_id))
            self.due[key] = (bucket, shown_at)
        return stored

    def governor(self, tenant: TenantId, run: RunId) -> Job | None:
        """What governs a run: its job, or its task within its DAG run."""
        mark = task_run_mark(run)
        if mark is None:
            return self.jobs.get((tenant, run.job_id))
        return self.governors.get((tenant, mark.dag_run_id, mark.key))

    def overdue_dag_runs(self, bucket: Bucket, until: datetime) -> list[DagRunRef]:
        """DAG runs in a bucket that someone must look at."""
        with self.lock:
            return [
                DagRunRef(tenant=tenant, id=dag_run_id)
                for (tenant, dag_run_id), where in sorted(self.watched_dag_runs.items())
                if where == bucket
                and (at := self.dag_runs[tenant, dag_run_id].watch_at) is not None
                and at <= until
            ]

    def begin(self, tenant: TenantId, within: DayQuota | None, *, now: datetime) -> None:
        """Count a run that begins; raises ``DayIsFull``."""
        if within is None:
            return
        used = self.begun[tenant, within.day]
        if used >= within.limit:
            raise DayIsFull(limit=within.limit, used=used, now=now)
        self.begun[tenant, within.day] += 1

    def put_gap(self, gap: Gap | None) -> None:
        """Store a gap, if there is one."""
        if gap is not None:
            key = (gap.tenant, gap.job_id, gap.last, gap.job_version)
            self.gaps[key] = in_milliseconds(gap)

    def drop_gap(self, gap: Gap) -> None:
        """Forget a gap, if it is there."""
        self.gaps.pop((gap.tenant, gap.job_id, gap.last, gap.job_version), None)

    def put_freeze(self, tenant: TenantId, freeze: Freeze, *, now: datetime) -> None:
        """Store a freeze, and let it count."""
        stored = in_milliseconds(freeze)
        before = self.in_force.get(tenant, NOTHING_IN_FORCE)
        self.in_force[tenant] = with_freeze(before, stored, now=now)
        self.freezes[tenant, freeze.freeze_id] = stored

    def told(
        self,
        tenant: TenantId,
        resource: tuple[ResourceKind, str],
        *,
        before: object | None,
        after: object | None,
        version: int | None = None,
    ) -> None:
        """Keep the entry of a change, if somebody asked for it."""
        entry = self.trail.entry(tenant, resource, before=before, after=after, version=version)
        if entry is not None:
            key = (tenant, str(entry.resource), entry.position)
            self.audit[key] = in_milliseconds(entry)

    def put_operation(self, operation: Operation) -> Operation:
        """Store an operation and show it in the stream; returns it as stored."""
        stored = in_milliseconds(operation)
        self.operations[stored.tenant, stored.operation_id] = stored
        self.operation_images.append(stored)
        return stored

    def put_attempt(self, attempt: Attempt, *, shards: Placement | None = None) -> None:
        """Store an attempt and show the change in the stream.

        ``shards``: where its writer places runs; ``None`` leaves it where it is watched.
        """
        key = (attempt.tenant, attempt.id)
        stored = in_milliseconds(attempt)
        self.images.append(Image(before=self.attempts.get(key), after=stored))
        self.attempts[key] = stored
        if stored.watch_at is None:
            self.show(key, None)
        elif shards is not None or key not in self.watch:
            shard = (shards or ONE_SHARD).shard_of(attempt.id.run.job_id)
            self.show(key, (minute_of(stored.watch_at), shard))

    def show(self, key: tuple[TenantId, AttemptId], bucket: Bucket | None) -> None:
        """Let an attempt be watched in a bucket, or in none."""
        before = self.watch.pop(key, None)
        if before is not None:
            self.watched[before].discard(key)
        if bucket is not None:
            self.watch[key] = bucket
            self.watched[bucket].add(key)


def in_milliseconds(record: Record) -> Record:
    """The record with every instant in it cut to the precision in which DynamoDB keeps it."""
    changes: dict[str, object] = {}
    kind: type = type(record)
    for name in _names_of(kind):
        value = getattr(record, name)
        if type(value) in _HOLD_NO_INSTANT:
            continue
        stored = _as_kept(value)
        if stored is not value:
            changes[name] = stored
    return replace(record, **changes) if changes else record  # type: ignore[type-var]


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    """The fields of a record; of anything else none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


#: Nearly all that is in a record. Whole stories are lived on these tables, thousands of times.
_HOLD_NO_INSTANT = frozenset({str, int, float, bool, NoneType})


def _as_kept(value: object) -> object:
    match value:
        case datetime():
            return value if value.microsecond % 1000 == 0 else to_milliseconds(value)
        case tuple():
            kept = tuple(_as_kept(inner) for inner in value)
            return value if all(a is b for a, b in zip(kept, value, strict=True)) else kept
        case _:
            return in_milliseconds(value)
