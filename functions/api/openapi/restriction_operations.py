"""What the route table does not say of calendars and freezes."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.described import Described
from api.openapi.restriction_answers import (
    Calendar,
    CalendarImport,
    CalendarList,
    CheckedInstant,
    Freeze,
    FreezePage,
)

_NOT_FOUND = HTTPStatus.NOT_FOUND
_CONFLICT = HTTPStatus.CONFLICT
_MISMATCH = HTTPStatus.PRECONDITION_FAILED

RESTRICTION_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "listCalendars": Described(
            answer=CalendarList, success={200: "Every calendar of the tenant, by name."}
        ),
        "putCalendar": Described(
            answer=Calendar,
            success={200: "The calendar as it is now."},
            refusals=(_CONFLICT, _MISMATCH),
            request_headers=("If-Match", "If-None-Match"),
            answer_headers=("ETag",),
        ),
        "getCalendar": Described(
            answer=Calendar,
            success={200: "The calendar with its entries."},
            refusals=(_NOT_FOUND,),
            answer_headers=("ETag",),
        ),
        "deleteCalendar": Described(
            answer=Calendar,
            success={200: "The calendar as it was."},
            refusals=(_NOT_FOUND, _CONFLICT, _MISMATCH),
            request_headers=("If-Match",),
        ),
        "importCalendar": Described(
            answer=CalendarImport,
            success={200: "The calendar as it is now, and what the file had."},
            refusals=(_CONFLICT, _MISMATCH),
            request_headers=("If-Match", "If-None-Match"),
            answer_headers=("ETag",),
        ),
        "checkCalendar": Described(
            answer=CheckedInstant,
            success={200: "Whether the calendar covers the instant."},
            refusals=(_NOT_FOUND,),
        ),
        "createFreeze": Described(
            answer=Freeze,
            success={201: "The new freeze.", 200: "The same freeze was there already."},
            refusals=(_CONFLICT,),
            answer_headers=("Location",),
        ),
        "listFreezes": Described(answer=FreezePage, success={200: "A page of freezes."}),
        "getFreeze": Described(answer=Freeze, success={200: "The freeze."}, refusals=(_NOT_FOUND,)),
        "liftFreeze": Described(
            answer=Freeze,
            success={200: "The freeze, ended; one that had ended is as it was."},
            refusals=(_NOT_FOUND, _CONFLICT),
        ),
    }
)
