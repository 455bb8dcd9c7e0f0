"""The part of an attempt's item that says who holds it."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.lease import Lease

#: Fields of a lease while it is held.
LEASE_FIELDS = (
    *("owner", "lease_expires_at", "deadline_at", "handed_over_at", "lease_seconds"),
    "lease_slots",
)
_NAMES = {"expires_at": "lease_expires_at", "length": "lease_seconds", "slots": "lease_slots"}
_LEASE = Part(Lease, without=("fence",), names=_NAMES)


def lease_fields(lease: Lease | None) -> dict[str, Plain]:
    """Build the fields of an attempt's lease."""
    return {} if lease is None else _LEASE.fields(lease)


def lease_from_fields(fields: Mapping[str, Plain]) -> Lease | None:
    """Read it back; ``None``: the attempt has no holder. Raises ``Malformed``."""
    return _LEASE.read(fields, fence=number(fields["fence"])) if "owner" in fields else None
