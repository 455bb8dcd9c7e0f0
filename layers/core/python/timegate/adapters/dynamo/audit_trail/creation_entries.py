"""Entries of creations within the records of jobs: what an item of its own would say, as JSON.

A record costs one write unit for each kilobyte: what it says anyhow is not said again.
"""

import json
from collections.abc import Mapping

from timegate.adapters.dynamo.audit_trail.audit_items import entry_from_fields, stamp_to_fields
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.job import FIRST_VERSION
from timegate.domain.tenants.audit_trail import AuditEntry, ResourceKind

#: The attributes that have it, and its instant, by which the archive finds it.
CREATION, TOLD_AT = "creation", "told_at"


def creation_text(entry: AuditEntry) -> str:
    """The entry less what the job's record says of itself, and what a creation has in common."""
    stamp = stamp_to_fields(entry)
    del stamp["at"]
    made = {each.field: each.after for each in entry.changes}
    return _json({"stamp": stamp, "made": made})


@reader_of("entry of a creation")
def creation_of(fields: Mapping[str, Plain]) -> AuditEntry | None:
    """Read the entry within a job's record; ``None``: it has none. Raises ``Malformed``."""
    if CREATION not in fields:
        return None
    told = json.loads(text(fields[CREATION]))
    tenant, _, job_id = text(fields["pk"]).rpartition("#")
    changes = [[name, None, after] for name, after in told["made"].items()]
    return entry_from_fields(
        {
            "tenant": tenant,
            "kind": ResourceKind.JOB.value,
            "resource_id": job_id,
            "version": FIRST_VERSION,
            "stamp": {**told["stamp"], "at": fields[TOLD_AT]},
            "changes": _json(changes),
        }
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
