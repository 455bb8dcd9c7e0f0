"""The part of an attempt's item that says who holds it."""

from collections.abc import Mapping
from datetime import timedelta
from math import ceil

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import number, optional_number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.lease import Lease
from timegate.domain.values.instants import compact, from_compact

#: What is known of a lease while somebody has it.
LEASE_FIELDS = ("owner", "lease_expires_at", "deadline_at", "handed_over_at", "lease_seconds")


def lease_fields(lease: Lease | None) -> dict[str, Plain]:
    """Build the fields of an attempt's lease."""
    if lease is None:
        return {}
    return {
        "owner": lease.owner,
        "lease_expires_at": compact(lease.expires_at),
        "deadline_at": compact(lease.deadline_at),
        "handed_over_at": written(lease.handed_over_at),
        "lease_seconds": ceil(lease.length.total_seconds()) if lease.length is not None else None,
    }


def lease_from_fields(fields: Mapping[str, Plain]) -> Lease | None:
    """Read it back; ``None``: nobody holds the attempt. Raises ``Malformed``."""
    if "owner" not in fields:
        return None
    seconds = optional_number(fields.get("lease_seconds"))
    return Lease(
        owner=text(fields["owner"]),
        fence=number(fields["fence"]),
        expires_at=from_compact(text(fields["lease_expires_at"])),
        deadline_at=from_compact(text(fields["deadline_at"])),
        handed_over_at=optional_instant(fields.get("handed_over_at")),
        length=timedelta(seconds=seconds) if seconds is not None else None,
    )
