"""Listing the jobs whose last run failed, by the index of failures: no job keeps its last run."""

from collections.abc import Iterable
from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.previews.run_statistics import last_outcome
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instant_range import EVER, InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import JobPage, Loaded
from timegate.usecases.runs.read_tenant_runs import load_last_attempts
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records

#: Failures that are read at once, and jobs whose last run is looked up for one answer: the page
#: that reaches it is the last.
MOST_ASKED = 50
#: Failures that are read for one answer.
_MOST_PAGES = 10
#: Runs of a job that are read for its last outcome: most of what has no outcome lies ahead.
RUNS_READ = 20


def list_failing_jobs(
    tenant: TenantId,
    wanted: JobFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
    now: datetime,
) -> JobPage:
    """List jobs that match and whose last run failed, the latest failure first.

    A job is listed at its last run's place in the index of failures, and so once. Fewer than
    ``limit``, even none, with a cursor means "not finished looking". Raises ``InvalidInput`` for a
    cursor that is none.
    """
    found: list[Job] = []
    last: dict[str, AttemptId | None] = {}
    for _ in range(_MOST_PAGES):
        most = min(limit - len(found), MOST_ASKED)
        page = services.failures.list_failures(tenant, within=EVER, limit=most, cursor=cursor)
        found += _failing(load_last_attempts(page.rows, services), wanted, services, last, now)
        cursor = page.cursor
        if cursor is None or len(found) >= limit or len(last) >= MOST_ASKED:
            break
    return JobPage(rows=tuple(found), damaged=(), cursor=cursor)


def _failing(
    rows: Iterable[Loaded],
    wanted: JobFilter,
    services: ApiServices,
    last: dict[str, AttemptId | None],
    now: datetime,
) -> Iterable[Job]:
    for row in rows:
        attempt, job = row.attempt, row.job
        if attempt is None or job is None or not attempt.is_failure or not wanted.matches(job):
            continue
        if job.job_id not in last:
            last[job.job_id] = _last_outcome(job, services, now)
        if last[job.job_id] == attempt.id:
            yield job


def _last_outcome(job: Job, services: ApiServices, now: datetime) -> AttemptId | None:
    """Return the attempt that gave the last outcome, from one query of its latest runs."""
    page = services.runs.list_runs(
        job.tenant, job.job_id, within=InstantRange(end=now), limit=RUNS_READ, cursor=None
    )
    tell_of_damaged_records(page.damaged, services.telemetry)
    decided = last_outcome(page.rows)
    return decided.id if decided is not None else None
