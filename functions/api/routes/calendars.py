"""Routes under ``/v1/calendars``."""

from datetime import timedelta

from api.contracts.calendars import AtQuery, CalendarBody, ImportQuery, ImportRequest
from api.contracts.listings import CalendarsQuery
from api.exchange import Exchange, Reply
from api.headers import etag, expected_version
from api.ical.isolated import Wanted, read_ical
from api.restriction_views import calendar_row, calendar_view, checked_view, import_view
from api.views import page_view
from timegate.domain.calendars.calendar import Calendar, DayRange, Period
from timegate.usecases.restrictions.delete_calendar import delete_calendar
from timegate.usecases.restrictions.import_calendar import Imported, ImportInto, import_calendar
from timegate.usecases.restrictions.put_calendar import put_calendar
from timegate.usecases.restrictions.read_calendars import (
    check_instant,
    list_calendars,
    read_calendar,
)

#: The media type of iCal files.
ICAL = "text/calendar"
#: What passed lately may still be decided: a planner that was down, a job that was paused.
BACKWARDS = timedelta(days=31)


def list_page(exchange: Exchange) -> Reply:
    """List calendars."""
    query = exchange.query(CalendarsQuery)
    page = list_calendars(
        exchange.tenant, exchange.services, limit=query.limit, cursor=query.position
    )
    return Reply(body=page_view(query.leading_on(page), calendar_row))


def put(exchange: Exchange) -> Reply:
    """Create a calendar, or replace it."""
    body = exchange.body().parse(CalendarBody)
    calendar = body.to_domain(exchange.tenant, exchange.path["calendar"], now=exchange.now)
    version = expected_version(exchange)
    return _reply(put_calendar(calendar, exchange.services, expected_version=version))


def get(exchange: Exchange) -> Reply:
    """Read a calendar."""
    return _reply(read_calendar(exchange.tenant, exchange.path["calendar"], exchange.services))


def delete(exchange: Exchange) -> Reply:
    """Delete a calendar."""
    deleted = delete_calendar(
        exchange.tenant,
        exchange.path["calendar"],
        exchange.services,
        expected_version=expected_version(exchange),
        now=exchange.now,
    )
    return Reply(body=calendar_view(deleted))


def import_file(exchange: Exchange) -> Reply:
    """Fill a calendar from an iCal file."""
    query = exchange.query(ImportQuery)
    text = exchange.text(ICAL)
    if text is None:
        text = exchange.body().parse(ImportRequest).ical
    until = exchange.now + timedelta(days=query.horizon_days)

    def read(timezone: str | None) -> Imported:
        first = exchange.now - BACKWARDS
        wanted = Wanted(first=first, last=until, timezone=query.timezone or timezone)
        found = read_ical(text, wanted)
        return Imported(
            timezone=found.timezone,
            days=tuple(DayRange(first=first, last=last) for first, last in found.days),
            periods=tuple(Period(start=start, end=end) for start, end in found.periods),
            events=found.events,
            occurrences=found.occurrences,
        )

    into = ImportInto(
        tenant=exchange.tenant,
        name=exchange.path["calendar"],
        expected_version=expected_version(exchange),
    )
    calendar, imported = import_calendar(into, read, exchange.services, now=exchange.now)
    headers = {"ETag": etag(calendar.version)}
    return Reply(body=import_view(calendar, imported, until=until), headers=headers)


def check(exchange: Exchange) -> Reply:
    """Say whether a calendar covers an instant."""
    at = exchange.query(AtQuery).at or exchange.now
    name = exchange.path["calendar"]
    return Reply(body=checked_view(check_instant(exchange.tenant, name, at, exchange.services)))


def _reply(calendar: Calendar) -> Reply:
    return Reply(body=calendar_view(calendar), headers={"ETag": etag(calendar.version)})
