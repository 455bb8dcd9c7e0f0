"""Answers about calendars and freezes."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from api.values.damaged_answers import NamedPage
from timegate.contracts.calendars import Day, PeriodContract, TimeOfDay, Weekday
from timegate.contracts.restrictions import AnyScope
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.restrictions.freeze import ThawPolicy


class CalendarRow(TypedDict):
    """A calendar in a listing."""

    name: str
    version: Annotated[int, Field(ge=1, description="Grows with every change; also the ETag.")]
    updated_at: WrittenInstant
    description: str
    tags: dict[str, str]
    timezone: str
    entries: Annotated[
        int, Field(ge=0, description="Days, weekdays, windows and periods together.")
    ]


class DayRange(TypedDict):
    """Whole days on the calendar's clock."""

    first: Day
    last: Annotated[Day, Field(description="Included.")]


class Window(TypedDict):
    """The same hours of several days, on the calendar's clock."""

    weekdays: list[Weekday]
    opens: TimeOfDay
    closes: TimeOfDay


class DefinedCalendar(TypedDict):
    """Everything that a calendar's owner says of it."""

    description: str
    tags: dict[str, str]
    timezone: str
    days: list[DayRange]
    weekdays: list[Weekday]
    windows: list[Window]
    periods: list[PeriodContract]
    weekend: Annotated[
        list[Weekday],
        Field(description="Days of every week that are no business days; they are not covered."),
    ]


class Calendar(CalendarRow, DefinedCalendar):
    """A calendar: all the time that any of its entries covers."""


class CalendarValidation(TypedDict):
    """The outcome that putting a calendar would have."""

    valid: bool
    definition: Annotated[
        DefinedCalendar, Field(description="The calendar, with the default of what was left out.")
    ]
    errors: list[FieldProblem]


class CalendarList(NamedPage):
    """Calendars of a tenant, by name."""

    items: list[CalendarRow]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class CalendarImport(TypedDict):
    """A calendar after the import of an iCal file."""

    calendar: Calendar
    events: Annotated[
        int, Field(ge=0, description="Of the file, without those that are cancelled.")
    ]
    occurrences: Annotated[
        int, Field(ge=0, description="Of the events, from 31 days ago to until.")
    ]
    until: WrittenInstant


class CheckedInstant(TypedDict):
    """An instant, and its place in a calendar."""

    name: str
    version: int
    at: WrittenInstant
    covered: bool
    until: Annotated[
        WrittenInstant | None,
        Field(
            description=(
                "It says so up to here, where it changes, or where the look ahead ends: a year"
                " ahead. Null: for ever."
            )
        ),
    ]
    business_day: Annotated[
        bool, Field(description="Whether the calendar's day of it is a business day.")
    ]


class Freeze(TypedDict):
    """A span of time in which nothing of its scope starts."""

    freeze_id: str
    state: Literal["scheduled", "active", "ended", "lifted"]
    scope: AnyScope
    starts_at: WrittenInstant
    ends_at: WrittenInstant
    thaw: ThawPolicy
    reason: str
    created_at: WrittenInstant
    lifted_at: Annotated[WrittenInstant | None, Field(description="When a caller ended it early.")]
    by_stage: Annotated[
        bool,
        Field(
            description="The stage made it, and alone ends it: the whole stage is frozen, or this "
            "tenant is suspended."
        ),
    ]


class FreezePage(NamedPage):
    """Freezes, the last to start first."""

    items: list[Freeze]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class StageFreeze(Freeze):
    """A span of time in which nothing of any tenant starts, but for what is spared."""

    spared_tenants: Annotated[list[str], Field(description="These tenants go on.")]


class StageFreezePage(NamedPage):
    """Freezes of the whole stage, the last to start first."""

    items: list[StageFreeze]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]
