"""What users see of long runs: how far one is, and where it would go on."""

from typing import Any

from timegate.domain.jobs.slices import Slices
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.values.instants import rfc3339

View = dict[str, Any]


def progress_view(progress: Progress | None) -> View | None:
    """How far an attempt said it was."""
    if progress is None:
        return None
    return {
        "percent": progress.percent,
        "message": progress.message,
        "at": rfc3339(progress.at),
    }


def checkpoint_view(checkpoint: Checkpoint | None) -> View | None:
    """The last checkpoint, without what is in it: that is its worker's business."""
    if checkpoint is None:
        return None
    return {
        "sequence": checkpoint.sequence,
        "size_bytes": checkpoint.size_bytes,
        "fence": checkpoint.fence,
        "at": rfc3339(checkpoint.written_at),
    }


def slices_view(slices: Slices) -> View | None:
    """The slices of a run that has ended one; ``None`` for any other."""
    if slices.last is None or slices.begun_at is None:
        return None
    return {
        "ended": slices.ended,
        "begun_at": rfc3339(slices.begun_at),
        "last_started_at": rfc3339(slices.last.started_at),
        "last_ended_at": rfc3339(slices.last.ended_at),
    }
