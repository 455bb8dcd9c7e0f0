"""A step of a bulk change: a page of a tenant's jobs, each changed as a caller would do it."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial

from timegate.domain.jobs.job import Job
from timegate.domain.ledger.ledger import TimezoneWithdrawn
from timegate.domain.operations.operation import (
    BulkChange,
    ItemResult,
    Operation,
    OperationKind,
    with_results,
)
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import JobChanged, JobDamaged, JobIsCancelled, JobIsCompleted
from timegate.ports.stores import DamagedJob
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.services.damage_report import tell_of_damage
from timegate.usecases.services.operations_services import Operating

#: Jobs looked at in one step.
JOBS_PER_STEP = 100
#: An index shows a new record after a moment.
INDEX_MARGIN = timedelta(seconds=2)
#: Faults of a job that can be read: operators are told of each.
_DAMAGE: tuple[type[Exception], ...] = (TimezoneWithdrawn, *DAMAGE)


def change_in_bulk(operation: Operation, task: BulkChange, operating: Operating) -> Operation:
    """The operation after its next page; jobs that came after it are none of its business.

    A job that this operation has changed is not changed again, even when a caller changed it since,
    and counts as done: a step that died half-way is repeated without harm. One that cannot be read
    counts as failed, and holds up no other. Once it is cancelled it counts those that a step
    changed before it died. Raises ``Throttled``.
    """
    operating.clock.wait_until(operation.created_at + INDEX_MARGIN)
    page = operating.jobs.list_jobs(operation.tenant, limit=JOBS_PER_STEP, cursor=operation.cursor)
    tell_of_damage(page.damaged, operating.telemetry)
    if operation.cancel_requested:
        changed = [job for job in page.rows if job.last_operation == operation.operation_id]
        counted = with_results(operation, [ItemResult(done=True) for _ in changed])
        return replace(counted, exhausted=True)
    matched = [job for job in page.rows if _is_meant(job, operation, task)]
    with ThreadPoolExecutor(max_workers=operating.workers) as pool:
        results = list(pool.map(partial(_change, operation, task, operating), matched))
    counted = with_results(operation, [*results, *map(_unreadable, page.damaged)])
    return replace(counted, cursor=page.cursor, exhausted=page.cursor is None)


def _is_meant(job: Job, operation: Operation, task: BulkChange) -> bool:
    """The change itself may be what makes a job match no longer."""
    if job.last_operation == operation.operation_id:
        return True
    return job.timing.created_at <= operation.created_at and task.jobs.matches(job)


def _change(operation: Operation, task: BulkChange, operating: Operating, job: Job) -> ItemResult:
    """Change one job; a job that ended stays as it is. Raises ``Throttled``."""
    owner = operation.operation_id
    ref = JobRef(tenant=job.tenant, job_id=job.job_id, operation=owner)
    try:
        after = _apply(operation.kind, ref, task, operating)
    except (JobIsCancelled, JobIsCompleted):
        return ItemResult()
    except JobChanged as error:
        return ItemResult.refused(job.job_id, error)
    except _DAMAGE as damage:
        # It can be read, and a rule found something in it that it cannot work with.
        found = DamagedJob(tenant=job.tenant, job_id=job.job_id, reason=repr(damage))
        tell_of_damage([found], operating.telemetry)
        return _unreadable(found)
    return ItemResult(done=after.last_operation == owner)


def _apply(kind: OperationKind, ref: JobRef, task: BulkChange, operating: Operating) -> Job:
    now = operating.clock.now()
    match kind:
        case OperationKind.PAUSE:
            return pause_job(ref, operating, now=now, reason=task.reason)
        case OperationKind.RESUME:
            return resume_job(ref, operating, now=now, catch_up=task.catch_up)
        case OperationKind.CANCEL:
            return cancel_job(ref, operating, now=now)
        case _:
            message = f"a {kind} changes no job"
            raise ValueError(message)


def _unreadable(damaged: DamagedJob) -> ItemResult:
    return ItemResult.refused(damaged.job_id, JobDamaged(damaged.job_id, damaged.reason))
