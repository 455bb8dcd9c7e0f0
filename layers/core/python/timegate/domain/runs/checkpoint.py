"""Progress and checkpoints: what a long run says of itself, and where the next worker begins."""

from datetime import datetime

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.redaction import redact
from timegate.value_classes import dataclass

#: Same as a payload's: a target's last slice fits into one call.
MAX_CHECKPOINT_BYTES = 256 * 1024
#: Every heartbeat bills the whole item by the kilobyte, so only small checkpoints ride in it.
MAX_INLINE_BYTES = 1024
#: A line of text beside the percentage.
MAX_MESSAGE_CHARACTERS = 200
_WHOLE = 100.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """Progress that an attempt reports."""

    #: From 0 to 100; ``None`` where it cannot tell.
    percent: float | None = None
    message: str | None = None
    at: datetime

    def __post_init__(self) -> None:
        """It is shown to every reader of the run."""
        object.__setattr__(self, "message", redact(self.message))


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoint:
    """Point at which an interrupted run goes on: JSON text, inline or by reference."""

    #: Counts the run's checkpoints: a later one is higher, and only a higher one is stored.
    sequence: int
    inline: str | None = None
    #: Blob path of one too large to ride in the item.
    blob: str | None = None
    size_bytes: int
    written_at: datetime
    #: Fence of the lease it was written under.
    fence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """A worker's report with a heartbeat; parts left out stay as they are."""

    progress: Progress | None = None
    checkpoint: Checkpoint | None = None


SILENCE = Report()


def sequence_of(checkpoint: Checkpoint | None) -> int:
    """Count the checkpoints so far; 0 before the first."""
    return checkpoint.sequence if checkpoint is not None else 0


def check_progress(progress: Progress) -> None:
    """Refuse what could not be read; raises ``InvalidInput`` naming the field."""
    percent, message = progress.percent, progress.message
    if percent is None and not message:
        detail = "It has a percentage, a message, or both."
        raise InvalidInput("progress", "missing", detail)
    if percent is not None and not 0 <= percent <= _WHOLE:
        raise InvalidInput("progress.percent", "out_of_range", "It is from 0 to 100.")
    if message is not None and len(message) > MAX_MESSAGE_CHARACTERS:
        detail = f"It may have {MAX_MESSAGE_CHARACTERS} characters."
        raise InvalidInput("progress.message", "too_long", detail)


def check_checkpoint_size(text: str) -> int:
    """The size of a checkpoint in bytes; raises ``InvalidInput`` beyond the limit."""
    size = len(text.encode())
    if size > MAX_CHECKPOINT_BYTES:
        detail = f"The checkpoint has {size} bytes; the limit is {MAX_CHECKPOINT_BYTES}."
        raise InvalidInput("checkpoint", "checkpoint_too_large", detail)
    return size
