"""Definitions, in memory."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.conditions import job_as_read
from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.adapters.memory.usage_store import jobs_in_use, refuse_beyond
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.execution.quota_usage import Quota, job_counts
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamagedGap, GapRecord
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import Settlement
from timegate.domain.planning.transitions import completed
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.values.errors import JobChanged, JobDamaged, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact, minute_of, to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.ports.shards import Spread
from timegate.ports.stores import DamagedJob, JobPage, Unreadable


class MemoryJobStore:
    """The twin of ``DynamoJobStore``."""

    def __init__(self, tables: MemoryTables, *, shards: Spread = lambda: ONE_SHARD) -> None:
        self._tables = tables
        self._shards = shards

    def create(self, job: Job, *, limit: int | None = None) -> Job:
        """Store a new job unless its id exists; returns what is stored, new or old."""
        with self._tables.lock:
            stored = self._tables.jobs.get((job.tenant, job.job_id))
            if stored is None:
                self._refuse_beyond(limit, job.tenant)
                self._told(None, job)
            return stored or self._put(job)

    def get(self, tenant: TenantId, job_id: JobId) -> Job:
        """The job; raises ``JobNotFound`` and ``JobDamaged``."""
        with self._tables.lock:
            job = self._tables.jobs.get((tenant, job_id))
        if job is None:
            raise JobNotFound(job_id)
        if (tenant, job_id) in self._tables.damaged:
            raise JobDamaged(job_id, "damaged")
        return job

    def list_jobs(self, tenant: TenantId, *, limit: int, cursor: str | None) -> JobPage:
        """The tenant's jobs, newest first; raises ``InvalidInput`` for a cursor that is none."""
        listing = f"jobs#{tenant}"
        below = read_cursor(listing, cursor) if cursor is not None else None
        with self._tables.lock:
            own = [job for job in self._tables.jobs.values() if job.tenant == tenant]
        newest = sorted(own, key=_listed_at, reverse=True)
        rows = [job for job in newest if below is None or _listed_at(job) < below]
        page = rows[:limit]
        more = write_cursor(listing, _listed_at(page[-1])) if len(rows) > limit else None
        damaged = [job for job in page if (tenant, job.job_id) in self._tables.damaged]
        return JobPage(
            rows=tuple(job for job in page if job not in damaged),
            damaged=tuple(
                DamagedJob(tenant=tenant, job_id=job.job_id, reason="damaged") for job in damaged
            ),
            cursor=more,
        )

    def update(
        self,
        before: Job,
        after: Job,
        *,
        gap: Gap | None = None,
        cuts: Sequence[Cut] = (),
        limit: int | None = None,
    ) -> None:
        """Replace the definition; raises ``JobChanged`` unless nobody else changed it."""
        with self._tables.lock:
            stored = job_as_read(self._tables, before.timing)
            if stored is None or (gap is not None and not _is_new(gap, self._tables)):
                raise JobChanged(after.job_id)
            if job_counts(after.timing.status) and not job_counts(before.timing.status):
                self._refuse_beyond(limit, after.tenant)
            if not before.defines_as(after):
                key = (before.tenant, before.job_id, before.timing.version)
                self._tables.job_versions[key] = in_milliseconds(before)
            self._put(after)
            self._tables.put_gap(gap)
            self.cut(cuts)
            self._told(before, after)

    def _told(self, before: Job | None, after: Job) -> None:
        self._tables.told(
            after.tenant,
            (ResourceKind.JOB, after.job_id),
            before=before,
            after=after,
            version=after.timing.version,
        )

    def cut(self, cuts: Sequence[Cut]) -> None:
        """Put what is left of gaps in their place."""
        with self._tables.lock:
            for cut in cuts:
                self._tables.drop_gap(cut.gap)
                self._tables.put_gap(cut.left)

    def definition(self, tenant: TenantId, job_id: JobId, *, version: int) -> Job:
        """The job as it was defined at a version; raises ``JobNotFound``."""
        with self._tables.lock:
            now = self.get(tenant, job_id)
            replaced = sorted(
                number
                for (owner, job, number) in self._tables.job_versions
                if (owner, job) == (tenant, job_id) and number >= version
            )
            return self._tables.job_versions[tenant, job_id, replaced[0]] if replaced else now

    def settle(self, before: Timing, settlement: Settlement) -> bool:
        """Store what was decided about missed instants, with its gaps; ``False`` when too late."""
        after = settlement.timing
        with self._tables.lock:
            job = job_as_read(self._tables, before)
            if job is None or not all(_is_new(gap, self._tables) for gap in settlement.gaps):
                return False
            moved = replace(
                job.timing,
                status=after.status,
                next_run_at=after.next_run_at,
                decided_until=after.decided_until,
            )
            self._put(replace(job, timing=moved), at=settlement.decided_at)
            for gap in settlement.gaps:
                self._tables.put_gap(gap)
            return True

    def gaps(
        self, tenant: TenantId, job_id: JobId, *, since: datetime, limit: int
    ) -> tuple[GapRecord, ...]:
        """The first gaps of a job that reach to ``since`` or beyond, in order."""
        with self._tables.lock:
            found = [
                gap
                for (owner, job, *_), gap in self._tables.gaps.items()
                if (owner, job) == (tenant, job_id) and gap.last >= since
            ]
        return tuple(self._readable(gap) for gap in sorted(found, key=_ends)[:limit])

    def due(
        self,
        minute: str,
        shard: int,
        *,
        passing_over: Collection[TenantId] = (),  # noqa: ARG002 - all of it is one page
    ) -> Iterator[Timing | Unreadable]:
        """Jobs waiting in one bucket, soonest first."""
        waiting: list[tuple[datetime, JobId, Timing | Unreadable]] = []
        with self._tables.lock:
            for key, (bucket, instant) in self._tables.due.items():
                if bucket == (minute, shard):
                    waiting.append((instant, key[1], self._shown(key)))
        return iter([timing for _, _, timing in sorted(waiting, key=lambda found: found[:2])])

    def put_off(
        self, found: Timing | Unreadable, *, minute: str, shard: int, until: datetime
    ) -> bool:
        """Let a job that cannot be planned wait at ``until``; ``False``: it is elsewhere."""
        key = _key_of(found)
        with self._tables.lock:
            bucket, _ = self._tables.due.get(key, (None, None))
            if bucket != (minute, shard):
                return False
            self._tables.due[key] = ((minute_of(until), shard), to_milliseconds(until))
            return True

    def complete(
        self, tenant: TenantId, job_id: JobId, *, now: datetime, read: Timing | None = None
    ) -> bool:
        """Mark an active job with nothing left to fire as completed; ``False`` if it is not one.

        ``read``: a full job, if it is still as it was read. A new version: an update that read the
        job before its completion must not undo it.
        """
        with self._tables.lock:
            job = self._tables.jobs.get((tenant, job_id))
            if read is not None:
                job = job_as_read(self._tables, read)
            if job is None or job.timing.status is not JobStatus.ACTIVE:
                return False
            timing = job.timing
            if read is None and (timing.next_run_at or timing.full or timing.reopens):
                return False
            self._put(replace(job, timing=completed(job.timing), updated_at=now))
            return True

    def _refuse_beyond(self, limit: int | None, tenant: TenantId) -> None:
        # Whole stories are lived on these tables: what cannot be too much is not counted.
        if limit is not None and len(self._tables.jobs) >= limit:
            refuse_beyond(Quota.JOBS, limit, jobs_in_use(self._tables, tenant))

    def _shown(self, key: tuple[TenantId, JobId]) -> Timing | Unreadable:
        if key in self._tables.damaged:
            return Unreadable(pk=key[0], sk=key[1], reason="damaged")
        return self._tables.jobs[key].timing

    def _readable(self, gap: Gap) -> GapRecord:
        key = (gap.tenant, gap.job_id, gap.last, gap.job_version)
        first_is_known = self._tables.damaged_gaps.get(key)
        if first_is_known is None:
            return gap
        return DamagedGap(
            tenant=gap.tenant,
            job_id=gap.job_id,
            first=gap.first if first_is_known else gap.last,
            first_is_known=first_is_known,
            last=gap.last,
            job_version=gap.job_version,
            reason="damaged",
        )

    def _put(self, job: Job, *, at: datetime | None = None) -> Job:
        return self._tables.put_job(job, at=at, shards=self._shards())


def _key_of(found: Timing | Unreadable) -> tuple[TenantId, JobId]:
    if isinstance(found, Unreadable):
        return TenantId(found.pk), JobId(found.sk)
    return found.tenant, found.job_id


def _ends(gap: Gap) -> tuple[datetime, int]:
    """In which order gaps lie."""
    return gap.last, gap.job_version


def _is_new(gap: Gap, tables: MemoryTables) -> bool:
    return (gap.tenant, gap.job_id, gap.last, gap.job_version) not in tables.gaps


def _listed_at(job: Job) -> str:
    """Newest first needs a sortable text; the id tells jobs of one millisecond apart."""
    return f"{compact(job.timing.created_at)}#{job.job_id}"
