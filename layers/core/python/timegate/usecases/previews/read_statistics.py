"""Reading statistics of a job: its recent runs in numbers, and its next instants."""

from dataclasses import replace
from datetime import datetime
from itertools import islice

from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.ledger import withdrawn_zone
from timegate.domain.previews.preview_instant import Prospect, prospects
from timegate.domain.previews.run_statistics import RunStatistics, run_statistics
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    UNRESTRICTED,
    Restrictions,
)
from timegate.domain.values.identity import JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.restrictions.named_calendars import named_calendars
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damaged_records
from timegate.value_classes import dataclass

#: Runs that are read: one page of a listing.
RECENT_RUNS = 100
#: Instants to come that are shown.
NEXT_FIRES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class JobStatistics:
    """A job's recent runs in numbers, and what it fires next."""

    job_id: JobId
    found: RunStatistics
    #: There are earlier runs than those that were read.
    is_partial: bool
    next_fires: tuple[Prospect, ...]


def read_statistics(
    tenant: TenantId, job_id: JobId, services: ApiServices, *, now: datetime
) -> JobStatistics:
    """Compute statistics of the runs whose instants have come, from one page of them.

    Nothing is kept for this: the page is read for each answer. Raises ``JobNotFound`` and
    ``JobDamaged``.
    """
    job = services.jobs.get(tenant, job_id)
    within = InstantRange(end=now)
    page = services.runs.list_runs(tenant, job_id, within=within, limit=RECENT_RUNS, cursor=None)
    tell_of_damaged_records(page.damaged, services.telemetry)
    is_partial = page.cursor is not None
    return JobStatistics(
        job_id=job_id,
        found=run_statistics(page.rows, is_partial=is_partial),
        is_partial=is_partial,
        next_fires=_next_fires(job, services, now=now),
    )


def _next_fires(job: Job, services: ApiServices, *, now: datetime) -> tuple[Prospect, ...]:
    timing = job.timing
    if timing.status is not JobStatus.ACTIVE or withdrawn_zone(timing.schedule) is not None:
        return ()
    restrictions = _restrictions(job, services)
    counted = _counted(timing, services, now=now)
    return tuple(islice(prospects(counted, after=now, restrictions=restrictions), NEXT_FIRES))


def _counted(timing: Timing, services: ApiServices, *, now: datetime) -> Timing:
    """Count the runs up to ``now`` that hold places of ``max_runs``: those after it are to come."""
    places = places_of(timing, services.runs, holding=lambda run: run.id.run.scheduled_at <= now)
    return timing if places is None else replace(timing, runs_begun=places.begun + places.waiting)


def _restrictions(job: Job, services: ApiServices) -> Restrictions:
    if not job.timing.calendars:
        return UNRESTRICTED
    in_force = services.restrictions.in_force([job.tenant]).get(job.tenant, NOTHING_IN_FORCE)
    names = [rule.calendar for rule in job.timing.calendars]
    return Restrictions(calendars=named_calendars(job.tenant, names, in_force, services))
