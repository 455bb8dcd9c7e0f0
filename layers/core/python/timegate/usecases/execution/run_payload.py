"""A run's payload, as its target or its worker gets it."""

from timegate.domain.execution.follow_ups import filling_of, payload_for
from timegate.usecases.services.execution_services import Claimed, Execution


def payload_of(claimed: Claimed, execution: Execution) -> str | None:
    """The JSON text the run works with; raises ``Throttled`` or ``Malformed``."""
    payload = payload_for(claimed.job, claimed.attempt)
    text = payload.inline if payload.blob is None else execution.blobs.get(payload.blob)
    filling = filling_of(claimed.job, claimed.attempt)
    if text is None or filling is None:
        return text
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.runs.filled_payload import filled_for  # noqa: PLC0415

    return filled_for(filling, claimed.attempt.tenant, text)
