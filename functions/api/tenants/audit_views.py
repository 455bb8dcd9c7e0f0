"""From the domain to JSON: what users see of the audit trail."""

from api.values.views import View
from timegate.domain.tenants.audit_trail import AuditEntry
from timegate.domain.values.instants import rfc3339


def entry_view(entry: AuditEntry) -> View:
    """One change. Where the stage's administration sits is nothing for its tenants."""
    hidden = {"source_ip": None} if entry.stamp.of_stage else {}
    view = whole_entry_view(entry)
    return {**view, "actor": {**view["actor"], **hidden}}


def whole_entry_view(entry: AuditEntry) -> View:
    """The same for the stage's administration, which may know where it sat."""
    stamp = entry.stamp
    return {
        "at": rfc3339(stamp.at),
        "actor": {
            "subject": stamp.subject,
            "client_id": stamp.client_id,
            "source_ip": stamp.source_ip,
            "of_stage": stamp.of_stage,
        },
        "operation": stamp.operation,
        "request_id": stamp.request_id,
        "resource": {"kind": entry.resource.kind, "id": entry.resource.id},
        "version": entry.version,
        "changes": [
            {"field": each.field, "before": each.before, "after": each.after}
            for each in entry.changes
        ],
    }
