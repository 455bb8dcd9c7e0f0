"""The log of a run: lines from its records, and messages of its holders."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum

from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.ledger.worker_log import Level, LogBatch
from timegate.domain.runs.reserved_turns import wanted_at
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


class LogKind(StrEnum):
    """Kinds of lines."""

    CREATED = "created"
    STARTED = "started"
    PROGRESS = "progress"
    CHECKPOINT = "checkpoint"
    #: Said by its worker, or by the target that holds it.
    MESSAGE = "message"
    #: The decision about a failure, or the reason for not running, is in its text.
    ENDED = "ended"
    SETTLED = "settled"


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """One thing that happened to an attempt."""

    at: datetime
    attempt: int
    kind: LogKind
    text: str
    #: Level of a message.
    level: Level | None = None


def log_of(attempts: Sequence[Attempt], said: Sequence[LogBatch] = ()) -> tuple[LogLine, ...]:
    """The lines of a run, earliest first; of one instant, in the order in which they happen."""
    lines = [line for attempt in attempts for line in _lines(attempt)]
    return in_order([*lines, *(line for batch in said for line in _messages(batch))])


def in_order(lines: Sequence[LogLine]) -> tuple[LogLine, ...]:
    """Sort lines by instant; the sort is stable, so messages of one instant keep their order."""
    order = list(LogKind)
    return tuple(sorted(lines, key=lambda line: (line.at, line.attempt, order.index(line.kind))))


def _messages(batch: LogBatch) -> Iterator[LogLine]:
    for line in batch.lines:
        yield LogLine(
            at=line.at,
            attempt=batch.attempt.number,
            kind=LogKind.MESSAGE,
            text=line.text,
            level=line.level,
        )


def _lines(attempt: Attempt) -> Iterator[LogLine]:
    number, progress, checkpoint = attempt.id.number, attempt.progress, attempt.checkpoint
    due = f"attempt {number}, due at {rfc3339(wanted_at(attempt))}"
    if attempt.pace is not None:
        due += f", let by the rate limit of {attempt.pace.key} at {rfc3339(attempt.pace.turn_at)}"
    yield LogLine(at=attempt.created_at, attempt=number, kind=LogKind.CREATED, text=due)
    if attempt.started_at is not None:
        began = f"begun by {_worker(attempt)} under fence {attempt.fence}"
        yield LogLine(at=attempt.started_at, attempt=number, kind=LogKind.STARTED, text=began)
    if progress is not None:
        percent = f"{progress.percent:g} %" if progress.percent is not None else ""
        said = ", ".join(filter(None, [percent, progress.message])) or "at work"
        yield LogLine(at=progress.at, attempt=number, kind=LogKind.PROGRESS, text=said)
    # An attempt inherits the run's last checkpoint: that line is its predecessor's.
    if checkpoint is not None and checkpoint.fence > attempt.fenced_from:
        kept = f"checkpoint {checkpoint.sequence}, {checkpoint.size_bytes} bytes"
        yield LogLine(at=checkpoint.written_at, attempt=number, kind=LogKind.CHECKPOINT, text=kept)
    yield from _last_lines(attempt)


def _last_lines(attempt: Attempt) -> Iterator[LogLine]:
    number, resolution = attempt.id.number, attempt.resolution
    if attempt.ended_at is not None:
        yield LogLine(
            at=attempt.ended_at, attempt=number, kind=LogKind.ENDED, text=_ending(attempt)
        )
    if resolution is not None:
        note = f": {resolution.note}" if resolution.note is not None else ""
        done = f"{resolution.settled} by {resolution.by}{note}"
        yield LogLine(at=resolution.at, attempt=number, kind=LogKind.SETTLED, text=done)


def _ending(attempt: Attempt) -> str:
    reason = f" ({attempt.reason})" if attempt.reason is not None else ""
    error = attempt.error
    failure = f": {error.code} {error.type}: {error.message}" if error is not None else ""
    return f"{attempt.state}{reason}{failure}; {explain_attempt(attempt)}"


def _worker(attempt: Attempt) -> str:
    return attempt.lease.owner if attempt.lease is not None else "a worker"
