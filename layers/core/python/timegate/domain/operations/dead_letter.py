"""Dead letters, which wait for a decision, and other runs that can be tried again."""

from datetime import datetime

from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import (
    Conflict,
    JobIsCancelled,
    JobIsPaused,
    NotDeadLettered,
    RunIsUnfinished,
)
from timegate.domain.values.identity import JobId, Origin, RunId
from timegate.value_classes import dataclass

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


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedRun:
    """A run of a tenant's listing, and its job as it is now; ``None``: that is gone."""

    last: Attempt
    job: Job | None

    @property
    def job_name(self) -> str | None:
        """Return the name of its job."""
        return self.job.name if self.job is not None else None


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


def overtaken_letter_of(attempts: tuple[Attempt, ...]) -> Attempt | None:
    """The attempt that still waits to be settled though its run went on; ``None``: there is none.

    A region that was replaced may have tried the run again before the cut. Its attempt arrives once
    that region is back, after the run was given up here.
    """
    return next((each for each in reversed(attempts[:-1]) if each.is_dead_letter), None)


class NotRedrivable(Conflict):
    """The run did not begin, did not fail, or is tried again already."""

    code = "not_redrivable"

    def __init__(self, run_id: str, state: str) -> None:
        super().__init__(f"Run {run_id} cannot be tried again: it is {state}.")


#: Ends of an execution without success.
_FAILED = frozenset({RunState.FAILED, RunState.TIMED_OUT, RunState.CANCELLED})


def can_be_tried_again(last: Attempt) -> bool:
    """Tell if a run that this attempt ended can be: it began, failed, and is not settled."""
    failed = last.is_failure and last.state in _FAILED and last.fence > 0 and not last.is_task
    return last.is_dead_letter or (failed and last.resolution is None)


def failed_attempt_of(run: RunId, attempts: tuple[Attempt, ...]) -> Attempt:
    """The attempt that ended a run, which can be tried again: a dead letter, or another failure.

    A run that never began gave its place in ``max_runs`` back; a task is its DAG run's to repeat.
    Raises ``RunIsUnfinished`` and ``NotRedrivable``.
    """
    last = attempts[-1]
    if not last.ends_run:
        raise RunIsUnfinished(str(run), last.state)
    if can_be_tried_again(last):
        return last
    settled = last.resolution.settled if last.resolution is not None else last.state
    raise NotRedrivable(str(run), "a task of a DAG run" if last.is_task else settled)


#: Origins that a paused job does not hold up.
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
