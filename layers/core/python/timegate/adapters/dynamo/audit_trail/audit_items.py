"""Entries of the audit trail as items: beside what they tell of, in partitions of their own."""

import json
from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    optional_number,
    optional_text,
    text,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.tenants.audit_trail import AuditEntry, Changed, Resource, ResourceKind, Stamp
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId


def audit_pk(tenant: TenantId, resource: Resource) -> str:
    """The partition of all that became of one thing."""
    return f"{tenant}#audit#{resource}"


def audit_listing(tenant: TenantId) -> str:
    """Return the key under which the index ``by_tenant`` lists a tenant's trail."""
    return f"{tenant}#audit"


def entry_key(tenant: TenantId, resource: str, position: str) -> Key:
    """The key of an entry."""
    return Key(pk=f"{tenant}#audit#{resource}", sk=position)


def entry_to_fields(entry: AuditEntry, *, expires_at: float) -> dict[str, Plain]:
    """The whole item, and where the index ``by_tenant`` lists it."""
    stamp = entry.stamp
    changes = [[each.field, each.before, each.after] for each in entry.changes]
    return {
        "pk": audit_pk(entry.tenant, entry.resource),
        "sk": entry.position,
        "tenant_key": audit_listing(entry.tenant),
        "listed_at": entry.position,
        "tenant": entry.tenant,
        "kind": entry.resource.kind,
        "resource_id": entry.resource.id,
        "stamp": {
            name: value
            for name, value in {
                "subject": stamp.subject,
                "operation": stamp.operation,
                "request_id": stamp.request_id,
                "at": compact(stamp.at),
                "client_id": stamp.client_id,
                "source_ip": stamp.source_ip,
                "of_stage": stamp.of_stage,
            }.items()
            if value is not None
        },
        # As text: what is in it is nobody's key, and may be empty, or deep.
        "changes": json.dumps(changes, ensure_ascii=False, separators=(",", ":")),
        "version": entry.version,
        "expires_at": int(expires_at),
    }


@reader_of("entry of the audit trail")
def entry_from_fields(fields: Mapping[str, Plain]) -> AuditEntry:
    """Read it back; raises ``Malformed``."""
    stamp = mapping(fields["stamp"])
    changes = json.loads(text(fields["changes"]))
    return AuditEntry(
        tenant=TenantId(text(fields["tenant"])),
        resource=Resource(kind=ResourceKind(text(fields["kind"])), id=text(fields["resource_id"])),
        stamp=Stamp(
            subject=text(stamp["subject"]),
            operation=text(stamp["operation"]),
            request_id=text(stamp["request_id"]),
            at=from_compact(text(stamp["at"])),
            client_id=optional_text(stamp.get("client_id")),
            source_ip=optional_text(stamp.get("source_ip")),
            of_stage=stamp.get("of_stage") is True,
        ),
        changes=tuple(
            Changed(field=name, before=before, after=after) for name, before, after in changes
        ),
        version=optional_number(fields.get("version")),
    )
