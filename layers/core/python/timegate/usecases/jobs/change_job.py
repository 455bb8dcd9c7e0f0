"""Changing a stored job: read, decide, and write only what was decided about what was read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Self

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.transitions import Transition
from timegate.domain.values.errors import JobChanged, JobIsCancelled, VersionMismatch
from timegate.domain.values.identity import JobId, OperationId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry.telemetry import LogEvent
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.planning.cut_gaps import WITH_CHANGE
from timegate.usecases.planning.materialise import finish_announced, materialise_if_soon
from timegate.usecases.services.api_services import ChangeServices
from timegate.value_classes import dataclass

#: The planner or another caller may get in between; each of them makes progress when it does.
MAX_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedJob:
    """A changed job, and the gap that the change leaves in its ledger."""

    job: Job
    gap: Gap | None = None
    #: Cuts of gaps that were recorded ahead, in order: the last of them when the change is stored.
    cuts: tuple[Cut, ...] = ()
    #: So many jobs the tenant may have, should this one be revived; ``None``: any number.
    limit: int | None = None

    @classmethod
    def by(cls, transition: Transition | None, job: Job) -> Self | None:
        """The job after a transition of its timing."""
        if transition is None:
            return None
        return cls(job=replace(job, timing=transition.timing), gap=transition.gap)


#: Decides what a job becomes at an instant; ``None`` when it is so already. It may be asked again.
Change = Callable[[Job, datetime], ChangedJob | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class JobRef:
    """The job to change."""

    tenant: TenantId
    job_id: JobId
    #: Change this version only; ``None``: whichever is stored.
    version: int | None = None
    #: On whose behalf, if not a caller's: one that has changed the job does not change it again.
    operation: OperationId | None = None


def change_job(
    ref: JobRef, event: LogEvent, change: Change, services: ChangeServices, *, now: datetime
) -> Job:
    """Apply a change as a new version and materialise what the next tick might miss.

    Raises ``JobNotFound``, ``VersionMismatch``, ``JobChanged`` after losing every race, and
    whatever ``change`` raises. Runs of the old version are judged when they are due.
    """
    job, is_new = _apply(ref, change, services, now)
    if is_new:
        report_change(event, job, services)
    return materialised(job, services, now=now, is_new=is_new)


def report_change(event: LogEvent, job: Job, services: ChangeServices) -> None:
    """Tell of a new version that is stored."""
    services.telemetry.event(
        event,
        tenant_id=job.tenant,
        job_id=job.job_id,
        version=job.timing.version,
        next_run_at=job.timing.next_run_at,
    )


def materialised(job: Job, services: ChangeServices, *, now: datetime, is_new: bool) -> Job:
    """Materialise what the next tick might miss; the job as it stands then.

    Also when nothing changed: the request may repeat one that died after its write.
    """
    timing = job.timing
    if timing.status is JobStatus.ACTIVE:
        # A change's effect on the places of ``max_runs`` shows at once.
        is_bounded = is_new and timing.schedule.max_runs is not None
        timing = materialise_if_soon(timing, services.scheduling, now=now, at_once=is_bounded)
    return replace(job, timing=timing)


def decided(
    job: Job, change: Change, *, now: datetime, operation: OperationId | None = None
) -> ChangedJob | None:
    """Decide about a job as it was read: its next version; ``None``: it is so already."""
    # Clocks differ: a change that comes after another must not count from before it, or an
    # instant in between would be settled by one and planned by the other.
    at = max(now, job.updated_at + MILLISECOND)
    changed = change(job, at)
    if changed is None:
        return None
    after = replace(
        changed.job,
        updated_at=at,
        timing=replace(changed.job.timing, version=job.timing.version + 1),
        last_operation=operation or job.last_operation,
    )
    return replace(changed, job=after)


def refuse_cancelled(job: Job) -> None:
    """Raise ``JobIsCancelled`` for a job that can only be read any more."""
    if job.timing.status is JobStatus.CANCELLED:
        raise JobIsCancelled(job.job_id)


def _apply(
    ref: JobRef, change: Change, services: ChangeServices, now: datetime
) -> tuple[Job, bool]:
    for _ in range(MAX_TRIES):
        job = services.jobs.get(ref.tenant, ref.job_id)
        if finish_announced(job.timing, services.scheduling, now=now):
            continue
        version = job.timing.version
        if ref.version not in {None, version}:
            raise VersionMismatch(ref.job_id, version)
        if ref.operation is not None and job.last_operation == ref.operation:
            return job, False
        changed = decided(job, change, now=now, operation=ref.operation)
        if changed is None:
            return job, False
        try:
            first, others = changed.cuts[:WITH_CHANGE], changed.cuts[WITH_CHANGE:]
            with refusals_told(ref.tenant, services.telemetry):
                services.jobs.update(
                    job, changed.job, gap=changed.gap, cuts=first, limit=changed.limit
                )
        except JobChanged:
            continue
        if others:
            services.jobs.cut(others)
        return changed.job, True
    raise JobChanged(ref.job_id)
