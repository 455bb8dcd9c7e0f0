"""Operations: long work on many jobs or runs, as a durable record of how far it came."""

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import ClassVar, Self

from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import JobId, OperationId, RunId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Errors that are kept with an operation, the first ones; all are counted.
MAX_ERRORS = 20
#: One that goes on by itself and made no step for so long is woken.
WAKE_AFTER = timedelta(minutes=2)
#: One that waits for others is woken after so long, unless it was told before.
LOOK_AFTER = timedelta(minutes=5)
#: One that was woken, and made no step for so long, stands still: people should know.
STALLED_AFTER = timedelta(minutes=5)


class OperationKind(StrEnum):
    """Kinds of operations."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    BACKFILL = "backfill"
    REDRIVE = "redrive"
    DISCARD = "discard"
    #: Runs that have not begun.
    CANCEL_RUNS = "cancel_runs"
    RESCHEDULE_RUNS = "reschedule_runs"


class OperationStatus(StrEnum):
    """States of an operation."""

    RUNNING = "running"
    #: Everything was done, or was so already.
    SUCCEEDED = "succeeded"
    #: It came to its end, or had to give up, and something was not done.
    FAILED = "failed"
    CANCELLED = "cancelled"


class WaitsFor(StrEnum):
    """Causes for which an operation makes no step."""

    #: The end of runs it began: no more may be under way at once, or there are no more.
    RUNS = "runs"
    #: Its job is paused.
    JOB = "job"
    #: Its tenant is suspended.
    TENANT = "tenant"


class Reprocess(StrEnum):
    """Treatment of instants whose run has ended."""

    NONE = "none"
    #: Those that did not succeed run again, unless they were cancelled.
    FAILED = "failed"
    ALL = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class BulkChange:
    """One change of every job that matches."""

    tag: ClassVar[str] = "change"
    jobs: JobFilter
    #: Each job's catch-up policy settles what passed during the pause; for ``resume``.
    catch_up: bool = False
    #: Reason of a ``pause``, for people.
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Backfill:
    """Runs for the instants of a job's schedule in a range of the past; both ends belong to it."""

    tag: ClassVar[str] = "backfill"
    job_id: JobId
    start: datetime
    end: datetime
    reprocess: Reprocess
    #: No more of its runs than these are unfinished at once.
    max_concurrent: int
    #: Which schedule: the one that was given then.
    anchored_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Settlement:
    """Every dead letter that matches, redriven or discarded; or every failed run, redriven."""

    tag: ClassVar[str] = "settlement"
    letters: DeadLetterFilter = field(default_factory=DeadLetterFilter)
    #: Failed runs instead, dead letters or not; ``None``: dead letters alone.
    failures: FailureFilter | None = None
    #: These and no others; empty: whichever match.
    runs: tuple[RunId, ...] = ()
    #: Payload of a redrive, in place of the runs' own.
    payload: Payload | None = None
    #: The redriven runs begin anew, whatever their checkpoints.
    fresh: bool = False
    note: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingRuns:
    """Every run that has not begun, of a job or of all jobs that match."""

    jobs: JobFilter = field(default_factory=JobFilter)
    #: This one and no other; ``None``: all that match.
    job_id: JobId | None = None
    #: Bounds of their nominal instants.
    within: InstantRange = EVER

    def within_of(self, earliest: datetime) -> InstantRange:
        """The range of instants; from ``earliest`` where it names no first one."""
        if self.within.start is not None:
            return self.within
        end = self.within.end
        return InstantRange(start=earliest if end is None else min(earliest, end), end=end)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cancellation(PendingRuns):
    """Cancels pending runs."""

    tag: ClassVar[str] = "cancellation"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rescheduling(PendingRuns):
    """Lets pending runs be due at another instant."""

    tag: ClassVar[str] = "rescheduling"
    at: datetime
    #: Each run has an instant of its own within so many seconds from then on.
    spread_seconds: int = 0

    def due_of(self, run: RunId) -> datetime:
        """Return the new instant of a run: the same one, however often a step is repeated."""
        from timegate.domain.recurrence.spread import jitter  # noqa: PLC0415 - few reschedule many

        return self.at + jitter(str(run), self.at, self.spread_seconds, None)


