"""Dead letters: runs that were given up and wait for somebody to decide; and which are meant."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.errors import JobIsCancelled, JobIsPaused, NotDeadLettered
from timegate.domain.values.identity import JobId, Origin, RunId

#: Characters of an error's code by which it is found: it is part of a key.
MAX_CODE = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetterFilter:
    """Common properties of dead letters; ``None``: anything."""

    job_id: JobId | None = None
    reason: Reason | None = None
    error_code: str | None = None
    #: Dead-lettered not before then, and not after; both inclusive.
    start: datetime | None = None
    end: datetime | None = None

    def matches(self, attempt: Attempt) -> bool:
        """Tell if the attempt is a dead letter, and one of these."""
        ended_at = attempt.ended_at
        return (
            attempt.is_dead_letter
            and ended_at is not None
            and self.job_id in {None, attempt.id.run.job_id}
            and self.reason in {None, attempt.reason}
            and self.error_code in {None, code_of(attempt)}
            and (self.start is None or ended_at >= self.start)
            and (self.end is None or ended_at <= self.end)
        )


def code_of(attempt: Attempt) -> str | None:
    """The code of its error, as it is found by."""
    return attempt.error.code[:MAX_CODE] if attempt.error is not None else None


def dead_letter_of(run: RunId, attempts: tuple[Attempt, ...]) -> Attempt:
    """The attempt that waits to be settled; raises ``NotDeadLettered``."""
    last = attempts[-1]
    if not last.is_dead_letter:
        settled = last.resolution.settled if last.resolution is not None else last.state
        raise NotDeadLettered(str(run), settled)
    return last


#: What a paused job does not hold up.
_NOT_HELD_UP = frozenset({Origin.TRIGGER, Origin.NOTIFICATION})


def check_redrive(run: RunId, timing: Timing) -> None:
    """Refuse what would end before it began; raises ``JobIsCancelled`` or ``JobIsPaused``.

    A paused job starts no run of its schedule, and follows no other; what was triggered, and what
    tells of the past, runs.
    """
    if timing.status is JobStatus.CANCELLED:
        raise JobIsCancelled(timing.job_id)
    if timing.status is JobStatus.PAUSED and run.origin not in _NOT_HELD_UP:
        raise JobIsPaused(timing.job_id)
