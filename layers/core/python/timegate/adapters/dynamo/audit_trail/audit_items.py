"""Entries of the audit trail as items: beside what they tell of, in partitions of their own."""

import json
from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.reading import mapping, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.tenants.audit_trail import AuditEntry, FieldChange, Resource
from timegate.domain.values.tenant import TenantId

_ENTRY = Part(AuditEntry, without=("resource", "changes"))
_CHANGES = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_RESOURCE = Part(Resource, names={"id": "resource_id"})


def audit_pk(tenant: TenantId, resource: Resource) -> str:
    """The partition of all that became of one thing."""
    return f"{tenant}#audit#{resource}"


def audit_listing(tenant: TenantId) -> str:
    """Return the key under which the index ``by_tenant`` lists a tenant's trail."""
    return f"{tenant}#audit"


def entry_to_fields(entry: AuditEntry, *, expires_at: float | None = None) -> dict[str, Plain]:
    """The whole item, and where the index ``by_tenant`` lists it."""
    changes = [[each.field, each.before, each.after] for each in entry.changes]
    return {
        "pk": audit_pk(entry.tenant, entry.resource),
        "sk": entry.position,
        "tenant_key": audit_listing(entry.tenant),
        "listed_at": entry.position,
        **_ENTRY.fields(entry),
        **_RESOURCE.fields(entry.resource),
        # Changes are text: their content is no key, and may be empty, or deep.
        "changes": _CHANGES.encode(changes),
        "expires_at": int(expires_at) if expires_at is not None else None,
    }


def stamp_to_fields(entry: AuditEntry) -> dict[str, Plain]:
    """The part of the item that tells who asked, and when."""
    return dict(mapping(_ENTRY.map(entry)["stamp"]))


@reader_of("entry of the audit trail")
def entry_from_fields(fields: Mapping[str, Plain]) -> AuditEntry:
    """Read it back; raises ``Malformed``."""
    changes = json.loads(text(fields["changes"]))
    return _ENTRY.read(
        fields,
        resource=_RESOURCE.read(fields),
        changes=tuple(
            FieldChange(field=name, before=before, after=after) for name, before, after in changes
        ),
    )
