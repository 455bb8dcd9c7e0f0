"""Reading calendars, and asking one about an instant."""

from datetime import datetime

from timegate.domain.calendars.business_days import is_business_day
from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.calendar_changes import unchanged_until
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarAnswer:
    """A calendar's answer about an instant."""

    calendar: Calendar
    at: datetime
    covered: bool
    #: It says so up to here, or further; ``None``: for ever.
    until: datetime | None
    #: Tell if its day, on the calendar's clock, is a business day.
    business_day: bool


def list_calendars(
    tenant: TenantId, services: ApiServices, *, limit: int, cursor: str | None
) -> Page[Calendar]:
    """The tenant's calendars that can be read, by name.

    Raises ``InvalidInput`` for a cursor that is none.
    """
    page = services.restrictions.list_calendars(tenant, limit=limit, cursor=cursor)
    event, telemetry = service_events.CALENDAR_UNREADABLE, services.telemetry
    tell_of_unreadable(event, tenant, page.damaged, telemetry, named="calendar")
    return page


def check_instant(
    tenant: TenantId, name: str, at: datetime, services: ApiServices
) -> CalendarAnswer:
    """Tell if a calendar covers an instant, and until when; raises ``CalendarNotFound``."""
    calendar = services.restrictions.get_calendar(tenant, name)
    return CalendarAnswer(
        calendar=calendar,
        at=at,
        covered=covers(calendar, at),
        until=unchanged_until(calendar, at),
        business_day=is_business_day(calendar, calendar.coverage.day_of(at)),
    )
