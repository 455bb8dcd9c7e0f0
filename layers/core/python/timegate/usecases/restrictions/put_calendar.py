"""Storing a calendar: whole, as a new version of whatever was there."""

from timegate.domain.calendars.calendar import Calendar, check_calendar
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def put_calendar(
    calendar: Calendar, services: ApiServices, *, expected_version: int | None
) -> Calendar:
    """Create a calendar, or replace the one of its name; returns it with its version.

    Raises ``InvalidInput``, ``TooManyCalendars`` and, unless ``expected_version`` is stored (0:
    none is), ``CalendarVersionMismatch``. Jobs that name it follow it from then on; runs that are
    planned already are judged again when they are due.
    """
    check_calendar(calendar)
    stored = services.restrictions.put_calendar(
        calendar.tenant, calendar, expected_version=expected_version
    )
    services.telemetry.event(
        service_events.CALENDAR_STORED,
        tenant_id=stored.tenant,
        calendar=stored.name,
        version=stored.version,
        entries=stored.entries,
    )
    return stored
