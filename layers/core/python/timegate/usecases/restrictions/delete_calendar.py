"""Deleting a calendar."""

from datetime import datetime

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def delete_calendar(
    tenant: TenantId,
    name: str,
    services: ApiServices,
    *,
    expected_version: int | None,
    now: datetime,
) -> Calendar:
    """Forget a calendar; returns what it was.

    Jobs may still name it: to them it covers nothing where they exclude it, and everything where
    they keep to it, so they run. Raises ``CalendarNotFound`` and ``CalendarVersionMismatch``.
    """
    calendar = services.restrictions.get_calendar(tenant, name)
    services.restrictions.delete_calendar(tenant, name, expected_version=expected_version, now=now)
    services.telemetry.event(
        service_events.CALENDAR_DELETED, tenant_id=tenant, calendar=name, version=calendar.version
    )
    return calendar
