"""Audit cursors and the auditor's walk as items, in partitions that hold nothing else."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import mapping, optional_text, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.auditing.audit_cursor import LOOK_AGAIN, AuditCursor
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import AuditWalk

#: Cursors are spread over so many partitions, whatever the number of shards.
PARTS = 64
#: No tenant's name begins with a ``#``, so no job lies in such a partition.
LIVE, FINISHED, WALK = "#audit#live#", "#audit#finished#", "#audit#walk"
_VERDICT = Part(AuditVerdict)
_CURSOR = Part(AuditCursor, without=("tenant", "job_id"), always=("counted",))


def cursor_pk(kind: str, part: int) -> str:
    """The partition of some cursors: ``LIVE`` or ``FINISHED`` ones."""
    return f"{kind}{part}"


def cursor_key_of(kind: str, part: int, tenant: TenantId, job_id: JobId) -> Key:
    """The key of a job's cursor."""
    return Key(pk=cursor_pk(kind, part), sk=f"{tenant}#{job_id}")


def owner_of_cursor(fields: Mapping[str, Plain]) -> TenantId | None:
    """Return the tenant whose job a cursor is of; ``None``: the item is no cursor."""
    if not str(fields["pk"]).startswith((LIVE, FINISHED)):
        return None
    return TenantId(str(fields["sk"]).rpartition("#")[0])


def walk_key(shard: int, of: int) -> Key:
    """The key of a share of the walk: other numbers of shards walk by themselves."""
    return Key(pk=WALK, sk=f"{shard}of{of}")


def cursor_to_fields(
    cursor: AuditCursor, part: int, *, now: datetime, retention: timedelta
) -> dict[str, Plain]:
    """The whole item of a cursor. One that is no longer written outlives the job's records."""
    kind = FINISHED if cursor.is_finished else LIVE
    key = cursor_key_of(kind, part, cursor.tenant, cursor.job_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_CURSOR.fields(cursor),
        "expires_at": int((now + LOOK_AGAIN + retention).timestamp()),
    }


def left_to_fields(
    cursor: AuditCursor, part: int, *, now: datetime, kind: str = LIVE
) -> dict[str, Plain]:
    """Build the item that replaces a cursor which is there no more: no function deletes."""
    key = cursor_key_of(kind, part, cursor.tenant, cursor.job_id)
    return {"pk": key.pk, "sk": key.sk, "void": True, "expires_at": int(now.timestamp())}


@reader_of("audit cursor")
def cursor_from_fields(fields: Mapping[str, Plain]) -> AuditCursor:
    """Read a cursor back; raises ``Malformed``."""
    tenant, _, job_id = text(fields["sk"]).rpartition("#")
    return _CURSOR.read(fields, tenant=TenantId(tenant), job_id=JobId(job_id))


@reader_of("audit walk")
def walk_from_fields(fields: Mapping[str, Plain]) -> AuditWalk:
    """Read a share of the walk back; raises ``Malformed``."""
    shard, of = text(fields["sk"]).split("of")
    return AuditWalk(
        shard=int(shard),
        of=int(of),
        owner=text(fields["leased_by"]),
        table=optional_text(fields.get("table_at")),
        round_began_at=from_compact(text(fields["round_began_at"])),
        live=optional_text(fields.get("live_at")),
        finished=optional_text(fields.get("finished_at")),
        verdict=verdict_from_fields(fields),
    )


def verdict_to_field(verdict: AuditVerdict | None) -> Plain:
    """Write the verdict of a share of the walk."""
    return None if verdict is None else _VERDICT.map(verdict)


@reader_of("verdict of an audit")
def verdict_from_fields(fields: Mapping[str, Plain]) -> AuditVerdict | None:
    """Read the verdict of a share of the walk; raises ``Malformed``."""
    stored = fields.get("verdict")
    return None if stored is None else _VERDICT.read(mapping(stored))
