"""From the domain to JSON: progress, checkpoints and deadlines of runs."""

from typing import Any

from api.values.views import View, instant_view
from timegate.domain.jobs.slices import Slices
from timegate.domain.runs.checkpoint import Checkpoint, Progress
from timegate.domain.runs.finishing import margin_ms, outlook
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339


def finish_view(attempt: Attempt) -> dict[str, Any] | None:
    """The deadline of a run, and how the run stands to it."""
    finish = attempt.finish
    if finish is None:
        return None
    return {
        "at": rfc3339(finish.by),
        "outlook": outlook(attempt, finish),
        "usual_duration_ms": finish.usual_ms,
        "expected_at": instant_view(finish.expected_at),
        "margin_ms": margin_ms(attempt, finish),
    }


def progress_view(progress: Progress | None) -> View | None:
    """Show the progress that an attempt reported."""
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
