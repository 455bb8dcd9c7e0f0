"""A step of changing pending runs: those that were chosen are changed, then more are chosen.

Runs are chosen from the records of their jobs, one job after the other: none is left out, whatever
its job lists. Chosen runs are on record before they are changed: a step that died half-way is
repeated, and finds which of them were changed since the operation began.
"""

from dataclasses import replace
from datetime import timedelta
from functools import partial

from timegate.domain.jobs.job import Job
from timegate.domain.operations.operation import Operation, PendingRuns
from timegate.domain.operations.reschedule import is_pending
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, Origin
from timegate.usecases.operations.bulk.change_in_bulk import INDEX_MARGIN
from timegate.usecases.operations.bulk.change_pending import change_pending, found_changed
from timegate.usecases.operations.bulk.settle_in_bulk import work_on_chosen
from timegate.usecases.services.damage_report import tell_of_damage, tell_of_damaged_records
from timegate.usecases.services.operations_services import Operating
from timegate.value_classes import dataclass

#: Runs of one job that are read at once: the ids of those that are meant are in the record.
RUNS_READ = 100
#: Pages that one step reads, of jobs or of runs.
PAGES_PER_STEP = 20
#: Without a first instant, runs of so long before the operation are looked at.
LOOK_BACK = timedelta(days=7)
#: Between the cursor of jobs and that of runs; neither has one.
_SEPARATOR = " "
#: Origins whose runs end by other means: a DAG run's, and notifications of an end.
_OTHERS = frozenset({Origin.TASK, Origin.NOTIFICATION})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    """Place at which choosing goes on: the job that comes next, and its runs below a cursor."""

    jobs: str | None = None
    runs: str | None = None

    @classmethod
    def of(cls, cursor: str | None) -> "_Place":
        jobs, _, runs = (cursor or "").partition(_SEPARATOR)
        return cls(jobs=jobs or None, runs=runs or None)

    def __str__(self) -> str:
        return f"{self.jobs or ''}{_SEPARATOR}{self.runs or ''}"


def pending_in_bulk(operation: Operation, task: PendingRuns, operating: Operating) -> Operation:
    """The operation after its next step; runs that came later are none of its business.

    Raises ``Throttled``.
    """
    operation = replace(_change(operation, task, operating), chosen=())
    if operation.exhausted or operation.cancel_requested:
        return replace(operation, exhausted=True)
    operating.clock.wait_until(operation.created_at + INDEX_MARGIN)
    return _choose(operation, task, operating)


def _change(operation: Operation, task: PendingRuns, operating: Operating) -> Operation:
    """Change chosen runs; a cancelled operation counts those that it changed before."""
    work = found_changed if operation.cancel_requested else change_pending
    return work_on_chosen(operation, operating, partial(work, operation, task, operating))


def _choose(operation: Operation, task: PendingRuns, operating: Operating) -> Operation:
    """Read on until a page of runs has some that are meant."""
    place = _Place.of(operation.cursor)
    for _ in range(PAGES_PER_STEP):
        job, following = _next_job(operation, task, operating, place)
        if job is None:
            if following is None:
                return replace(operation, cursor=None, exhausted=True)
            place = _Place(jobs=following)
            continue
        page = operating.runs.list_runs(
            operation.tenant,
            job,
            within=task.within_of(operation.created_at - LOOK_BACK),
            limit=RUNS_READ,
            cursor=place.runs,
        )
        tell_of_damaged_records(page.damaged, operating.telemetry)
        place = replace(place, runs=page.cursor) if page.cursor else _Place(jobs=following)
        ends = page.cursor is None and following is None
        chosen = tuple(each.id.run for each in page.rows if _is_meant(each, operation))
        if chosen or ends:
            cursor = None if ends else str(place)
            return replace(operation, chosen=chosen, cursor=cursor, exhausted=ends)
    return replace(operation, cursor=str(place))


def _next_job(
    operation: Operation, task: PendingRuns, operating: Operating, place: _Place
) -> tuple[JobId | None, str | None]:
    """The job at a place, if its runs are meant, and the cursor of the one behind it."""
    if task.job_id is not None:
        return task.job_id, None
    page = operating.jobs.list_jobs(operation.tenant, limit=1, cursor=place.jobs)
    tell_of_damage(page.damaged, operating.telemetry)
    meant = [job.job_id for job in page.rows if _is_among(job, operation, task)]
    return (meant[0] if meant else None), page.cursor


def _is_among(job: Job, operation: Operation, task: PendingRuns) -> bool:
    return job.timing.created_at <= operation.created_at and task.jobs.matches(job)


def _is_meant(last: Attempt, operation: Operation) -> bool:
    """A run that waits for its first worker or its next try, and was there at the beginning."""
    of_others = last.id.run.origin in _OTHERS
    return is_pending(last) and not of_others and last.created_at <= operation.created_at
