"""Progress and checkpoints, as attempts carry them: flat, so that conditions can name them."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import (
    number,
    optional_number,
    optional_text,
    real,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.values.instants import compact, from_compact

Fields = Mapping[str, Plain]


def progress_to_fields(progress: Progress | None) -> dict[str, Plain]:
    """All of them each time: a message that is not said again is not true any more."""
    if progress is None:
        return {}
    return {
        "progress_percent": progress.percent,
        "progress_message": progress.message or None,
        "progress_at": compact(progress.at),
    }


def progress_from_fields(fields: Fields) -> Progress | None:
    """Read progress back."""
    if "progress_at" not in fields:
        return None
    percent = fields.get("progress_percent")
    return Progress(
        percent=real(percent) if percent is not None else None,
        message=optional_text(fields.get("progress_message")),
        at=from_compact(text(fields["progress_at"])),
    )


def checkpoint_to_fields(checkpoint: Checkpoint | None) -> dict[str, Plain]:
    """All of them each time: one that moves to the blob store leaves nothing in the item."""
    if checkpoint is None:
        return {}
    return {
        "checkpoint_sequence": checkpoint.sequence,
        "checkpoint": checkpoint.inline,
        "checkpoint_blob": checkpoint.blob,
        "checkpoint_bytes": checkpoint.size_bytes,
        "checkpoint_at": compact(checkpoint.written_at),
        "checkpoint_fence": checkpoint.fence,
    }


def checkpoint_from_fields(fields: Fields) -> Checkpoint | None:
    """Read a checkpoint back."""
    sequence = optional_number(fields.get("checkpoint_sequence"))
    if sequence is None:
        return None
    return Checkpoint(
        sequence=sequence,
        inline=optional_text(fields.get("checkpoint")),
        blob=optional_text(fields.get("checkpoint_blob")),
        size_bytes=number(fields["checkpoint_bytes"]),
        written_at=from_compact(text(fields["checkpoint_at"])),
        fence=number(fields["checkpoint_fence"]),
    )
