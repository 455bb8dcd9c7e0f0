"""Payloads: small ones ride in the job, large ones lie in the blob store under their hash."""

import hashlib

from timegate.domain.execution.follow_ups import own_payload
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.payload import MAX_INLINE_BYTES, Payload, check_payload_size
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore


def store_payload(text: str | None, tenant: TenantId, job_id: JobId, blobs: BlobStore) -> Payload:
    """Put the payload where it belongs; raises ``InvalidInput`` when it is too large.

    Storing the same text again writes the same blob. Blobs are never deleted here: a run that
    was claimed under the old definition may still be about to read the old one.
    """
    if text is None:
        return Payload()
    size = check_payload_size(text)
    if size <= MAX_INLINE_BYTES:
        return Payload(inline=text, size_bytes=size)
    path = f"payloads/{tenant}/{job_id}/{hashlib.sha256(text.encode()).hexdigest()}"
    blobs.put(path, text)
    return Payload(blob=path, size_bytes=size)


def load_payload(payload: Payload, blobs: BlobStore) -> str | None:
    """The JSON text behind a payload; ``None`` when there is none."""
    return blobs.get(payload.blob) if payload.blob is not None else payload.inline


def load_own_payload(attempt: Attempt, blobs: BlobStore) -> str | None:
    """The JSON text of a run's own payload; ``None``: it has none, or its job's.

    Only one beyond 1 KB takes a call.
    """
    own = own_payload(attempt)
    return None if own is None else load_payload(own, blobs)
