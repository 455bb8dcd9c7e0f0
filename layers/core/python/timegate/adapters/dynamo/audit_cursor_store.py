"""Audit cursors, beside the jobs and apart from them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.audit_cursor_items import (
    FINISHED,
    LIVE,
    PARTS,
    cursor_from_fields,
    cursor_key_of,
    cursor_pk,
    cursor_to_fields,
    left_to_fields,
    walk_from_fields,
    walk_key,
)
from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.batch_write import write_all
from timegate.adapters.dynamo.job_versions import read_versions
from timegate.adapters.dynamo.job_walk import read_jobs
from timegate.adapters.dynamo.single_writes import write_each
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item, to_item
from timegate.adapters.dynamo.writes import Insert, Put
from timegate.domain.audit_cursor import AuditCursor
from timegate.domain.errors import Malformed
from timegate.domain.identity import JobId
from timegate.domain.instants import compact
from timegate.domain.job import Job
from timegate.domain.tenant import TenantId
from timegate.ports.audit_cursors import AuditWalk, CursorPage, Owner, TablePage
from timegate.ports.shards import Spread

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: No auditor holds this share, or the lease of the one that did has ended.
_IS_FREE = "attribute_not_exists(leased_until) OR leased_until <= :now"
#: The lease is still ours to give back.
_IS_OURS = "leased_by = :owner"


class DynamoAuditCursorStore:
    """One small item per job, in partitions of the jobs table that the auditor alone writes."""

    def __init__(
        self, client: "DynamoDBClient", *, table: str, shards: Spread, retention_days: int
    ) -> None:
        self._client = client
        self._table = table
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def acquire(
        self, shard: int, of: int, *, owner: str, now: datetime, until: datetime
    ) -> AuditWalk | None:
        """Lease a share of the walk; ``None`` while another owner's lease lives."""
        try:
            with throttles_translated():
                answer = self._client.update_item(
                    TableName=self._table,
                    Key=walk_key(shard, of).attributes(),
                    UpdateExpression=(
                        "SET leased_by = :owner, leased_until = :until,"
                        " round_began_at = if_not_exists(round_began_at, :now)"
                    ),
                    ConditionExpression=_IS_FREE,
                    ExpressionAttributeValues={
                        ":owner": {"S": owner},
                        ":until": {"S": compact(until)},
                        ":now": {"S": compact(now)},
                    },
                    ReturnValues="ALL_NEW",
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return None
        return walk_from_fields(from_item(answer["Attributes"]))

    def release(self, walk: AuditWalk) -> None:
        """Store how far the walk came and free it; does nothing if the lease was lost."""
        positions = {
            "table_at": walk.table,
            "live_at": walk.live,
            "finished_at": walk.finished,
            "round_began_at": compact(walk.round_began_at),
        }
        kept = {name: value for name, value in positions.items() if value is not None}
        gone = [*(name for name in positions if name not in kept), "leased_by", "leased_until"]
        sets = ", ".join(f"{name} = :{name}" for name in kept)
        values = {f":{name}": value for name, value in kept.items()} | {":owner": walk.owner}
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=walk_key(walk.shard, walk.of).attributes(),
                    UpdateExpression=f"SET {sets} REMOVE {', '.join(gone)}",
                    ConditionExpression=_IS_OURS,
                    ExpressionAttributeValues=to_item(values),
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return

    def owns(self, shard: int, of: int, job_id: JobId) -> bool:
        """Whether the cursor of a job belongs to this share of the walk."""
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
        items = read_all(self._client, {self._table: wanted})[self._table]
        found = {
            owner: next((items[k] for k in both if k in items and "void" not in items[k]), None)
            for owner, both in keys.items()
        }
        read = {owner: _read(fields) for owner, fields in found.items() if fields is not None}
        return {owner: cursor for owner, cursor in read.items() if cursor is not None}

    def add(self, cursors: Sequence[AuditCursor], *, now: datetime) -> None:
        """Store new cursors, each unless its job has one that is not finished."""
        write_each(
            self._client, [Insert(table=self._table, fields=self._fields(c, now)) for c in cursors]
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
        write_all(self._client, self._table, [Put(table=self._table, fields=i) for i in items])

    def jobs(self, shard: int, of: int, *, position: str | None) -> TablePage:
        """The next jobs of a segment of the table."""
        return read_jobs(self._client, self._table, shard, of, position=position)

    def replaced(self, tenant: TenantId, job_id: JobId, *, since: int) -> tuple[Job, ...]:
        """The definitions of a job that were replaced, from version ``since`` on, in order."""
        return read_versions(self._client, self._table, tenant, job_id, since=since)

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
        start: dict[str, Any] = (
            {"ExclusiveStartKey": to_item({"pk": pk, "sk": after})} if after else {}
        )
        with throttles_translated():
            answer = self._client.query(
                TableName=self._table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": pk}},
                ConsistentRead=True,
                Limit=most,
                **start,
            )
        items = [from_item(item) for item in answer["Items"]]
        last = answer.get("LastEvaluatedKey")
        return [c for c in map(_read, items) if c is not None], str(last["sk"]["S"]) if last else ""

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
