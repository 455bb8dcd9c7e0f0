"""Audit cursors, beside the jobs and apart from them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from timegate.adapters.dynamo.auditing.audit_cursor_items import (
    FINISHED,
    LIVE,
    PARTS,
    cursor_from_fields,
    cursor_key_of,
    cursor_pk,
    cursor_to_fields,
    left_to_fields,
    verdict_to_field,
    walk_from_fields,
    walk_key,
)
from timegate.adapters.dynamo.auditing.job_walk import read_jobs
from timegate.adapters.dynamo.jobs.job_versions import read_versions
from timegate.adapters.dynamo.tables.engine import Engine, Query
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Insert, Put, Update
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.jobs.job import Job
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import AuditWalk, CursorPage, Owner, TablePage
from timegate.ports.dispatch.shards import ShardPlacement


class DynamoAuditCursorStore:
    """One small item per job, in partitions of the jobs table that the auditor alone writes."""

    def __init__(
        self, engine: Engine, *, table: str, shards: ShardPlacement, retention_days: int
    ) -> None:
        self._engine = engine
        self._table = table
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def acquire(
        self, shard: int, of: int, *, owner: str, now: datetime, until: datetime
    ) -> AuditWalk | None:
        """Lease a share of the walk; ``None`` while another owner's lease lives."""
        taken = Update(
            table=self._table,
            key=walk_key(shard, of),
            fields={"leased_by": owner, "leased_until": compact(until)},
            first={"round_began_at": compact(now)},
            # No auditor holds this share, or the lease of the one that did has ended ...
            where={"leased_until": Compared(at_most=compact(now), or_missing=True)},
            # ... or this very write was made before, and the answer was lost.
            or_where={"leased_by": owner, "leased_until": compact(until)},
            creates=True,
            shows_stored=True,
        )
        found = self._engine.write(taken).stored
        return walk_from_fields(found) if found is not None else None

    def release(self, walk: AuditWalk) -> None:
        """Store how far the walk came and free it; does nothing if the lease was lost."""
        positions: dict[str, Plain] = {
            "table_at": walk.table,
            "live_at": walk.live,
            "finished_at": walk.finished,
            "round_began_at": compact(walk.round_began_at),
            "verdict": verdict_to_field(walk.verdict),
        }
        freed = Update(
            table=self._table,
            key=walk_key(walk.shard, walk.of),
            fields=positions,
            removed=("leased_by", "leased_until"),
            # The lease is still ours to give back.
            where={"leased_by": walk.owner},
        )
        self._engine.write(freed)

    def owns(self, shard: int, of: int, job_id: JobId) -> bool:
        """Tell if the cursor of a job belongs to this share of the walk."""
        return self._part(job_id) % of == shard

    def live(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are not finished."""
        return self._walked(LIVE, range(shard, PARTS, of), position, most)

    def finished(self, shard: int, of: int, *, position: str | None, most: int) -> CursorPage:
        """The next cursors of this share that are finished."""
        return self._walked(FINISHED, range(shard, PARTS, of), position, most)

    def load(self, owners: Sequence[Owner]) -> dict[Owner, AuditCursor]:
        """The cursors of these jobs; one that is not finished counts before one that is."""
        keys = {
            owner: [cursor_key_of(kind, self._part(owner[1]), *owner) for kind in (LIVE, FINISHED)]
            for owner in owners
        }
        if not keys:
            return {}
        wanted = [key for both in keys.values() for key in both]
        items = self._engine.get_all({self._table: wanted})[self._table]
        found = {
            owner: next((items[k] for k in both if k in items and "void" not in items[k]), None)
            for owner, both in keys.items()
        }
        read = {owner: _read(fields) for owner, fields in found.items() if fields is not None}
        return {owner: cursor for owner, cursor in read.items() if cursor is not None}

    def add(self, cursors: Sequence[AuditCursor], *, now: datetime) -> None:
        """Store new cursors, each unless its job has one that is not finished."""
        self._engine.write_each(
            [Insert(table=self._table, fields=self._fields(c, now), as_of=now) for c in cursors]
        )

    def save(self, cursors: Iterable[AuditCursor], *, now: datetime) -> None:
        """Store cursors in the place of those that were read, in batches of 25 writes."""
        each = list(cursors)
        items = [self._fields(cursor, now) for cursor in each]
        items += [
            left_to_fields(cursor, self._part(cursor.job_id), now=now)
            for cursor in each
            if cursor.is_finished
        ]
        self._engine.put_all(self._table, [Put(table=self._table, fields=i) for i in items])

    def forget(self, cursors: Iterable[AuditCursor], *, now: datetime) -> None:
        """End cursors in both of their places, in batches of 25 writes."""
        items = [
            left_to_fields(each, self._part(each.job_id), now=now, kind=kind)
            for each in cursors
            for kind in (LIVE, FINISHED)
        ]
        self._engine.put_all(self._table, [Put(table=self._table, fields=i) for i in items])

    def jobs(self, shard: int, of: int, *, position: str | None) -> TablePage:
        """The next jobs of a segment of the table."""
        return read_jobs(self._engine, self._table, shard, of, position=position)

    def replaced(self, tenant: TenantId, job_id: JobId, *, since: int) -> tuple[Job, ...]:
        """The definitions of a job that were replaced, from version ``since`` on, in order."""
        return read_versions(self._engine, self._table, tenant, job_id, since=since)

    def _walked(self, kind: str, parts: range, position: str | None, most: int) -> CursorPage:
        first, _, after = (position or "0|").partition("|")
        found: list[AuditCursor] = []
        for part in (each for each in parts if each >= int(first)):
            start = after if part == int(first) else ""
            while True:
                if len(found) >= most:
                    return CursorPage(cursors=tuple(found), position=f"{part}|{start}")
                cursors, start = self._page(cursor_pk(kind, part), start, most - len(found))
                found += cursors
                if not start:
                    break
        return CursorPage(cursors=tuple(found), position=None)

    def _page(self, pk: str, after: str, most: int) -> tuple[list[AuditCursor], str]:
        page = self._engine.query(
            Query(
                table=self._table,
                of=pk,
                consistent=True,
                limit=most,
                after={"pk": pk, "sk": after} if after else None,
            )
        )
        read = [cursor for cursor in map(_read, page.items) if cursor is not None]
        return read, str(page.last["sk"]) if page.last else ""

    def _part(self, job_id: JobId) -> int:
        return self._shards().part_of(job_id, PARTS)

    def _fields(self, cursor: AuditCursor, now: datetime) -> dict[str, Any]:
        part = self._part(cursor.job_id)
        return cursor_to_fields(cursor, part, now=now, retention=self._retention)


def _read(fields: dict[str, Any]) -> AuditCursor | None:
    """A cursor that cannot be read is none: the table shows its job again."""
    if "void" in fields:
        return None
    try:
        return cursor_from_fields(fields)
    except Malformed:
        return None
