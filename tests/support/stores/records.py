"""The records of a world in memory: read, put and lost as no store would do it."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Generic, TypeVar

from tests.support.execution.stored_slots import StoredSlots
from tests.support.stores.stored_kinds import (
    ATTEMPTS,
    AUDIT_FINISHED,
    AUDIT_LIVE,
    CALENDARS,
    DAG_RUNS,
    DAG_TASKS,
    GAPS,
    GOVERNORS,
    IN_FORCE,
    JOBS,
    OPERATIONS,
    RETENTION,
    TENANTS,
    USED_UNTIL,
    Kind,
)
from tests.support.stores.stream_images import StreamImages
from timegate.adapters.dynamo.dispatch.shard_store import DynamoShardStore
from timegate.adapters.dynamo.jobs.gap_items import gap_to_fields
from timegate.adapters.dynamo.jobs.job_items import due_fields, job_to_fields
from timegate.adapters.dynamo.limits.day_counts import DayCounts
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS, Key, attempt_key, gap_key, job_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Put, Update
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.dispatch.shards import ONE_SHARD, OpenShards, Placement
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId, JobId
from timegate.domain.values.instants import from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.audit_trail import Trail

JOBS_TABLE, RUNS_TABLE = "jobs", "runs"
_TABLES = {"jobs": JOBS_TABLE, "runs": RUNS_TABLE}
#: Says nothing that any reader understands.
_DAMAGE = "x"

Place = TypeVar("Place")
Record = TypeVar("Record")


class View(MutableMapping[Place, Record], Generic[Place, Record]):
    """All records of a kind, by what names them."""

    def __init__(
        self,
        engine: MemoryEngine,
        kind: Kind[Place, Record],
        *,
        mend: Callable[[Any, Fields], Fields] = lambda _, fields: fields,
    ) -> None:
        self._engine = engine
        self._kind = kind
        self._mend = mend
        self._table = _TABLES[kind.table]

    def __getitem__(self, place: Place) -> Record:
        """Read a record; raises ``KeyError``."""
        fields = self._engine.get(self._table, self._kind.key(place))
        if fields is None:
            raise KeyError(place)
        return self._kind.read(self._mend(place, fields))

    def __setitem__(self, place: Place, record: Record) -> None:
        """Put a record in the place of the one that is there; the stream shows nothing of it."""
        fields = self._kind.to_fields(record)
        before = len(self._engine.changes)
        self._engine.put_all(self._table, [Put(table=self._table, fields=fields)])
        del self._engine.changes[before:]

    def __delitem__(self, place: Place) -> None:
        """Lose a record; raises ``KeyError``."""
        key = self._kind.key(place)
        if self._engine.get(self._table, key) is None:
            raise KeyError(place)
        self._engine.remove(self._table, key)

    def __contains__(self, place: object) -> bool:
        """Find a record, whether or not any reader understands it."""
        key = self._kind.key(place)  # type: ignore[arg-type]
        return self._engine.get(self._table, key) is not None

    def __iter__(self) -> Iterator[Place]:
        """Name every record, in the order in which they were first stored."""
        for item in self._engine.items(self._table):
            place = self._kind.place(item)
            if place is not None:
                yield place

    def __len__(self) -> int:
        """Count them."""
        return sum(1 for _ in self)


@dataclass
class DamagedRecords:
    """Jobs and attempts whose items say nothing that any reader understands."""

    records: "Records"

    def __post_init__(self) -> None:
        self._sound: dict[tuple[TenantId, Any], Plain] = {}

    def add(self, named: tuple[TenantId, JobId | AttemptId]) -> None:
        """Damage an item; the stream shows nothing of it."""
        table, key = self._of(named)
        found = self.records.engine.get(table, key)
        if found is not None and named not in self._sound:
            self._sound[named] = found["created_at"]
            self.records.edit(table, key, {"created_at": _DAMAGE})

    def discard(self, named: tuple[TenantId, JobId | AttemptId]) -> None:
        """Let it say again what it said."""
        table, key = self._of(named)
        if named in self._sound:
            self.records.edit(table, key, {"created_at": self._sound.pop(named)})

    def mended(self, named: tuple[TenantId, Any], fields: Fields) -> Fields:
        """Return an item as it was before it was damaged."""
        return {**fields, "created_at": self._sound[named]} if named in self._sound else fields

    def clear(self) -> None:
        """Repair all of them."""
        for named in list(self._sound):
            self.discard(named)

    def _of(self, named: tuple[TenantId, JobId | AttemptId]) -> tuple[str, Key]:
        tenant, own = named
        if isinstance(own, AttemptId):
            return RUNS_TABLE, attempt_key(tenant, own)
        return JOBS_TABLE, job_key(tenant, own)


@dataclass
class DamagedGaps:
    """Gaps whose items say nothing that any reader understands."""

    records: "Records"

    def __setitem__(
        self, place: tuple[TenantId, JobId, datetime, int], first_is_known: bool
    ) -> None:
        """Damage one, perhaps only where it begins."""
        name = "reason" if first_is_known else "first"
        self.records.edit(JOBS_TABLE, gap_key(*place), {name: _DAMAGE})


@dataclass
class Begun:
    """Counts of runs that have begun, by tenant and day."""

    counts: DayCounts

    def __getitem__(self, place: tuple[TenantId, date]) -> int:
        """Count those of one day."""
        return self.counts.begun(*place)


class Records(StreamImages):
    """The items of a world's two tables, and what their streams have shown."""

    def __init__(self, engine: MemoryEngine | None = None) -> None:
        super().__init__(engine or MemoryEngine(), jobs=JOBS_TABLE, runs=RUNS_TABLE)
        engine = self.engine
        self.trail = Trail(retention=timedelta(days=400))
        self.damaged = DamagedRecords(self)
        self.jobs = View(engine, JOBS, mend=self.damaged.mended)
        self.attempts = View(engine, ATTEMPTS, mend=self.damaged.mended)
        self.gaps = View(engine, GAPS)
        self.operations = View(engine, OPERATIONS)
        self.dag_runs = View(engine, DAG_RUNS)
        self.dag_tasks = View(engine, DAG_TASKS)
        self.governors = View(engine, GOVERNORS)
        self.tenants = View(engine, TENANTS)
        self.in_force = View(engine, IN_FORCE)
        self.calendars = View(engine, CALENDARS)
        self.slots = StoredSlots(engine)
        self.used_until = View(engine, USED_UNTIL)
        self.audit_live = View(engine, AUDIT_LIVE)
        self.audit_finished = View(engine, AUDIT_FINISHED)
        self.damaged_gaps = DamagedGaps(self)
        self.begun = Begun(DayCounts(engine, table=RUNS_TABLE, shards=lambda: ONE_SHARD))

    def put_job(
        self, job: Job, *, at: datetime | None = None, shards: Placement = ONE_SHARD
    ) -> Job:
        """Put a job that was written at ``at``, or last updated; returns it as stored."""
        fields = job_to_fields(job, shards=shards)
        shown = due_fields(job.timing, shards=shards, at=at or job.updated_at)
        put = Put(table=JOBS_TABLE, fields={**fields, **shown})
        self.engine.put_all(JOBS_TABLE, [put])
        return self.jobs[job.tenant, job.job_id]

    def put_attempt(self, attempt: Attempt, *, shards: Placement = ONE_SHARD) -> None:
        """Put an attempt; the stream shows the change."""
        fields = attempt_to_fields(attempt, shards=shards, retention=RETENTION)
        self.engine.put_all(RUNS_TABLE, [Put(table=RUNS_TABLE, fields=fields)])

    def put_gap(self, gap: Gap) -> None:
        """Put a gap."""
        fields = gap_to_fields(gap, expires_at=gap.recorded_at + RETENTION)
        self.engine.put_all(JOBS_TABLE, [Put(table=JOBS_TABLE, fields=fields)])

    def drop_gap(self, gap: Gap) -> None:
        """Lose a gap, if it is there."""
        key = gap_key(gap.tenant, gap.job_id, gap.last, gap.job_version)
        self.engine.remove(JOBS_TABLE, key)

    def edit(self, table: str, key: Key, fields: Mapping[str, Plain]) -> None:
        """Change fields of an item by hand; the stream shows nothing of it."""
        before = len(self.engine.changes)
        self.engine.write(Update(table=table, key=key, fields=fields, where={}))
        del self.engine.changes[before:]

    @property
    def open_shards(self) -> OpenShards | None:
        """Read which shards are open."""
        return DynamoShardStore(self.engine, table=JOBS_TABLE).read()

    def forget_open_shards(self) -> None:
        """Let no shard ever have been opened."""
        self.engine.remove(JOBS_TABLE, OPEN_SHARDS)

    @property
    def due(self) -> dict[tuple[TenantId, JobId], tuple[tuple[str, int], datetime]]:
        """Say where each waiting job is found, and at which instant."""
        return {
            job: (_bucket(item["due_bucket"]), from_compact(str(item["due_at"])))
            for job, item in self._raw(JOBS)
            if "due_bucket" in item
        }

    @property
    def watch(self) -> dict[tuple[TenantId, AttemptId], tuple[str, int]]:
        """Say where each attempt is found that the sweeper must look at."""
        return {
            attempt: _bucket(item["watch_bucket"])
            for attempt, item in self._raw(ATTEMPTS)
            if "watch_bucket" in item
        }

    def hide_job(self, tenant: TenantId, job_id: JobId) -> None:
        """Lose a job's place in the index of its planner."""
        self.edit(JOBS_TABLE, job_key(tenant, job_id), {"due_bucket": None, "due_at": None})

    def _raw(self, kind: Kind[Place, Any]) -> Iterator[tuple[Place, Mapping[str, Plain]]]:
        read: Callable[[Mapping[str, Plain]], Place | None] = kind.place
        for item in self.engine.items(_TABLES[kind.table]):
            place = read(item)
            if place is not None:
                yield place, item


def _bucket(written: Plain) -> tuple[str, int]:
    minute, _, shard = str(written).rpartition("#")
    return minute, int(shard)
