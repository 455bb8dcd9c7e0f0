"""Dead letters in their attempts' items: keys of sparse indexes, and the audit."""

from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    payload_from_fields,
    payload_to_fields,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.operations.dead_letter import code_of
from timegate.domain.runs.resolution import AskedAs, Resolution, Settled
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import OperationId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.payload import Payload

#: The sort key of each index. Without it an item is in none of them.
DEAD_AT = "dead_at"
#: The attributes that only dead letters have, gone when one is settled.
DEAD_LETTER_FIELDS = ("dead_tenant", "dead_reason", "dead_code", DEAD_AT)


def dead_letter_fields(attempt: Attempt) -> dict[str, Plain]:
    """The keys under which a dead letter is found; nothing for any other attempt."""
    if not attempt.is_dead_letter or attempt.ended_at is None:
        return {}
    tenant, code = attempt.tenant, code_of(attempt)
    return {
        "dead_tenant": tenant,
        "dead_reason": f"{tenant}#{attempt.reason}",
        "dead_code": f"{tenant}#{code}" if code is not None else None,
        DEAD_AT: f"{compact(attempt.ended_at)}#{attempt.id}",
    }


def correction_to_field(payload: Payload | None) -> Plain:
    """A corrected payload; one that says that there is none is kept as well."""
    return None if payload is None else {"given": True, **payload_to_fields(payload)}


def correction_from_field(value: Plain) -> Payload | None:
    """Read it back."""
    return None if value is None else payload_from_fields(mapping(value))


def resolution_to_field(resolution: Resolution | None) -> Plain:
    """Build the field of a settlement: its caller, and what was done."""
    if resolution is None:
        return None
    fields: dict[str, Plain] = {
        "settled": resolution.settled,
        "by": resolution.by,
        "at": compact(resolution.at),
        "note": resolution.note,
        "operation": resolution.operation,
        "job_version": resolution.job_version,
        "payload_corrected": resolution.payload_corrected or None,
        "fresh": resolution.fresh or None,
        "request": _request_to_field(resolution.request),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _request_to_field(request: AskedAs | None) -> Plain:
    return None if request is None else {"key": request.key, "hash": request.hash}


def _request_from_field(value: Plain) -> AskedAs | None:
    if value is None:
        return None
    fields = mapping(value)
    return AskedAs(key=text(fields["key"]), hash=text(fields["hash"]))


def resolution_from_field(value: Plain) -> Resolution | None:
    """Read it back; raises what a damaged item makes its reader raise."""
    if value is None:
        return None
    fields = mapping(value)
    note, operation = fields.get("note"), fields.get("operation")
    version = fields.get("job_version")
    return Resolution(
        settled=Settled(text(fields["settled"])),
        by=text(fields["by"]),
        at=from_compact(text(fields["at"])),
        note=text(note) if note is not None else None,
        operation=OperationId(text(operation)) if operation is not None else None,
        job_version=number(version) if version is not None else None,
        payload_corrected=fields.get("payload_corrected") is True,
        fresh=fields.get("fresh") is True,
        request=_request_from_field(fields.get("request")),
    )
