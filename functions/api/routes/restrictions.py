"""The routes of calendars and freezes."""

from api.contracts.calendars import AtQuery, CalendarBody, ImportQuery, ImportRequest
from api.contracts.freezes import FreezesQuery, NewFreeze
from api.contracts.listings import CalendarsQuery
from api.routes import calendars, freezes
from api.routes.route import Route
from api.routes.scope import Scope

RESTRICTIONS = (
    Route(
        method="GET",
        path="/v1/calendars",
        serve=calendars.list_page,
        operation="listCalendars",
        query=CalendarsQuery,
    ),
    Route(
        method="PUT",
        path="/v1/calendars/<calendar>",
        serve=calendars.put,
        operation="putCalendar",
        body=CalendarBody,
    ),
    Route(
        method="GET",
        path="/v1/calendars/<calendar>",
        serve=calendars.get,
        operation="getCalendar",
    ),
    Route(
        method="DELETE",
        path="/v1/calendars/<calendar>",
        serve=calendars.delete,
        operation="deleteCalendar",
    ),
    Route(
        method="POST",
        path="/v1/calendars/<calendar>/import",
        serve=calendars.import_file,
        operation="importCalendar",
        body=ImportRequest,
        text=calendars.ICAL,
        query=ImportQuery,
        # The process that reads it may work so long: see cpu_seconds.
        weight=20,
        bytes_for_one=6_400,
    ),
    Route(
        method="GET",
        path="/v1/calendars/<calendar>/check",
        serve=calendars.check,
        operation="checkCalendar",
        query=AtQuery,
    ),
    Route(
        method="POST",
        path="/v1/freezes",
        serve=freezes.create,
        operation="createFreeze",
        body=NewFreeze,
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/freezes",
        serve=freezes.list_page,
        operation="listFreezes",
        query=FreezesQuery,
    ),
    Route(
        method="GET",
        path="/v1/freezes/<freeze_id>",
        serve=freezes.get,
        operation="getFreeze",
    ),
    Route(
        method="DELETE",
        path="/v1/freezes/<freeze_id>",
        serve=freezes.lift,
        operation="liftFreeze",
        asks=Scope.OPERATE,
    ),
)
