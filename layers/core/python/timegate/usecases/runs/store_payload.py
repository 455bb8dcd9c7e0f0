"""Payloads: small ones ride in the record, large ones lie in the blob store under their hash."""

import hashlib
from collections.abc import Collection
from dataclasses import replace

from timegate.domain.execution.follow_ups import filling_of, own_payload, payload_for
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId, JobId, RunId
from timegate.domain.values.payload import (
    JOB_PAYLOADS,
    MAX_INLINE_BYTES,
    RUN_PAYLOADS,
    Filling,
    Payload,
    PayloadMismatch,
    check_payload_size,
)
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.stores import AttemptRef, RunStore


def store_payload(
    text: str | None,
    tenant: TenantId,
    job_id: JobId,
    blobs: BlobStore,
    *,
    pointers: Collection[str] = (),
) -> Payload:
    """Put a job's payload where it belongs; raises ``InvalidInput`` when it is too large.

    ``pointers``: where its job reads keys of runs. A large payload is not read again for them.

    Storing the same text again writes the same blob. Blobs are never deleted here: a run that
    was claimed under the old definition may still be about to read the old one.
    """
    return _stored(text, f"{JOB_PAYLOADS}/{tenant}/{job_id}", blobs, pointers)


def store_run_payload(
    text: str | None,
    tenant: TenantId,
    owner: JobId,
    blobs: BlobStore,
    *,
    pointers: Collection[str] = (),
    marks: bool = False,
) -> Payload:
    """Put the payload of a run alone where it belongs, as ``store_payload``.

    ``marks``: those in it are filled.

    ``owner``: its job, or its DAG run. The bucket forgets a large one after the run's record:
    there are as many as runs, and a job's may be needed for ever.
    """
    stored = _stored(text, f"{RUN_PAYLOADS}/{tenant}/{owner}", blobs, pointers)
    return replace(stored, marks=True) if marks and text is not None else stored


def put_run_text(text: str, tenant: TenantId, owner: JobId, blobs: BlobStore) -> str:
    """Store a text of a run; return its path, which is the same for the same text and owner."""
    return _put(text, f"{RUN_PAYLOADS}/{tenant}/{owner}", blobs)


def _stored(text: str | None, folder: str, blobs: BlobStore, pointers: Collection[str]) -> Payload:
    if text is None:
        return Payload()
    size = check_payload_size(text)
    if size <= MAX_INLINE_BYTES:
        return Payload(inline=text, size_bytes=size)
    path = _put(text, folder, blobs)
    return Payload(blob=path, size_bytes=size, keys=_keys_at(text, pointers))


def _put(text: str, folder: str, blobs: BlobStore) -> str:
    path = f"{folder}/{hashlib.sha256(text.encode()).hexdigest()}"
    blobs.put(path, text)
    return path


def read_keys(payload: Payload, pointers: Collection[str], blobs: BlobStore) -> Payload:
    """Return a stored payload with the keys of runs at other pointers than those that were read."""
    text = None if payload.blob is None else load_payload(payload, blobs)
    return payload if text is None else replace(payload, keys=_keys_at(text, pointers))


def _keys_at(text: str, pointers: Collection[str]) -> tuple[tuple[str, str], ...]:
    if not pointers:
        return ()
    # Imported here: few jobs have keys of runs, and every function would pay for it.
    from timegate.domain.limits.run_keys import keys_at  # noqa: PLC0415

    return keys_at(text, pointers)


def load_payload(payload: Payload, blobs: BlobStore) -> str | None:
    """The JSON text behind a payload; ``None`` when there is none."""
    return blobs.get(payload.blob) if payload.blob is not None else payload.inline


def load_own_payload(attempt: Attempt, blobs: BlobStore) -> str | None:
    """The JSON text of a run's own payload; ``None``: it has none, or its job's, or lost it.

    Only one beyond 1 KB takes a call.
    """
    own = own_payload(attempt)
    return None if own is None else load_kept_payload(own, blobs)


def load_kept_payload(payload: Payload, blobs: BlobStore) -> str | None:
    """The JSON text behind a payload, to be shown; ``None``: there is none, or it is lost."""
    try:
        return load_payload(payload, blobs)
    except BlobMissing:
        return None


def sent_payload(attempt: Attempt, runs: RunStore, blobs: BlobStore) -> str | None:
    """The JSON text that an attempt sends, by its job as it is now, as ``shown_payload``.

    A notification sends its message, and none of its job's payload.
    """
    if attempt.notice is not None:
        return None
    (loaded,) = runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
    return None if loaded.job is None else shown_payload(loaded.job, attempt, blobs)


def shown_payload(job: Job, attempt: Attempt, blobs: BlobStore) -> str | None:
    """The JSON text of an attempt's payload, to be shown; ``None``: it has none, or it is lost.

    Marks whose zone was withdrawn have no value, and so the payload has none.
    """
    try:
        return run_payload(job, attempt, blobs)
    except (BlobMissing, InvalidInput):
        return None


def run_payload(job: Job, attempt: Attempt, blobs: BlobStore) -> str | None:
    """The JSON text of an attempt's payload, its marks filled.

    Raises ``Throttled`` or ``Malformed``.
    """
    payload = payload_for(job, attempt)
    text = payload.inline if payload.blob is None else blobs.get(payload.blob)
    return _filled(text, filling_of(job, attempt), attempt.tenant)


def first_payload(job: Job, run: RunId, text: str | None) -> str | None:
    """The JSON text that the first attempt at a run sends of its job's payload, marks filled."""
    if job.payload_marks is None:
        return text
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.jobs.rules.filled_payload import filling_for  # noqa: PLC0415

    return _filled(text, filling_for(job, AttemptId(run=run, number=1)), job.tenant)


def _filled(text: str | None, filling: Filling | None, tenant: TenantId) -> str | None:
    if text is None or filling is None:
        return text
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.jobs.rules.filled_payload import filled_for  # noqa: PLC0415

    return filled_for(filling, tenant, text)


def payload_to_send(job: Job, attempt: Attempt, blobs: BlobStore) -> str | None:
    """Return the JSON text that a call sends, as ``run_payload``.

    Raises ``TargetFailed`` for a follow-up whose parent gave it what its job's schema refuses: it
    came by itself, and no caller could be refused it.
    """
    text = run_payload(job, attempt, blobs)
    if job.payload_schema is None or attempt.parent is None or attempt.payload is not None:
        return text
    if attempt.parent.given is not None or text is None:
        # Imported here: few jobs have schemas.
        from timegate.domain.jobs.rules.call_rules import check_fit, failure_of  # noqa: PLC0415
        from timegate.ports.call_runner import TargetFailed  # noqa: PLC0415

        try:
            check_fit(job, text)
        except PayloadMismatch as misfit:
            raise TargetFailed(failure_of(misfit)) from misfit
    return text
