"""Routes under ``/v1/calendars``."""

from datetime import timedelta

from api.http.exchange import Exchange, Reply
from api.http.headers import etag, expected_version
from api.http.route import Scope, route
from api.ical.isolated import ReadRange, read_ical
from api.restrictions import restriction_answers
from api.restrictions.restriction_views import (
    calendar_row,
    calendar_view,
    checked_view,
    defined_calendar_view,
    import_view,
)
from api.values.validations import problems_of, validation_view
from api.values.views import page_view
from timegate.contracts.calendars import AtQuery, CalendarBody, ImportQuery, ImportRequest
from timegate.contracts.jobs.listings import CalendarsQuery
from timegate.domain.calendars.calendar import Calendar, DayRange, Period, check_calendar
from timegate.usecases.restrictions.delete_calendar import delete_calendar
from timegate.usecases.restrictions.import_calendar import Imported, ImportInto, import_calendar
from timegate.usecases.restrictions.put_calendar import put_calendar
from timegate.usecases.restrictions.read_calendars import (
    check_instant,
    list_calendars,
)

#: The media type of iCal files.
ICAL = "text/calendar"
#: A recent instant may still be decided: a planner that was down, a job that was paused.
BACKWARDS = timedelta(days=31)


@route(
    "GET",
    "/v1/calendars",
    operation="listCalendars",
    query=CalendarsQuery,
    answer=restriction_answers.CalendarList,
    success={200: "Every calendar of the tenant, by name."},
)
def list_page(exchange: Exchange) -> Reply:
    """List calendars.

    By name, without their entries.
    """
    query = exchange.query(CalendarsQuery)
    page = list_calendars(exchange.tenant, exchange.services, **query.paging)
    return Reply(body=page_view(query.leading_on(page), calendar_row))


@route(
    "PUT",
    "/v1/calendars/<calendar>",
    operation="putCalendar",
    body=CalendarBody,
    answer=restriction_answers.Calendar,
    success={200: "The calendar as it is now."},
    refusals=(409, 412),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)
def put(exchange: Exchange) -> Reply:
    """Create a calendar, or replace it.

    The body is the whole calendar. Jobs that name it follow it from the next plan on.
    """
    body = exchange.body().parse(CalendarBody)
    calendar = body.to_domain(exchange.tenant, exchange.path["calendar"], now=exchange.now)
    version = expected_version(exchange)
    return _reply(put_calendar(calendar, exchange.services, expected_version=version))


@route(
    "POST",
    "/v1/calendars/<calendar>/validate",
    operation="validateCalendar",
    asks=Scope.READ,
    body=CalendarBody,
    answer=restriction_answers.CalendarValidation,
    success={200: "What is wrong with it; nothing is stored."},
)
def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a calendar.

    The problems are those of putCalendar; nothing is stored and no quota is used.
    """
    body = exchange.body().parse(CalendarBody)
    calendar = body.to_domain(exchange.tenant, exchange.path["calendar"], now=exchange.now)
    problems = problems_of(lambda: check_calendar(calendar))
    return Reply(body=validation_view(defined_calendar_view(calendar), problems))


@route(
    "GET",
    "/v1/calendars/<calendar>",
    operation="getCalendar",
    answer=restriction_answers.Calendar,
    success={200: "The calendar with its entries."},
    refusals=(404,),
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read a calendar.

    With every entry of it.
    """
    restrictions = exchange.services.restrictions
    return _reply(restrictions.get_calendar(exchange.tenant, exchange.path["calendar"]))


@route(
    "DELETE",
    "/v1/calendars/<calendar>",
    operation="deleteCalendar",
    answer=restriction_answers.Calendar,
    success={200: "The calendar as it was."},
    refusals=(404, 409, 412),
    request_headers=("If-Match",),
)
def delete(exchange: Exchange) -> Reply:
    """Delete a calendar.

    Not while a job names it: those would run unrestricted.
    """
    deleted = delete_calendar(
        exchange.tenant,
        exchange.path["calendar"],
        exchange.services,
        expected_version=expected_version(exchange),
        now=exchange.now,
    )
    return Reply(body=calendar_view(deleted))


@route(
    "POST",
    "/v1/calendars/<calendar>/import",
    operation="importCalendar",
    # The process that reads it may work so long: see cpu_seconds.
    weight=20,
    bytes_for_one=6_400,
    body=ImportRequest,
    text=ICAL,
    query=ImportQuery,
    answer=restriction_answers.CalendarImport,
    success={200: "The calendar as it is now, and what the file had."},
    refusals=(409, 412),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)
def import_file(exchange: Exchange) -> Reply:
    """Fill a calendar from an iCal file.

    Its entries become those of the file, as far ahead as asked for.
    """
    query = exchange.query(ImportQuery)
    text = exchange.text(ICAL)
    if text is None:
        text = exchange.body().parse(ImportRequest).ical
    until = exchange.now + timedelta(days=query.horizon_days)

    def read(timezone: str | None) -> Imported:
        first = exchange.now - BACKWARDS
        wanted = ReadRange(first=first, last=until, timezone=query.timezone or timezone)
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


@route(
    "GET",
    "/v1/calendars/<calendar>/check",
    operation="checkCalendar",
    query=AtQuery,
    answer=restriction_answers.CheckedInstant,
    success={200: "Whether the calendar covers the instant."},
    refusals=(404,),
)
def check(exchange: Exchange) -> Reply:
    """Say whether a calendar covers an instant.

    The answer says until when that stays so.
    """
    at = exchange.query(AtQuery).at or exchange.now
    name = exchange.path["calendar"]
    return Reply(body=checked_view(check_instant(exchange.tenant, name, at, exchange.services)))


def _reply(calendar: Calendar) -> Reply:
    return Reply(body=calendar_view(calendar), headers={"ETag": etag(calendar.version)})
