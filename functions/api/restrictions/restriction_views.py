"""From the domain to JSON: what users see of calendars and freezes."""

from datetime import datetime, time

from api.values.views import View, instant_view
from timegate.contracts.calendars import WEEKDAYS
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope
from timegate.domain.values.instants import rfc3339
from timegate.usecases.restrictions.import_calendar import Imported
from timegate.usecases.restrictions.read_calendars import CalendarAnswer


def calendar_row(calendar: Calendar) -> View:
    """A calendar in a listing: without its entries."""
    return {
        "name": calendar.name,
        "version": calendar.version,
        "updated_at": rfc3339(calendar.updated_at),
        "description": calendar.description,
        "tags": dict(calendar.tags),
        "timezone": calendar.timezone,
        "entries": calendar.entries,
    }


def calendar_view(calendar: Calendar) -> View:
    """A calendar with its entries."""
    return {**calendar_row(calendar), **defined_calendar_view(calendar)}


def defined_calendar_view(calendar: Calendar) -> View:
    """Show what the owner of a calendar says of it."""
    return {
        "description": calendar.description,
        "tags": dict(calendar.tags),
        "timezone": calendar.timezone,
        "days": [
            {"first": each.first.isoformat(), "last": each.last.isoformat()}
            for each in calendar.days
        ],
        "weekdays": _weekdays(calendar.weekdays),
        "windows": [
            {
                "weekdays": _weekdays(each.weekdays),
                "opens": _time(each.opens),
                "closes": _time(each.closes),
            }
            for each in calendar.windows
        ],
        "periods": [
            {"start": rfc3339(each.start), "end": rfc3339(each.end)} for each in calendar.periods
        ],
        "weekend": _weekdays(calendar.weekend),
    }


def import_view(calendar: Calendar, imported: Imported, *, until: datetime) -> View:
    """Show a calendar after an import."""
    return {
        "calendar": calendar_view(calendar),
        "events": imported.events,
        "occurrences": imported.occurrences,
        "until": rfc3339(until),
    }


def checked_view(checked: CalendarAnswer) -> View:
    """Show if a calendar covers an instant."""
    return {
        "name": checked.calendar.name,
        "version": checked.calendar.version,
        "at": rfc3339(checked.at),
        "covered": checked.covered,
        "until": instant_view(checked.until),
        "business_day": checked.business_day,
    }


def freeze_view(freeze: Freeze, *, now: datetime) -> View:
    """A freeze, and how it stands."""
    return {
        "freeze_id": freeze.freeze_id,
        "state": _state(freeze, now),
        "scope": _scope(freeze.scope),
        "starts_at": rfc3339(freeze.starts_at),
        "ends_at": rfc3339(freeze.ends_at),
        "thaw": freeze.thaw,
        "reason": freeze.reason,
        "created_at": rfc3339(freeze.created_at),
        "lifted_at": instant_view(freeze.lifted_at),
        "by_stage": freeze.by_stage,
    }


def _state(freeze: Freeze, now: datetime) -> str:
    if freeze.lifted_at is not None:
        return "lifted"
    if freeze.is_active(now):
        return "active"
    return "scheduled" if now < freeze.starts_at else "ended"


def stage_freeze_view(freeze: Freeze, *, now: datetime) -> View:
    """Show a freeze of the whole stage to its administration: with the tenants it spares."""
    return {**freeze_view(freeze, now=now), "spared_tenants": [*freeze.spared_tenants]}


def _scope(scope: FreezeScope) -> View:
    match scope.kind:
        case FreezeKind.TENANT:
            return {"kind": scope.kind}
        case FreezeKind.JOB:
            return {"kind": scope.kind, "job_id": scope.value}
        case FreezeKind.TAG:
            return {"kind": scope.kind, **_tag(scope.value)}
        case FreezeKind.STAGE:
            spared = _tag(scope.value) if scope.value else None
            return {"kind": scope.kind, "spared_tag": spared}


def _tag(written: str) -> View:
    key, equals, value = written.partition("=")
    return {"key": key, "value": value if equals else None}


def _weekdays(numbers: frozenset[int]) -> list[str]:
    return [WEEKDAYS[number] for number in sorted(numbers)]


def _time(at: time) -> str:
    return at.isoformat("seconds" if at.second else "minutes")
