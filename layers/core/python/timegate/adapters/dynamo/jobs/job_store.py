"""The jobs table."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.jobs.completions import by_tenant, completion, first_completion
from timegate.adapters.dynamo.jobs.due_reading import read_due
from timegate.adapters.dynamo.jobs.gap_items import read_gaps
from timegate.adapters.dynamo.jobs.job_items import (
    as_read,
    due_fields,
    is_barred,
    job_or_damage,
    read_former,
    read_key,
    timing_from_fields,
)
from timegate.adapters.dynamo.jobs.job_versions import read_version
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, bucket_name, job_key
from timegate.adapters.dynamo.tables.put_off import IndexPlace, put_off
from timegate.adapters.dynamo.tables.reading import written
from timegate.adapters.dynamo.tables.transactions import write_together
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Put, Update, Write
from timegate.domain.execution.quota_usage import Quota, is_counted
from timegate.domain.jobs.job import Job, JobKeyTaken, Timing
from timegate.domain.ledger.damaged_records import GapRecord
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import SettledCatchUp
from timegate.domain.values.errors import (
    JobBarred,
    JobChanged,
    JobDamaged,
    JobNotFound,
    Malformed,
)
from timegate.domain.values.identity import JobId, JobKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.stores import DamagedJob, JobPage, Unreadable

if TYPE_CHECKING:
    from timegate.adapters.dynamo.jobs.job_writes import JobWrites

#: Each may leave a part: two writes of the hundred that a transaction takes.
_CUTS_TOGETHER = 50

#: Tries at a creation whose key is given up meanwhile, each time by another job.
_TRIES = 3


class DynamoJobStore:
    """Definitions: one item per job."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        shards: ShardPlacement,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._engine = engine
        self._table = table
        self._shards = shards
        self._retention_days = retention_days
        self._audit = audit or AuditWrites(table=table)
        self._tally = QuotaTally(engine, table=table, quota=Quota.JOBS)

    @cached_property
    def _writes(self) -> "JobWrites":
        # Few functions write more of a job than its state.
        from timegate.adapters.dynamo.jobs.job_writes import JobWrites  # noqa: PLC0415

        return JobWrites(
            table=self._table,
            shards=self._shards,
            retention_days=self._retention_days,
            audit=self._audit,
        )

    def create(self, job: Job, *, limit: int | None = None) -> Job:
        """Store a new job unless its id exists; what is stored, new or old.

        Raises ``QuotaExceeded`` where the tenant has ``limit`` jobs that may still run, and
        ``JobKeyTaken`` where another job has its key, and ``JobBarred``.
        """
        counts = (False, is_counted(job.timing))
        owner = (job.tenant, job.job_id)
        writes = self._writes.creation(job)
        for _ in range(_TRIES):
            if self._tally.write(owner, writes, counts=counts, limit=limit):
                return job
            try:
                return self.get(*owner)
            except JobBarred:
                raise
            except JobNotFound:
                if job.key is None:
                    raise
                self._refuse_taken(job)
        raise JobChanged(job.job_id)

    def keyed_job(self, tenant: TenantId, key: JobKey) -> JobId | None:
        """The job that has a key, strongly consistent; ``None``: no job has it."""
        return read_key(self._engine, self._table, tenant, key)

    def former_jobs(self, tenant: TenantId, key: JobKey, *, now: datetime) -> list[JobId]:
        """The jobs that gave a key up within the last days, strongly consistent, latest first."""
        return read_former(self._engine, self._table, tenant, key, now=now)

    def get(self, tenant: TenantId, job_id: JobId) -> Job:
        """The job, strongly consistent; raises ``JobNotFound``, ``JobBarred``, ``JobDamaged``."""
        found = self._engine.get(self._table, job_key(tenant, job_id))
        if found is None:
            raise JobNotFound(job_id)
        if is_barred(found):
            raise JobBarred(job_id)
        read = job_or_damage(tenant, job_id, found)
        if isinstance(read, DamagedJob):
            raise JobDamaged(job_id, read.reason)
        return read

    def list_jobs(
        self, tenant: TenantId, *, limit: int, cursor: str | None, name: str | None = None
    ) -> JobPage:
        """The tenant's jobs, newest first; those of a name, or of a name's beginning."""
        # Few functions list them.
        from timegate.adapters.dynamo.jobs.job_listing import list_page  # noqa: PLC0415

        return list_page(self._engine, self._table, tenant, limit=limit, cursor=cursor, name=name)

    def update(
        self,
        before: Job,
        after: Job,
        *,
        gap: Gap | None = None,
        cuts: Sequence[Cut] = (),
        limit: int | None = None,
    ) -> None:
        """Replace the definition; raises ``JobChanged`` unless it is as it was read.

        Raises ``QuotaExceeded`` where that revives it and there are ``limit`` others, and
        ``JobKeyTaken`` where another job has its new key.
        """
        writes = self._writes.change(before, after, gap=gap, cuts=cuts)
        if not self._write(before.timing, after.timing, writes, limit=limit):
            self._refuse_taken(after)
            raise JobChanged(after.job_id)

    def cut(self, cuts: Sequence[Cut]) -> None:
        """Put what is left of gaps in their place, in transactions of as many as one takes."""
        for start in range(0, len(cuts), _CUTS_TOGETHER):
            records = self._writes.records([], cuts[start : start + _CUTS_TOGETHER])
            write_together(self._engine, records)

    def definition(self, tenant: TenantId, job_id: JobId, *, version: int) -> Job:
        """The job as it was defined at a version; raises ``JobNotFound`` and ``JobDamaged``."""
        now = self.get(tenant, job_id)
        if now.timing.version <= version:
            return now
        try:
            return read_version(self._engine, self._table, tenant, job_id, version) or now
        except Malformed as damage:
            raise JobDamaged(job_id, str(damage)) from damage

    def settle(self, before: Timing, settlement: SettledCatchUp) -> bool:
        """Store what was decided about missed instants, with its gaps; ``False`` when too late."""
        after = settlement.timing
        update = Update(
            table=self._table,
            key=job_key(before.tenant, before.job_id),
            fields={
                **due_fields(after, shards=self._shards(), at=settlement.decided_at),
                "status": after.status,
                "next_run_at": written(after.next_run_at),
                "decided_until": written(after.decided_until),
            },
            where=as_read(before),
        )
        return self._write(before, after, [update, *self._writes.records(settlement.gaps)])

    def gaps(
        self, tenant: TenantId, job_id: JobId, *, since: datetime, limit: int
    ) -> tuple[GapRecord, ...]:
        """The first gaps of a job that reach to ``since`` or beyond, in order."""
        return read_gaps(self._engine, self._table, tenant, job_id, since=since, limit=limit)

    def due(
        self, minute: str, shard: int, *, passing_over: Collection[TenantId] = ()
    ) -> Iterator[Timing | Unreadable]:
        """Jobs waiting in one bucket, soonest first; page by page as they are taken."""
        bucket = bucket_name(minute, shard)
        for fields in read_due(self._engine, self._table, bucket, passing_over=passing_over):
            yield _timing_of(fields)

    def put_off(
        self, found: Timing | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Let a job that cannot be planned wait at ``until``; ``False``: it is elsewhere."""
        key = (
            Key(pk=found.pk, sk=found.sk)
            if isinstance(found, Unreadable)
            else job_key(found.tenant, found.job_id)
        )
        place = IndexPlace(index="due", minute=minute, shard=shard)
        return put_off(self._engine, self._table, key, place, until=until)

    def complete(
        self, tenant: TenantId, job_id: JobId, *, now: datetime, read: Timing | None = None
    ) -> bool:
        """Mark an active job with nothing left to fire as completed; ``False`` if it is not one.

        Without ``read``: a job of its first version that a tally counts. ``read``: if it is still
        as it was read. A new version: an update that read the job before its completion must not
        undo it.
        """
        if read is not None:
            write = completion(self._table, (tenant, job_id), now=now, where=as_read(read))
        else:
            write = first_completion(self._table, (tenant, job_id), now=now)
        counts = (read is None or is_counted(read), False)
        return self._tally.write((tenant, job_id), [write], counts=counts)

    def complete_all(
        self, jobs: Sequence[tuple[TenantId, JobId]], *, now: datetime, tallied: bool = True
    ) -> list[bool]:
        """Complete jobs of their first version: those of a tenant together, counted once.

        Where one of a transaction is refused, each is tried by itself. Jobs that no tally counts
        are completed each by itself, and share calls. A job that is named twice is completed by the
        first.
        """
        first = partial(first_completion, self._table, now=now, tallied=tallied)
        done: dict[tuple[TenantId, JobId], bool] = {}
        if not tallied:
            owners = list(dict.fromkeys(jobs))
            results = self._engine.execute([first(owner) for owner in owners]) if owners else ()
            done = {owner: each.done for owner, each in zip(owners, results, strict=True)}
            return [done.pop(owner, False) for owner in jobs]
        for tenant, each in by_tenant(jobs):
            writes = [first((tenant, job_id)) for job_id in each]
            are_done = len(each) > 1 and self._tally.end_all(tenant, each, writes)
            for job_id in each:
                done[tenant, job_id] = are_done or self.complete(tenant, job_id, now=now)
        return [done.pop(owner, False) for owner in jobs]

    def _refuse_taken(self, job: Job) -> None:
        """Raise ``JobKeyTaken`` where another job has the key: a write that claims it was refused.

        A read after the decision, for its reason; jobs without a key need none.
        """
        holder = self.keyed_job(job.tenant, job.key) if job.key is not None else None
        if job.key is not None and holder not in {None, job.job_id}:
            raise JobKeyTaken(job.key, str(holder))

    def _write(
        self,
        before: Timing,
        after: Timing,
        writes: Sequence[Write | Put],
        *,
        limit: int | None = None,
    ) -> bool:
        """The job and what goes with it, or nothing."""
        counts = (is_counted(before), is_counted(after))
        owner = (before.tenant, before.job_id)
        return self._tally.write(owner, writes, counts=counts, limit=limit)


def _timing_of(fields: Mapping[str, Plain]) -> Timing | Unreadable:
    try:
        return timing_from_fields(fields)
    except Malformed as malformed:
        return Unreadable(pk=str(fields["pk"]), sk=str(fields["sk"]), reason=str(malformed))
