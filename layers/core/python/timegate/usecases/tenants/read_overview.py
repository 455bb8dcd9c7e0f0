"""Reading the overview of a tenant: what fails, what is held back, what is used."""

from datetime import datetime, timedelta

from timegate.domain.execution.quota_usage import Usage
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.operations.decisions import paused_jobs
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import minute_of, minute_start
from timegate.domain.values.tenant import TenantId
from timegate.usecases.runs.read_tenant_runs import load_last_attempts
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.tenants.read_usage import read_usage
from timegate.value_classes import dataclass

#: Failed runs of so long are counted.
FAILED_WITHIN = timedelta(days=1)
#: Beyond it, there are more than so many. Jobs of a tenant that has so many are not told apart.
MOST_COUNTED = 100
#: Failed runs that are read, and those that are shown.
_READ, SHOWN = 40, 5


@dataclass(frozen=True, kw_only=True, slots=True)
class BoundedCount:
    """A number, if it was counted to its end."""

    count: int
    #: There are more than were counted.
    is_partial: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Overview:
    """A tenant at one instant."""

    at: datetime
    settings: TenantSettings
    usage: Usage
    failed_since: datetime
    failed: BoundedCount
    latest: tuple[NamedRun, ...]
    dead_letters: BoundedCount
    #: Jobs that the failures which were read paused.
    paused_jobs: tuple[Job, ...]
    freezes: tuple[Freeze, ...]
    #: Jobs by status; ``None``: the tenant has too many to read.
    jobs: dict[JobStatus, int] | None


def read_overview(tenant: TenantId, services: ApiServices, *, now: datetime) -> Overview:
    """Read what an operator sees first: at most 14 reads, whatever the tenant has."""
    # Whole minutes: an answer that is asked for again within one is the same.
    failed_since = minute_start(minute_of(now)) - FAILED_WITHIN
    within = InstantRange(start=failed_since)
    found = services.failures.list_failures(tenant, within=within, limit=MOST_COUNTED, cursor=None)
    failed = [
        NamedRun(last=row.attempt, job=row.job)
        for row in load_last_attempts(found.rows[:_READ], services)
        if row.attempt is not None and row.attempt.is_failure
    ]
    dead = services.dead_letters.count_dead_letters(tenant, most=MOST_COUNTED)
    settings = services.tenants.get(tenant)
    return Overview(
        at=now,
        settings=settings,
        usage=read_usage(settings, services, now=now),
        failed_since=failed_since,
        failed=BoundedCount(count=len(found.rows), is_partial=found.cursor is not None),
        latest=tuple(failed[:SHOWN]),
        dead_letters=BoundedCount(count=min(dead, MOST_COUNTED), is_partial=dead > MOST_COUNTED),
        paused_jobs=paused_jobs(failed),
        freezes=services.restrictions.unended_freezes(tenant, now=now),
        jobs=_jobs(tenant, services),
    )


def _jobs(tenant: TenantId, services: ApiServices) -> dict[JobStatus, int] | None:
    page = services.jobs.list_jobs(tenant, limit=MOST_COUNTED, cursor=None)
    if page.cursor is not None:
        return None
    statuses = [each.timing.status for each in page.rows]
    return {status: statuses.count(status) for status in JobStatus}
