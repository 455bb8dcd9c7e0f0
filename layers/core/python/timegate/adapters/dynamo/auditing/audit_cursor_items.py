"""Audit cursors and the auditor's walk as items, in partitions that hold nothing else."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import number, optional_number, text
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.auditing.audit_cursor import LOOK_AGAIN, AuditCursor
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import AuditWalk

#: Cursors are spread over so many partitions, whatever the number of shards.
PARTS = 64
#: No tenant's name begins with a ``#``, so no job lies in such a partition.
LIVE, FINISHED, WALK = "#audit#live#", "#audit#finished#", "#audit#walk"


def cursor_pk(kind: str, part: int) -> str:
    """The partition of some cursors: ``LIVE`` or ``FINISHED`` ones."""
    return f"{kind}{part}"


def cursor_key_of(kind: str, part: int, tenant: TenantId, job_id: JobId) -> Key:
    """The key of a job's cursor."""
    return Key(pk=cursor_pk(kind, part), sk=f"{tenant}#{job_id}")


def walk_key(shard: int, of: int) -> Key:
    """The key of a share of the walk: other numbers of shards walk by themselves."""
    return Key(pk=WALK, sk=f"{shard}of{of}")


def cursor_to_fields(
    cursor: AuditCursor, part: int, *, now: datetime, retention: timedelta
) -> dict[str, Plain]:
    """The whole item of a cursor. One that nobody writes any more outlives the job's records."""
    kind = FINISHED if cursor.is_finished else LIVE
    key = cursor_key_of(kind, part, cursor.tenant, cursor.job_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "version": cursor.version,
        "checked_until": compact(cursor.checked_until),
        "check_at": written(cursor.check_at),
        "counted": cursor.counted,
        "expires_at": int((now + LOOK_AGAIN + retention).timestamp()),
    }


def left_to_fields(cursor: AuditCursor, part: int, *, now: datetime) -> dict[str, Plain]:
    """Build the item that replaces the live cursor of a finished job: no function deletes."""
    key = cursor_key_of(LIVE, part, cursor.tenant, cursor.job_id)
    return {"pk": key.pk, "sk": key.sk, "void": True, "expires_at": int(now.timestamp())}


@reader_of("audit cursor")
def cursor_from_fields(fields: Mapping[str, Plain]) -> AuditCursor:
    """Read a cursor back; raises ``Malformed``."""
    tenant, _, job_id = text(fields["sk"]).rpartition("#")
    return AuditCursor(
        tenant=TenantId(tenant),
        job_id=JobId(job_id),
        version=number(fields["version"]),
        checked_until=from_compact(text(fields["checked_until"])),
        check_at=optional_instant(fields.get("check_at")),
        counted=optional_number(fields.get("counted")),
    )


@reader_of("audit walk")
def walk_from_fields(fields: Mapping[str, Plain]) -> AuditWalk:
    """Read a share of the walk back; raises ``Malformed``."""
    shard, of = text(fields["sk"]).split("of")
    return AuditWalk(
        shard=int(shard),
        of=int(of),
        owner=text(fields["leased_by"]),
        table=_optional(fields.get("table_at")),
        round_began_at=from_compact(text(fields["round_began_at"])),
        live=_optional(fields.get("live_at")),
        finished=_optional(fields.get("finished_at")),
    )


def _optional(value: Plain) -> str | None:
    return text(value) if value is not None else None
