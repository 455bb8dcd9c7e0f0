"""Messages of a run's holder: lines, sent in batches, bounded, under its lease."""

from datetime import datetime
from enum import StrEnum

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

MAX_LINES = 100
MAX_LINE_CHARACTERS = 4_096
#: A batch is an item, and what a page of batches holds must fit into one answer.
MAX_BATCH_BYTES = 32 * 1024
#: Batches of one lease: longer texts belong elsewhere.
MAX_BATCHES = 1_000


class Level(StrEnum):
    """Levels of lines."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerLine:
    """One line."""

    at: datetime
    level: Level
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LogBatch:
    """Lines that were said together; its place is its own, so saying them again changes nothing."""

    tenant: TenantId
    attempt: AttemptId
    #: Fence of the lease under which they were said.
    fence: int
    #: Counts the batches of that lease, from 1.
    sequence: int
    lines: tuple[WorkerLine, ...]
    received_at: datetime

    @property
    def place(self) -> "BatchPosition":
        """Return the batch's place among the run's batches."""
        return BatchPosition(fence=self.fence, sequence=self.sequence)


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class BatchPosition:
    """A batch's place: leases of a run follow one another, over all its attempts."""

    fence: int
    sequence: int


def check_batch_size(lines: tuple[WorkerLine, ...]) -> None:
    """Refuse more than an item should hold; raises ``InvalidInput``."""
    size = sum(len(line.text.encode()) for line in lines)
    if size > MAX_BATCH_BYTES:
        detail = f"They have {size} bytes; send {MAX_BATCH_BYTES} at once at most."
        raise InvalidInput("lines", "too_large", detail)


def heard_at(said: datetime | None, *, earliest: datetime, now: datetime) -> datetime:
    """Return the instant of a line: the speaker's clock counts within the life of its lease."""
    return now if said is None else max(min(said, now), earliest)
