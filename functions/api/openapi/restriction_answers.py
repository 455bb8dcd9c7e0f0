"""What answers about calendars and freezes look like."""

from typing import Literal

from pydantic import Field

from api.contracts.calendars import Day, PeriodContract, TimeOfDay, Weekday
from api.contracts.fields import Instant
from api.contracts.freezes import ScopeContract
from api.openapi.answers import Answer
from timegate.domain.restrictions.freeze import ThawPolicy


class CalendarRow(Answer):
    """A calendar in a listing."""

    name: str
    version: int = Field(ge=1, description="Grows with every change; also the ETag.")
    updated_at: Instant
    description: str
    timezone: str
    entries: int = Field(ge=0, description="Days, weekdays, windows and periods together.")


class DayRange(Answer):
    """Whole days on the calendar's clock."""

    first: Day
    last: Day = Field(description="Included.")


class Window(Answer):
    """The same hours of several days, on the calendar's clock."""

    weekdays: list[Weekday]
    opens: TimeOfDay
    closes: TimeOfDay


class Calendar(CalendarRow):
    """A calendar: all the time that any of its entries covers."""

    days: list[DayRange]
    weekdays: list[Weekday]
    windows: list[Window]
    periods: list[PeriodContract]
    weekend: list[Weekday] = Field(
        description="Days of every week that are no business days; they are not covered."
    )


class CalendarList(Answer):
    """Calendars of a tenant, by name."""

    items: list[CalendarRow]
    next_cursor: str | None = Field(description="Null on the last page.")


class CalendarImport(Answer):
    """What an iCal file made of a calendar."""

    calendar: Calendar
    events: int = Field(ge=0, description="Of the file, without those that are cancelled.")
    occurrences: int = Field(ge=0, description="Of the events, from 31 days ago to until.")
    until: Instant


class CheckedInstant(Answer):
    """What a calendar says of an instant."""

    name: str
    version: int
    at: Instant
    covered: bool
    until: Instant | None = Field(
        description=(
            "It says so up to here, where it changes, or where nobody looks any further: a year"
            " ahead. Null: for ever."
        )
    )
    business_day: bool = Field(description="Whether the calendar's day of it is a business day.")


class Freeze(Answer):
    """A span of time in which nothing of its scope starts."""

    freeze_id: str
    state: Literal["scheduled", "active", "ended", "lifted"]
    scope: ScopeContract
    starts_at: Instant
    ends_at: Instant
    thaw: ThawPolicy
    reason: str
    created_at: Instant
    lifted_at: Instant | None = Field(description="When somebody ended it early.")
    by_stage: bool = Field(
        description="The stage suspended the tenant: it ends when the stage resumes it."
    )


class FreezePage(Answer):
    """Freezes, the last to start first."""

    items: list[Freeze]
    next_cursor: str | None = Field(description="Null on the last page.")
