"""Calendars as they are asked for, and the rules by which jobs follow them."""

import re
from datetime import date, datetime, time
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from timegate.contracts.values.fields import Contract, Description, Instant, Labels
from timegate.domain.calendars.business_days import MAX_BUSINESS_DAY
from timegate.domain.calendars.calendar import (
    CALENDAR_NAME,
    MAX_ENTRIES,
    WEEKEND,
    Calendar,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
)
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.rules.job_rules import MAX_CALENDAR_RULES
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.written_instants import YEARS

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
#: cron's names; the number of each is its place.
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
MAX_HORIZON_DAYS = 1_830
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _read_time(value: object) -> time:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise PydanticCustomError("invalid_format", "It must be a time of day such as 22:30.")
    return time.fromisoformat(value)


def _read_day(value: object) -> date:
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            day = date.fromisoformat(value)
            if day.year in YEARS:
                return day
    except ValueError:
        pass  # 31 February, and what is no day at all: refused below.
    raise PydanticCustomError("invalid_format", "It must be a day such as 2026-12-24.")


TimeOfDay = Annotated[
    time,
    PlainValidator(_read_time),
    WithJsonSchema({"type": "string", "pattern": f"^{_TIME.pattern}$"}),
]
Day = Annotated[
    date, PlainValidator(_read_day), WithJsonSchema({"type": "string", "format": "date"})
]
Weekdays = Annotated[list[Weekday], Field(max_length=len(WEEKDAYS))]
_Zone = Annotated[str, Field(min_length=1, max_length=64)]


def weekday_numbers(names: list[Weekday]) -> frozenset[int]:
    """Return the numbers of the days in the domain."""
    return frozenset(WEEKDAYS.index(name) for name in names)


class DayRangeContract(Contract):
    """Whole days on the calendar's clock."""

    first: Day
    last: Day | None = Field(None, description="Included; null: first alone.")

    def to_domain(self) -> DayRange:
        """Return the domain's value."""
        return DayRange(first=self.first, last=self.last or self.first)


class WindowContract(Contract):
    """The same hours of several days, on the calendar's clock."""

    weekdays: Weekdays = Field(
        default_factory=lambda: list(WEEKDAYS),
        min_length=1,
        description="The days on which it opens; every day unless given.",
    )
    opens: TimeOfDay
    closes: TimeOfDay = Field(
        description="No longer part of it; not later than opens: on the following day."
    )

    def to_domain(self) -> DailyWindow:
        """Return the domain's value."""
        return DailyWindow(
            weekdays=weekday_numbers(self.weekdays), opens=self.opens, closes=self.closes
        )


class PeriodContract(Contract):
    """A span of real time."""

    start: Instant
    end: Instant = Field(description="No longer part of it.")

    def to_domain(self) -> Period:
        """Return the domain's value."""
        return Period(start=self.start, end=self.end)


class CalendarBody(Contract):
    """A calendar: all the time that any of its entries covers."""

    timezone: _Zone = Field("UTC", description="An IANA name: whose days and hours they are.")
    description: Description = ""
    tags: Labels = Field(default_factory=dict)
    days: list[DayRangeContract] = Field(default_factory=list, max_length=MAX_ENTRIES)
    weekdays: Weekdays = Field(default_factory=list, description="Whole days of every week.")
    windows: list[WindowContract] = Field(default_factory=list, max_length=MAX_ENTRIES)
    periods: list[PeriodContract] = Field(default_factory=list, max_length=MAX_ENTRIES)
    weekend: Weekdays = Field(
        default_factory=lambda: [WEEKDAYS[day] for day in sorted(WEEKEND)],
        description="Days of every week that are no business days; they are not covered.",
    )

    def to_domain(self, tenant: TenantId, name: str, *, now: datetime) -> Calendar:
        """Return the domain's value."""
        return Calendar(
            tenant=tenant,
            name=CalendarName(name),
            timezone=self.timezone,
            description=self.description,
            tags=self.tags,
            days=tuple(each.to_domain() for each in self.days),
            weekdays=weekday_numbers(self.weekdays),
            windows=tuple(each.to_domain() for each in self.windows),
            periods=tuple(each.to_domain() for each in self.periods),
            weekend=weekday_numbers(self.weekend),
            updated_at=now,
        )


class ImportRequest(Contract):
    """An iCal file in JSON."""

    ical: str = Field(description="The text of the file; at most 512 KB.")


class ImportQuery(BaseModel):
    """The range to import from an iCal file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    timezone: _Zone | None = Field(
        None, description="Whose days its days are; by default the calendar's, else the file's."
    )
    horizon_days: int = Field(
        732, ge=1, le=MAX_HORIZON_DAYS, description="Events repeat until so many days from now."
    )


class AtQuery(BaseModel):
    """The instant in question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Instant | None = Field(None, description="Now, unless given.")


class CalendarRuleContract(Contract):
    """A calendar of the tenant, and what it is to a job."""

    calendar: str = Field(pattern=f"^{CALENDAR_NAME.pattern}$")
    mode: CalendarMode = Field(
        CalendarMode.EXCLUDE,
        description="exclude: instants that it covers are left out; only: those it does not.",
    )
    action: CalendarAction = Field(
        CalendarAction.SKIP,
        description=(
            "defer: run at the first moment that is left in, unless the job fires by then; roll:"
            " run at the same local time of a business day."
        ),
    )
    roll: Roll | None = Field(
        None, description="Of the action roll: to which business day an instant moves."
    )
    business_day: int | None = Field(
        None,
        description=(
            f"Keep to this business day of each month: 1 to {MAX_BUSINESS_DAY}, or from the end"
            f" -1 to -{MAX_BUSINESS_DAY}."
        ),
    )

    def to_domain(self) -> CalendarRule:
        """Return the domain's value."""
        return CalendarRule(**self.as_domain())


CalendarRules = Annotated[list[CalendarRuleContract], Field(max_length=MAX_CALENDAR_RULES)]
