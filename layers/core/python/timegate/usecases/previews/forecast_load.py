"""Forecasting: how many runs of a tenant fall due in each minute of the next days."""

from dataclasses import field
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.previews.load.advice import JitterAdvice, advise
from timegate.domain.previews.load.forecast import Loads, MinuteRange, QueueLoad
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    Restrictions,
    RestrictionsInForce,
)
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob, Page
from timegate.usecases.restrictions.named_calendars import named_calendars
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_damage
from timegate.value_classes import dataclass

#: Jobs of one answer, and of one read.
MOST_JOBS = 500
_READ = 100
#: Steps that are counted for one answer before it ends with a cursor: a week of thirty jobs that
#: fire each minute, or half a week of a rule that names each second.
MOST_STEPS = 300_000
_EARLIEST, _LATEST = timedelta(hours=1), timedelta(days=366)


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedForecast:
    """Days and jobs of a forecast."""

    #: ``None``: now. Pages of one forecast name the same instant.
    start: datetime | None
    days: int
    limit: int
    cursor: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Forecast(Page[QueueLoad]):
    """The load of some of the tenant's jobs, queue by queue; loads of several pages add up."""

    span: MinuteRange
    #: Those that were read, and those among them whose runs fall due.
    read: int
    due: int
    damaged: tuple[DamagedJob, ...]
    #: By the name of the queue, and whether it is a pool: of these jobs alone.
    advice: dict[tuple[str, bool], JitterAdvice] = field(default_factory=dict)


def forecast_load(
    tenant: TenantId, asked: AskedForecast, services: ApiServices, *, now: datetime
) -> Forecast:
    """Count the runs of the tenant's active jobs; newest jobs first.

    Ends with a cursor after ``limit`` jobs, or sooner where counting has taken long. Raises
    ``InvalidInput`` for a cursor that is none and a start that is out of reach.
    """
    span = MinuteRange.of(_start(asked.start, now), asked.days)
    in_force = services.restrictions.in_force([tenant]).get(tenant, NOTHING_IN_FORCE)
    reading = _Reading(tenant=tenant, in_force=in_force, services=services, span=span)
    cursor, rest = asked.cursor, asked.limit
    while True:
        page = services.jobs.list_jobs(tenant, limit=min(rest, _READ), cursor=cursor)
        fitting = reading.loads.fitting(page.rows, MOST_STEPS)
        if fitting < len(page.rows):
            # Read again for the cursor behind the last job that is counted.
            page = services.jobs.list_jobs(tenant, limit=fitting, cursor=cursor)
        reading.count(page.rows)
        reading.damaged.extend(page.damaged)
        cursor, rest = page.cursor, rest - len(page.rows) - len(page.damaged)
        if cursor is None or rest <= 0 or reading.loads.steps >= MOST_STEPS:
            break
    tell_of_damage(reading.damaged, services.telemetry)
    queues = reading.loads.queues()
    advice = {
        (each.name, each.is_pool): found
        for each in queues
        if (found := advise(each, span, reading.restrictions, now=now)) is not None
    }
    return Forecast(
        rows=queues,
        cursor=cursor,
        span=span,
        read=reading.read,
        due=sum(len(each.jobs) for each in queues),
        damaged=tuple(reading.damaged),
        advice=advice,
    )


def _start(asked: datetime | None, now: datetime) -> datetime:
    if asked is None:
        return now
    if not now - _EARLIEST <= asked <= now + _LATEST:
        detail = "It must be between an hour ago and 366 days from now."
        raise InvalidInput("from", "out_of_range", detail)
    return asked


class _Reading:
    """Jobs as they are read, with the calendars that they name."""

    def __init__(
        self,
        *,
        tenant: TenantId,
        in_force: RestrictionsInForce,
        services: ApiServices,
        span: MinuteRange,
    ) -> None:
        self._tenant, self._in_force, self._services = tenant, in_force, services
        self.loads = Loads(span=span)
        self.restrictions = Restrictions()
        self.damaged: list[DamagedJob] = []
        self.read = 0

    def count(self, jobs: tuple[Job, ...]) -> None:
        """Count a page of jobs; reads the calendars that are new to it."""
        self.read += len(jobs)
        active = [each for each in jobs if each.timing.status is JobStatus.ACTIVE]
        names = {rule.calendar for each in active for rule in each.timing.calendars}
        new = names - self.restrictions.calendars.keys()
        found = named_calendars(self._tenant, new, self._in_force, self._services)
        self.restrictions = Restrictions(calendars={**self.restrictions.calendars, **found})
        for each in active:
            try:
                self.loads.add(each, self.restrictions)
            except DAMAGE as damage:
                job_id, why = each.job_id, repr(damage)
                self.damaged.append(DamagedJob(tenant=self._tenant, job_id=job_id, reason=why))
