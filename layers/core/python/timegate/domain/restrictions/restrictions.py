"""Restrictions: what keeps a tenant's jobs from running, as far as it is in force."""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta

from timegate.domain.calendars.calendar import MAX_CALENDARS, Calendar
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.restrictions.freeze import MAX_FREEZES, Freeze
from timegate.domain.values.errors import TooManyCalendars, TooManyFreezes
from timegate.domain.values.tenant import ADMINISTRATION, TenantId
from timegate.value_classes import dataclass

#: A freeze that has ended is still needed by those who decide about what it held back: a planner
#: that was down, a job that was paused. So long, ...
ENDED_KEPT_FOR = timedelta(days=31)
#: ... and of them so many, the last.
MAX_ENDED = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarRef:
    """One version of a calendar: it never changes."""

    tenant: TenantId
    name: str
    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class LateBound:
    """A span after which a notification rule is told of runs of its jobs that have not begun."""

    after_seconds: int
    jobs: Selection = field(default_factory=Selection)


@dataclass(frozen=True, kw_only=True, slots=True)
class RestrictionsInForce:
    """All restrictions of one tenant at a glance: one small record."""

    #: By the instant at which they start; those that ended lately are among them.
    freezes: tuple[Freeze, ...] = ()
    #: The calendars there are, and which version of each.
    calendars: Mapping[str, int] = field(default_factory=dict)
    #: Bounds of its enabled notification rules that ask for late runs.
    late_bounds: tuple[LateBound, ...] = ()


NOTHING_IN_FORCE = RestrictionsInForce()


@dataclass(frozen=True, kw_only=True, slots=True)
class Restrictions:
    """Freezes and calendars that decide about a tenant's jobs."""

    freezes: tuple[Freeze, ...] = ()
    #: Those that the jobs at hand name, by name; one that is missing here does not exist.
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    #: The stage's other region may have begun what was due by then; ``None``: it has no other.
    lost_until: datetime | None = None


UNRESTRICTED = Restrictions()


def of_runs(restrictions: Restrictions) -> Restrictions:
    """Return the restrictions of runs that exist."""
    if not any(each.spares_runs for each in restrictions.freezes):
        return restrictions
    freezes = tuple(each for each in restrictions.freezes if not each.spares_runs)
    return replace(restrictions, freezes=freezes)


def told_late_after(in_force: RestrictionsInForce, job: Job) -> tuple[int, ...]:
    """Return the bounds of the rules that select a job, in seconds, the shortest first."""
    bounds = in_force.late_bounds
    return tuple(sorted({each.after_seconds for each in bounds if each.jobs.selects(job)}))


def with_freeze(
    in_force: RestrictionsInForce, freeze: Freeze, *, now: datetime
) -> RestrictionsInForce:
    """With a freeze, new or changed; raises ``TooManyFreezes``."""
    others = [each for each in in_force.freezes if each.freeze_id != freeze.freeze_id]
    unended = [each for each in (*others, freeze) if not each.has_ended(now)]
    if sum(not each.by_stage for each in unended) > MAX_FREEZES:
        raise TooManyFreezes(MAX_FREEZES)
    ended = [each for each in (*others, freeze) if now - ENDED_KEPT_FOR < each.thaws_at <= now]
    kept = sorted(ended, key=lambda each: each.thaws_at)[-MAX_ENDED:]
    freezes = sorted([*kept, *unended], key=lambda each: each.freeze_id)
    return replace(in_force, freezes=tuple(freezes))


def with_stage(
    in_force: RestrictionsInForce, stage: RestrictionsInForce, tenant: TenantId
) -> RestrictionsInForce:
    """Return what is in force at a tenant, freezes of the whole stage that do not spare it too."""
    if tenant == ADMINISTRATION:
        return in_force
    added = [each.seen_by(tenant) for each in stage.freezes if tenant not in each.spared_tenants]
    if not added:
        return in_force
    freezes = sorted([*in_force.freezes, *added], key=lambda each: each.freeze_id)
    return replace(in_force, freezes=tuple(freezes))


def with_calendar(in_force: RestrictionsInForce, calendar: Calendar) -> RestrictionsInForce:
    """With a version of a calendar; raises ``TooManyCalendars``."""
    calendars = {**in_force.calendars, calendar.name: calendar.version}
    if len(calendars) > MAX_CALENDARS:
        raise TooManyCalendars(MAX_CALENDARS)
    return replace(in_force, calendars=calendars)


def without_calendar(in_force: RestrictionsInForce, name: str) -> RestrictionsInForce:
    """Without a calendar."""
    others = {each: version for each, version in in_force.calendars.items() if each != name}
    return replace(in_force, calendars=others)


def freeze_asked_as(in_force: RestrictionsInForce, asked_as: str) -> Freeze | None:
    """The freeze of a request with an Idempotency-Key, unless it ended long ago."""
    return next((each for each in in_force.freezes if asked_as and each.asked_as == asked_as), None)
