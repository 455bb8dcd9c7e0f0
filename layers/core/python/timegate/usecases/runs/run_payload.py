"""A run's payload, as its target or its worker gets it."""

from timegate.domain.execution.follow_ups import filling_of, payload_for
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.ports.blobs import BlobStore
from timegate.ports.stores import AttemptRef, RunStore
from timegate.usecases.services.execution_services import Claimed, Execution


def payload_of(claimed: Claimed, execution: Execution) -> str | None:
    """The JSON text the run works with; raises ``Throttled`` or ``Malformed``."""
    return run_payload(claimed.job, claimed.attempt, execution.blobs)


def sent_payload(attempt: Attempt, runs: RunStore, blobs: BlobStore) -> str | None:
    """The JSON text that an attempt sends, by its job as it is now; ``None``: it has neither.

    Raises as ``payload_of``.
    """
    (loaded,) = runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    return None if loaded.job is None else run_payload(loaded.job, attempt, blobs)


def run_payload(job: Job, attempt: Attempt, blobs: BlobStore) -> str | None:
    """The JSON text of an attempt's payload, its marks filled; raises as ``payload_of``."""
    payload = payload_for(job, attempt)
    text = payload.inline if payload.blob is None else blobs.get(payload.blob)
    filling = filling_of(job, attempt)
    if text is None or filling is None:
        return text
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.jobs.rules.filled_payload import filled_for  # noqa: PLC0415

    return filled_for(filling, attempt.tenant, text)
