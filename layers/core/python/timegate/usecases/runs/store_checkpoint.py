"""Checkpoints: small ones ride in the attempt, large ones lie in the blob store."""

import hashlib
from datetime import datetime

from timegate.domain.runs.checkpoint import MAX_INLINE_BYTES, Checkpoint, check_checkpoint_size
from timegate.domain.runs.run import Attempt
from timegate.ports.blobs import BlobStore


def store_checkpoint(
    text: str, attempt: Attempt, *, sequence: int, blobs: BlobStore, now: datetime
) -> Checkpoint:
    """The checkpoint to report under the attempt's lease; raises ``InvalidInput`` if too large.

    A large one is stored here already, under its hash: a worker that turns out to be fenced out
    has then left a blob without a reference, and replaced none.
    """
    size = check_checkpoint_size(text)
    inline: str | None = text
    blob = None
    if size > MAX_INLINE_BYTES:
        digest = hashlib.sha256(text.encode()).hexdigest()
        inline, blob = None, f"checkpoints/{attempt.tenant}/{attempt.id.run}/{digest}"
        blobs.put(blob, text)
    return Checkpoint(
        sequence=sequence,
        inline=inline,
        blob=blob,
        size_bytes=size,
        written_at=now,
        fence=attempt.fence,
    )


def load_checkpoint(checkpoint: Checkpoint | None, blobs: BlobStore) -> str | None:
    """The JSON text of a checkpoint; ``None`` when there is none."""
    if checkpoint is None:
        return None
    return blobs.get(checkpoint.blob) if checkpoint.blob is not None else checkpoint.inline
