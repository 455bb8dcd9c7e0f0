"""Pausing failing jobs: so many failed runs in a row pause a job that asks for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.failures import failures_that_pause, is_open, may_decide
from timegate.domain.jobs.job import FailurePause, Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.planning.transitions import paused_by_failures
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.errors import JobChanged, JobDamaged, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import LogEvent, Telemetry
from timegate.ports.tenants.audit_trail import Trail
from timegate.usecases.ledger.count_places import counted
from timegate.usecases.outcomes.notify import store_told, told_of_end
from timegate.usecases.planning.materialise import finish_announced
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: Timegate's name in the audit trail when it pauses a job.
ITSELF = "timegate"
_OPERATION = "outcomes.pause"
#: The planner or a caller may get in between; each of them makes progress when it does.
_MAX_TRIES = 5
#: The first page has as many runs as have to fail; each one after it is twice as long, up to this.
_LONGEST_PAGE = 100
#: Records that are taken one by one; behind them those of skipped and cancelled runs are passed by.
_MOST_READ = 1_000
#: Megabytes of records behind those: ten days of a run each minute. Each failing end may read them,
#: and ends of other tenants wait meanwhile.
_MOST_PAGES = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Pausing:
    """Services that pause failing jobs."""

    jobs: JobStore
    runs: RunStore
    telemetry: Telemetry
    trail: Trail
    scheduling: Scheduling


def pause_failing_jobs(ended: Sequence[Attempt], pausing: Pausing, *, now: datetime) -> None:
    """Pause the jobs whose failures these ends complete, and end the trials that succeeded.

    One conditional write decides, by runs on record: an end that comes twice, late or out of order
    finds what it did. The pause names the attempt that decided, and the attempt's hooks are told
    each time it is shown: their ids are computed. Raises ``Throttled``, and ``JobChanged`` after
    losing every race. A job without ``pause_after_failures`` costs no read. All these ends are on
    record: the first of a job that does not pause it speaks for the others.
    """
    spared = set[tuple[TenantId, JobId, int]]()
    for attempt in ended:
        if not may_decide(attempt):
            continue
        try:
            job = _judged(attempt, pausing, spared, now)
        except (JobDamaged, JobNotFound):
            # The follower of its end meets the same, and reports it.
            continue
        pause = job.timing.failure_pause
        if pause is not None and pause.attempt == attempt.id:
            told = told_of_end(job, attempt, Occasion.PAUSED, now=now)
            store_told([told], pausing.runs, pausing.telemetry)


def _judged(
    attempt: Attempt, pausing: Pausing, spared: set[tuple[TenantId, JobId, int]], now: datetime
) -> Job:
    """The job, after what this end does to it.

    ``spared``: versions of jobs whose records were read, and did not pause them.
    """
    for _ in range(_MAX_TRIES):
        job = pausing.jobs.get(attempt.tenant, attempt.id.run.job_id)
        if finish_announced(job.timing, pausing.scheduling, now=now):
            continue
        if not is_open(job, attempt):
            return job
        at = max(now, job.updated_at + MILLISECOND)
        try:
            if attempt.state is RunState.SUCCEEDED:
                return _recovered(job, pausing, at)
            version = (job.tenant, job.job_id, job.timing.version)
            if version in spared:
                return job
            after = _paused(job, attempt, pausing, at)
        except JobChanged:
            continue
        if after is job:
            spared.add(version)
        return after
    raise JobChanged(attempt.id.run.job_id)


def _recovered(job: Job, pausing: Pausing, at: datetime) -> Job:
    pause = job.timing.failure_pause
    if pause is None:
        return job
    timing = replace(job.timing, failure_pause=replace(pause, passed=True))
    after = replace(job, timing=replace(timing, version=timing.version + 1), updated_at=at)
    pausing.jobs.update(job, after)
    _report(service_events.JOB_RECOVERED, after, pausing, failures=pause.failures)
    return after


def _paused(job: Job, attempt: Attempt, pausing: Pausing, at: datetime) -> Job:
    failures = failures_that_pause(job, _latest_runs(job, pausing.runs, at))
    if failures is None:
        return job
    pause = FailurePause(at=at, attempt=attempt.id, failures=failures)
    transition = paused_by_failures(counted(job.timing, pausing.runs), pause)
    if transition is None:
        return job
    timing = replace(transition.timing, version=job.timing.version + 1)
    after = replace(job, timing=timing, updated_at=at)
    stamp = Stamp(subject=ITSELF, operation=_OPERATION, request_id=str(attempt.id), at=at)
    with pausing.trail.on_behalf_of(stamp):
        pausing.jobs.update(job, after)
    _report(service_events.JOB_PAUSED_ITSELF, after, pausing, failures=failures)
    return after


def _latest_runs(job: Job, runs: RunStore, until: datetime) -> Iterator[RunRecord]:
    """Yield the last attempts of its runs, latest instant first; pages are read as they are taken.

    Most ends are decided by few runs, so pages begin short. Behind ``_MOST_READ`` come those that
    were neither skipped nor cancelled, of ``_MOST_PAGES`` at most: a job that is skipped for months
    costs no more than that.
    """
    first, end, left = job.timing.created_at, until, _MOST_READ
    size = min(job.pause_after_failures or 1, _LONGEST_PAGE)
    while left > 0:
        page = runs.history(
            *(job.tenant, job.job_id), start=first, end=end, limit=size, latest_first=True
        )
        yield from page
        if len(page) < size:
            return
        end, left = page[-1].id.run.scheduled_at - MILLISECOND, left - size
        size = min(2 * size, _LONGEST_PAGE, left)
    yield from runs.worked_runs(
        *(job.tenant, job.job_id), start=first, end=end, most_pages=_MOST_PAGES
    )


def _report(event: LogEvent, job: Job, pausing: Pausing, *, failures: int) -> None:
    pausing.telemetry.event(
        event,
        tenant_id=job.tenant,
        job_id=job.job_id,
        version=job.timing.version,
        failures=failures,
    )
