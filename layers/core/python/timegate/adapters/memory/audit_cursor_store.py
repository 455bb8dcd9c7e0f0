"""Audit cursors, in memory."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.planning.places import shown_from
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.ports.audit_cursors import AuditWalk, CursorPage, Owner, SightedJob, TablePage
from timegate.ports.shards import Spread
from timegate.ports.stores import DamagedJob

#: As many as in DynamoDB.
_PARTS = 64


class MemoryAuditCursorStore:
    """The twin of ``DynamoAuditCursorStore``."""

    #: Jobs on a page of the table.
    page_size = 2_000

    def __init__(self, tables: MemoryTables, *, shards: Spread = lambda: ONE_SHARD) -> None:
        self._tables = tables
        self._shards = shards

    def acquire(
        self, shard: int, of: int, *, owner: str, now: datetime, until: datetime
    ) -> AuditWalk | None:
        """Lease a share of the walk; ``None`` while another owner's lease lives."""
        tables, key = self._tables, (shard, of)
        with tables.lock:
            leased_until = tables.audit_leases.get(key)
            if leased_until is not None and leased_until[1] > to_milliseconds(now):
                return None
            tables.audit_leases[key] = (owner, to_milliseconds(until))
            walk = tables.audit_walks.get(key)
        if walk is not None:
            return replace(walk, owner=owner)
        return AuditWalk(
            shard=shard,
            of=of,
            owner=owner,
            table=None,
            round_began_at=to_milliseconds(now),
            live=None,
            finished=None,
        )

    def release(self, walk: AuditWalk) -> None:
        """Store how far the walk came and free it; does nothing if the lease was lost."""
        key = (walk.shard, walk.of)
        with self._tables.lock:
            lease = self._tables.audit_leases.get(key)
            if lease is not None and lease[0] == walk.owner:
                del self._tables.audit_leases[key]
                self._tables.audit_walks[key] = in_milliseconds(walk)

    def owns(self, shard: int, of: int, job_id: JobId) -> bool:
        """Whether the cursor of a job belongs to this share of the walk."""
        return self._shards().part_of(job_id, _PARTS) % of == shard

    def live(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are not finished."""
        return self._walked(self._tables.audit_live, shard, of, position, most)

    def finished(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are finished."""
        return self._walked(self._tables.audit_finished, shard, of, position, most)

    def load(self, owners: Sequence[Owner]) -> dict[Owner, AuditCursor]:
        """The cursors of these jobs; one that is not finished counts before one that is."""
        with self._tables.lock:
            both = self._tables.audit_finished | self._tables.audit_live
        return {owner: both[owner] for owner in owners if owner in both}

    def add(self, cursors: Sequence[AuditCursor], *, now: datetime) -> None:
        """Store new cursors, each unless its job has one that is not finished."""
        del now
        with self._tables.lock:
            for each in cursors:
                self._tables.audit_live.setdefault(
                    (each.tenant, each.job_id), in_milliseconds(each)
                )

    def save(self, cursors: Iterable[AuditCursor], *, now: datetime) -> None:
        """Store cursors in the place of those that were read."""
        del now
        with self._tables.lock:
            for each in cursors:
                owner = (each.tenant, each.job_id)
                if each.is_finished:
                    self._tables.audit_live.pop(owner, None)
                    self._tables.audit_finished[owner] = in_milliseconds(each)
                else:
                    self._tables.audit_live[owner] = in_milliseconds(each)

    def jobs(self, shard: int, of: int, *, position: str | None) -> TablePage:
        """The next jobs of a segment of the table, in the order of their keys."""
        with self._tables.lock:
            owners = sorted(
                owner
                for owner in self._tables.jobs
                if self.owns(shard, of, owner[1])
                and (position is None or "|".join(owner) > position)
            )
            page = owners[: self.page_size]
            damaged = [owner for owner in page if owner in self._tables.damaged]
            sound = [self._tables.jobs[owner] for owner in page if owner not in damaged]
            sighted = tuple(self._sighted(job) for job in sound)
        return TablePage(
            jobs=sighted,
            damaged=tuple(
                DamagedJob(tenant=tenant, job_id=job_id, reason="damaged")
                for tenant, job_id in damaged
            ),
            position="|".join(page[-1]) if page and len(owners) > len(page) else None,
        )

    def replaced(self, tenant: TenantId, job_id: JobId, *, since: int) -> tuple[Job, ...]:
        """The definitions of a job that were replaced, from version ``since`` on, in order."""
        with self._tables.lock:
            found = {
                version: job
                for (owner, owned, version), job in self._tables.job_versions.items()
                if (owner, owned) == (tenant, job_id) and version >= since
            }
        return tuple(found[version] for version in sorted(found))

    def _sighted(self, job: Job) -> SightedJob:
        waits = shown_from(job.timing, job.updated_at) is not None
        is_indexed = not waits or (job.tenant, job.job_id) in self._tables.due
        return SightedJob(job=job, is_indexed=is_indexed, is_listed=True)

    def _walked(
        self,
        cursors: dict[Owner, AuditCursor],
        shard: int,
        of: int,
        position: str | None,
        most: int,
    ) -> CursorPage:
        with self._tables.lock:
            owners = sorted(
                owner
                for owner in cursors
                if self.owns(shard, of, owner[1])
                and (position is None or "|".join(owner) > position)
            )
            found = tuple(cursors[owner] for owner in owners[:most])
        more = len(owners) > most
        return CursorPage(cursors=found, position="|".join(owners[most - 1]) if more else None)