Task = BulkChange | Backfill | Settlement | Cancellation | Rescheduling


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """Jobs of a bulk change, instants of a backfill, or runs."""

    #: Found so far, or known from the beginning.
    matched: int = 0
    done: int = 0
    #: There was nothing to do.
    unchanged: int = 0
    failed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemError:
    """An error of a job, of a run, or of the operation as a whole."""

    item: str
    code: str
    detail: str


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Opened:
    """A run that a backfill begins or began, and the attempt it begins with."""

    instant: datetime
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """An operation: its task, its caller and its progress."""

    tenant: TenantId
    operation_id: OperationId
    kind: OperationKind
    task: Task
    #: Fingerprint of the request: the same key with another one is a conflict.
    request_hash: str
    created_by: str
    created_at: datetime
    updated_at: datetime
    #: When a function must look at it if nothing happened; ``None`` once it has ended.
    watch_at: datetime | None
    status: OperationStatus = OperationStatus.RUNNING
    tally: Tally = field(default_factory=Tally)
    #: Steps so far: the worker that makes the next one names the one it read.
    step: int = 0
    #: Where the next step goes on; ``None``: at the beginning.
    cursor: str | None = None
    #: Nothing is left to look at.
    exhausted: bool = False
    #: Runs of a backfill whose end has not been counted yet.
    opened: tuple[Opened, ...] = ()
    #: Runs whose dead letters are to be settled next, and are not counted yet.
    chosen: tuple[RunId, ...] = ()
    errors: tuple[ItemError, ...] = ()
    waits_for: WaitsFor | None = None
    #: Why it gave up as a whole.
    failure: ItemError | None = None
    cancel_requested: bool = False
    ended_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """It has not ended."""
        return self.status is OperationStatus.RUNNING

    def stands_still(self, now: datetime) -> bool:
        """It should have made a step by now."""
        goes_on = self.is_running and self.waits_for is None
        return goes_on and now - self.updated_at > STALLED_AFTER


def with_errors(operation: Operation, errors: Sequence[ItemError]) -> Operation:
    """Add errors, as far as there is room for them."""
    return replace(operation, errors=(*operation.errors, *errors)[:MAX_ERRORS])


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemResult:
    """Result for one thing of many; neither done nor an error: it was left as it is."""

    done: bool = False
    error: ItemError | None = None

    @classmethod
    def refused(cls, item: str, error: TimegateError) -> Self:
        """The result of a change that was refused."""
        return cls(error=ItemError(item=item, code=error.code, detail=str(error)))


def with_results(operation: Operation, results: Sequence[ItemResult]) -> Operation:
    """Count the results of a step."""
    errors = [result.error for result in results if result.error is not None]
    done, tally = sum(result.done for result in results), operation.tally
    tally = replace(
        tally,
        matched=tally.matched + len(results),
        done=tally.done + done,
        failed=tally.failed + len(errors),
        unchanged=tally.unchanged + len(results) - done - len(errors),
    )
    return with_errors(replace(operation, tally=tally), errors)


def given_up(operation: Operation, *, code: str, detail: str) -> Operation:
    """It cannot go on, and does not wait for what it began."""
    failure = ItemError(item=operation.operation_id, code=code, detail=detail)
    return replace(operation, failure=failure, exhausted=True, opened=(), chosen=())


def stepped(before: Operation, after: Operation, *, now: datetime) -> Operation:
    """``after`` as the record of one more step, ended if nothing is left to do or to wait for."""
    after = replace(after, step=before.step + 1, updated_at=now)
    if after.exhausted and not after.opened and not after.chosen:
        return replace(
            after, status=_ending(after), ended_at=now, watch_at=None, cursor=None, waits_for=None
        )
    patience = WAKE_AFTER if after.waits_for is None else LOOK_AFTER
    return replace(after, watch_at=now + patience)


def _ending(operation: Operation) -> OperationStatus:
    if operation.failure is not None:
        return OperationStatus.FAILED
    if operation.cancel_requested:
        return OperationStatus.CANCELLED
    return OperationStatus.FAILED if operation.tally.failed else OperationStatus.SUCCEEDED
