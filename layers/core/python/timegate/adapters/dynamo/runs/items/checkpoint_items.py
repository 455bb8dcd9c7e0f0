"""Parts of attempts that lie flat in their items, so that conditions can name them."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.jobs.slices import Slice, Slices
from timegate.domain.runs.checkpoint import Checkpoint, Progress

Fields = Mapping[str, Plain]

_PROGRESS = Part(
    Progress,
    names={
        "percent": "progress_percent",
        "message": "progress_message",
        "at": "progress_at",
    },
)
_CHECKPOINT = Part(
    Checkpoint,
    names={
        "sequence": "checkpoint_sequence",
        "inline": "checkpoint",
        "blob": "checkpoint_blob",
        "size_bytes": "checkpoint_bytes",
        "written_at": "checkpoint_at",
        "fence": "checkpoint_fence",
    },
)
_ANSWER = Part(KeptAnswer, names={"text": "answer", "fence": "answer_fence", "at": "answered_at"})
_SLICES = Part(Slices, without=("last",), names={"ended": "slices"})
_LAST_SLICE = Part(
    Slice,
    names={
        "started_at": "slice_started_at",
        "ended_at": "slice_ended_at",
        "fence": "slice_fence",
        "slots": "slice_slots",
    },
)


def progress_to_fields(progress: Progress | None) -> dict[str, Plain]:
    """All of them each time: a message that is not said again is not true any more."""
    if progress is None:
        return {}
    return {**_PROGRESS.fields(progress), "progress_message": progress.message or None}


def progress_from_fields(fields: Fields) -> Progress | None:
    """Read progress back."""
    return _PROGRESS.read(fields) if "progress_at" in fields else None


def checkpoint_to_fields(checkpoint: Checkpoint | None) -> dict[str, Plain]:
    """All of them each time: one that moves to the blob store leaves nothing in the item."""
    return {} if checkpoint is None else _CHECKPOINT.fields(checkpoint)


def checkpoint_from_fields(fields: Fields) -> Checkpoint | None:
    """Read a checkpoint back."""
    return _CHECKPOINT.read(fields) if "checkpoint_sequence" in fields else None


def answer_to_fields(answer: KeptAnswer | None) -> dict[str, Plain]:
    """Build the fields of an answer that no holder of the lease recorded."""
    return {} if answer is None else _ANSWER.fields(answer)


def answer_from_fields(fields: Fields) -> KeptAnswer | None:
    """Read a kept answer back."""
    return _ANSWER.read(fields) if "answer_fence" in fields else None


def slices_to_fields(slices: Slices) -> dict[str, Plain]:
    """Build the fields of slices that a run has ended."""
    last = _LAST_SLICE.map(slices.last) if slices.last is not None else {}
    return {**_SLICES.fields(slices), **last}


def slices_from_fields(fields: Fields) -> Slices:
    """Read them back."""
    last = _LAST_SLICE.read(fields) if "slice_fence" in fields else None
    return _SLICES.read(fields, last=last)
