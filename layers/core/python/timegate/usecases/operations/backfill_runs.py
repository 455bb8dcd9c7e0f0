"""A step of a backfill: count what ended, choose what comes next, and begin it.

A choice is on record before it begins: the next step begins a recorded choice without a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from itertools import islice

from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamagedRun, RunRecord
from timegate.domain.operations.backfill import (
    InstantFate,
    damage_error,
    expired_error,
    fate_of,
    instants_of,
    opening,
    run_error,
    still_open,
)
from timegate.domain.operations.operation import (
    Backfill,
    ItemError,
    Opened,
    Operation,
    Reprocess,
    WaitsFor,
    with_errors,
)
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.errors import JobNotFound, Malformed
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.instants import MILLISECOND, compact, from_compact
from timegate.ports.stores import AttemptRef
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.operations.open_runs import open_runs
from timegate.usecases.operations.start_backfill import read_runs
from timegate.usecases.services.operations_services import Operating
from timegate.value_classes import dataclass

#: Instants looked at in one step, for each place that is free; many may need nothing.
LOOK_AHEAD = 25
MAX_LOOK_AHEAD = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """A run on record as begun, as it is."""

    opened: Opened
    #: The attempt that begins it; ``None``: not begun yet, or not any more.
    first: Attempt | None
    #: Attempt before that.
    before: Attempt | None
    #: Why either cannot be read.
    unreadable: str | None = None

    @property
    def is_forgotten(self) -> bool:
        """Tell if the run to reopen has reached the end of its retention."""
        gone = self.first is None and self.before is None and self.unreadable is None
        return gone and self.opened.number > 1


def look_at_backfill(
    operation: Operation, task: Backfill, operating: Operating, *, now: datetime
) -> Operation:
    """The operation after its next step; the runs it chose are still to be begun.

    Raises ``Throttled``.
    """
    job = _job_of(operation, task, operating)
    operation = _check(operation, task, job)
    held = isinstance(job, Job) and job.timing.status is JobStatus.PAUSED
    over = operation.failure is not None or operation.cancel_requested
    found = _find(operation, task, operation.opened, operating)
    operation = _count_ended(operation, found, operating, drops=over)
    if over or isinstance(job, ItemError):
        return replace(operation, exhausted=True, waits_for=WaitsFor.RUNS)
    if held:
        return replace(operation, waits_for=WaitsFor.JOB)
    _begin(operation, found, job.timing, operating, now)
    operation = _choose(operation, task, job.timing, operating)
    full = len(operation.opened) >= task.max_concurrent
    return replace(operation, waits_for=WaitsFor.RUNS if full or operation.exhausted else None)


def begin_runs(
    operation: Operation, opened: Sequence[Opened], operating: Operating, *, now: datetime
) -> None:
    """Store the first attempts of runs that were chosen; the stream publishes them.

    Raises ``Throttled``: then the next step begins them.
    """
    if not isinstance(operation.task, Backfill):
        return
    found = _find(operation, operation.task, opened, operating)
    job = _job_of(operation, operation.task, operating)
    if isinstance(job, Job) and job.timing.status is not JobStatus.PAUSED:
        _begin(operation, found, job.timing, operating, now)


def _job_of(operation: Operation, task: Backfill, operating: Operating) -> Job | ItemError:
    """The job, or why it cannot be worked with."""
    try:
        return operating.jobs.get(operation.tenant, task.job_id)
    except JobNotFound as error:
        return ItemError(item=task.job_id, code=error.code, detail="The job is gone.")
    except Malformed as error:
        return ItemError(item=task.job_id, code=error.code, detail=str(error))


def _check(operation: Operation, task: Backfill, job: Job | ItemError) -> Operation:
    """Give up what cannot go on."""
    if operation.failure is not None:
        return operation
    code = detail = None
    if isinstance(job, ItemError):
        code, detail = job.code, job.detail
    elif job.timing.status is JobStatus.CANCELLED:
        code, detail = "job_cancelled", "The job was cancelled meanwhile."
    elif job.timing.anchored_at != task.anchored_at:
        code, detail = "schedule_changed", "The job was given another schedule meanwhile."
    if code is None or detail is None:
        return operation
    failure = ItemError(item=task.job_id, code=code, detail=detail)
    return replace(operation, failure=failure)


def _count_ended(
    operation: Operation, found: Sequence[_Found], operating: Operating, *, drops: bool
) -> Operation:
    """Count the runs that have ended; ``drops``: those not begun yet are not to begin."""
    open_: list[Opened] = []
    errors: list[ItemError] = []
    tally = operation.tally
    for each in found:
        if each.is_forgotten:
            tally = replace(tally, failed=tally.failed + 1)
            errors.append(expired_error(each.opened))
        elif each.first is None and (drops or each.unreadable is None):
            open_ += [] if drops else [each.opened]
        elif each.first is None:
            tally = replace(tally, failed=tally.failed + 1)
            errors.append(damage_error(each.opened.instant, each.unreadable))
        elif each.first.operation != operation.operation_id:
            # Another writer was faster: the planner, or another backfill.
            tally = replace(tally, unchanged=tally.unchanged + 1)
        else:
            last = _last_of(each.first, operation, operating)
            last = _called_off(last, operating) if operation.cancel_requested else last
            still = still_open(each.opened, last)
            if still is not None:
                open_.append(still)
            elif last.state is RunState.SUCCEEDED:
                tally = replace(tally, done=tally.done + 1)
            else:
                tally = replace(tally, failed=tally.failed + 1)
                errors.append(run_error(last))
    return with_errors(replace(operation, tally=tally, opened=tuple(open_)), errors)


def _called_off(last: Attempt, operating: Operating) -> Attempt:
    # Imported here: a backfill is rarely cancelled.
    from timegate.usecases.operations.call_off_run import call_off_run  # noqa: PLC0415

    return call_off_run(last, operating)


def _choose(
    operation: Operation, task: Backfill, timing: Timing, operating: Operating
) -> Operation:
    """Go on through the instants until the places are taken, or enough was looked at."""
    free = task.max_concurrent - len(operation.opened)
    if operation.exhausted or free <= 0:
        return operation
    start = task.start
    if operation.cursor is not None:
        start = from_compact(operation.cursor) + MILLISECOND
    most = min(LOOK_AHEAD * free, MAX_LOOK_AHEAD)
    instants = list(islice(instants_of(timing, start, task.end), most + 1))
    looked_at = instants[:most]
    if not looked_at:
        return replace(operation, exhausted=True)
    runs = read_runs(timing, looked_at[0], looked_at[-1], operating.runs)
    picked = _pick(looked_at, runs, task.reprocess, free)
    before = operation.tally
    tally = replace(
        before,
        unchanged=before.unchanged + picked.unchanged,
        failed=before.failed + len(picked.errors),
    )
    after = replace(
        operation,
        tally=tally,
        cursor=compact(picked.last),
        exhausted=picked.last == instants[-1],
        opened=(*operation.opened, *picked.chosen),
    )
    return with_errors(after, picked.errors)


@dataclass(kw_only=True, slots=True)
class _Picked:
    """Decisions of a step about the instants up to ``last``."""

    last: datetime
    chosen: list[Opened] = field(default_factory=list)
    errors: list[ItemError] = field(default_factory=list)
    unchanged: int = 0


def _pick(
    instants: Sequence[datetime],
    runs: Mapping[datetime, RunRecord],
    reprocess: Reprocess,
    free: int,
) -> _Picked:
    picked = _Picked(last=instants[0])
    for instant in instants:
        if len(picked.chosen) == free:
            break
        picked.last, run = instant, runs.get(instant)
        if isinstance(run, DamagedRun):
            picked.errors.append(damage_error(instant, run.reason))
            continue
        match fate_of(run, reprocess):
            case InstantFate.NEW | InstantFate.REOPENED:
                number = run.id.number + 1 if run is not None else 1
                picked.chosen.append(Opened(instant=instant, number=number))
            case InstantFate.UNCHANGED:
                picked.unchanged += 1
    return picked


def _find(
    operation: Operation, task: Backfill, opened: Sequence[Opened], operating: Operating
) -> list[_Found]:
    """Read the runs on record, two attempts each, in one read."""
    numbers = [(each, n) for each in opened for n in (each.number - 1, each.number) if n > 0]
    refs = [
        AttemptRef(
            tenant=operation.tenant,
            id=AttemptId(
                run=RunId(job_id=task.job_id, origin=Origin.SCHEDULE, scheduled_at=each.instant),
                number=number,
            ),
        )
        for each, number in numbers
    ]
    loaded = dict(zip(numbers, operating.runs.load_all(refs) if refs else [], strict=True))
    attempts = {key: found.attempt for key, found in loaded.items()}
    damaged = {each: found.unreadable for (each, _), found in loaded.items() if found.unreadable}
    return [
        _Found(
            opened=each,
            first=attempts[each, each.number],
            before=attempts.get((each, each.number - 1)),
            unreadable=damaged.get(each),
        )
        for each in opened
    ]


def _last_of(first: Attempt, operation: Operation, operating: Operating) -> Attempt:
    """The last attempt of those that the operation began; later ones are another's."""
    if first.state not in TERMINAL or first.ends_run:
        return first
    attempts = operating.runs.attempts(operation.tenant, first.id.run)
    return [each for each in attempts if each.opened_as == first.opened_as][-1]


def _begin(
    operation: Operation,
    found: Sequence[_Found],
    timing: Timing,
    operating: Operating,
    now: datetime,
) -> None:
    missing = [each for each in found if each.first is None and each.unreadable is None]
    missing = [each for each in missing if not each.is_forgotten]
    if not missing:
        return
    attempts = [opening(operation, each.opened, each.before, timing, now=now) for each in missing]
    new = open_runs([each.before for each in missing], attempts, operation, operating, now=now)
    operating.telemetry.count(service_metrics.RUNS_BACKFILLED, sum(new))
    for attempt, is_new in zip(attempts, new, strict=True):
        operating.telemetry.event(
            service_events.RUN_BACKFILLED,
            **of_run(attempt),
            operation_id=operation.operation_id,
            is_new=is_new,
        )
    if not all(new):
        # Another writer was faster, so no end will bring the operation back.
        operating.operations.wake(operation.tenant, operation.operation_id)
