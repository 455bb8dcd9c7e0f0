"""Previewing: what a schedule would do, and what it says in words."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.calendar_words import describe_rules
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.jobs.rules.calendar_rule_checks import check_density
from timegate.domain.jobs.rules.job_rules import check_calendar_rules
from timegate.domain.planning.movable_end import MovableEnd
from timegate.domain.previews.preview_instant import Prospect, end_of, prospects
from timegate.domain.recurrence.clock_notes import ClockChange, next_clock_changes
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, UNRESTRICTED, Restrictions
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.usecases.restrictions.named_calendars import named_calendars
from timegate.usecases.restrictions.unknown_calendars import refuse_unknown
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SchedulePreview:
    """A request for a preview: a job created at ``start``, as far as its instants go."""

    tenant: TenantId
    schedule: Schedule
    start: datetime
    count: int
    calendars: tuple[CalendarRule, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """The next instants, soonest first, and the schedule in words."""

    prospects: tuple[Prospect, ...]
    description: str
    #: The next gap and fold of the zone's clock.
    clock_changes: tuple[ClockChange, ...] = ()
    #: Where ``max_runs`` ends the instants that are shown.
    end: MovableEnd | None = None


def preview_schedule(wanted: SchedulePreview, services: ApiServices) -> Preview:
    """Preview such a job under the tenant's calendars; raises ``InvalidInput``.

    A schedule that runs once may name ``start`` itself, one that recurs not, like that of a job.
    Freezes pass, and are not asked about.
    """
    schedule, start = wanted.schedule, wanted.start
    validate_schedule(schedule, now=start)
    check_calendar_rules(wanted.calendars)
    check_density(schedule, wanted.calendars)
    restrictions = _restrictions(wanted.tenant, wanted.calendars, services)
    after = start if schedule.is_recurring else start - MILLISECOND
    timing = _timing(wanted)
    found = prospects(timing, after=after, restrictions=restrictions)
    shown = tuple(islice(found, wanted.count))
    return Preview(
        prospects=shown,
        description=", ".join([describe(schedule), *describe_rules(wanted.calendars)]),
        clock_changes=next_clock_changes(schedule, after=after),
        end=end_of(timing, shown, restrictions),
    )


def _restrictions(
    tenant: TenantId, rules: Sequence[CalendarRule], services: ApiServices
) -> Restrictions:
    if not rules:
        return UNRESTRICTED
    in_force = services.restrictions.in_force([tenant]).get(tenant, NOTHING_IN_FORCE)
    refuse_unknown(rules, in_force.calendars.keys())
    names = [rule.calendar for rule in rules]
    return Restrictions(calendars=named_calendars(tenant, names, in_force, services))


def _timing(wanted: SchedulePreview) -> Timing:
    return Timing(
        tenant=wanted.tenant,
        job_id=JobId(""),
        version=1,
        status=JobStatus.ACTIVE,
        schedule=wanted.schedule,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        created_at=wanted.start,
        anchored_at=wanted.start,
        next_run_at=None,
        calendars=wanted.calendars,
    )
