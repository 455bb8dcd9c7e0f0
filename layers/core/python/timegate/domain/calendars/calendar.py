"""Calendars: named sets of time that a tenant's jobs leave out, or keep to."""

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime, time
from functools import cached_property
from typing import NewType

from timegate.domain.calendars.coverage import Coverage, covered_by
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

CalendarName = NewType("CalendarName", str)

#: Form of a calendar's name, which is its id.
CALENDAR_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: Days, weekdays, windows and periods together: a calendar must fit into an item.
MAX_ENTRIES = 2_000
#: How often the windows and weekdays of a week may open and close: every twenty minutes. A
#: searches through months looks at each of them, while others wait for their planner.
MAX_WEEKLY_CHANGES = 1_000
#: Calendars of one tenant.
MAX_CALENDARS = 100
MAX_DESCRIPTION = 2_000
WEEK = frozenset(range(7))
#: Saturday and Sunday.
WEEKEND = frozenset({5, 6})


@dataclass(frozen=True, kw_only=True, slots=True)
class DayRange:
    """Whole days on the calendar's own clock; both ends belong to it."""

    first: date
    last: date


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyWindow:
    """Hours of a day on the calendar's own clock: ``opens`` belongs to it, ``closes`` does not.

    One that closes when it opens or earlier reaches into the following day.
    """

    #: The days on which it opens; 0 is Monday.
    weekdays: frozenset[int] = WEEK
    opens: time
    closes: time


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """A span of real time: ``start`` belongs to it, ``end`` does not."""

    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """A set of time: everything that one of its entries covers."""

    tenant: TenantId
    name: CalendarName
    #: The IANA zone whose wall clock days, weekdays and windows are read on.
    timezone: str = "UTC"
    days: tuple[DayRange, ...] = ()
    #: Whole days of every week; 0 is Monday.
    weekdays: frozenset[int] = frozenset()
    windows: tuple[DailyWindow, ...] = ()
    periods: tuple[Period, ...] = ()
    #: Days of the week that are no business days; 0 is Monday. They are not covered.
    weekend: frozenset[int] = WEEKEND
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    #: 1, and one more with every change; kept over a deletion. The store counts.
    version: int = 0
    updated_at: datetime

    @property
    def entries(self) -> int:
        """Count the parts that it is made of."""
        return len(self.days) + len(self.weekdays) + len(self.windows) + len(self.periods)

    @cached_property
    def coverage(self) -> Coverage:
        """Its entries, made ready for questions about instants."""
        return self._covering(self.weekdays)

    @cached_property
    def outside_business(self) -> Coverage:
        """Its entries and its weekend: the whole days of it are those that are no business days."""
        return self._covering(self.weekdays | self.weekend)

    def _covering(self, weekdays: frozenset[int]) -> Coverage:
        return covered_by(
            self.timezone,
            days=[(each.first, each.last) for each in self.days],
            weekdays=weekdays,
            windows=[(each.weekdays, each.opens, each.closes) for each in self.windows],
            periods=[(each.start, each.end) for each in self.periods],
        )


def covers(calendar: Calendar, instant: datetime) -> bool:
    """Tell if the instant is in the set."""
    return calendar.coverage.holds(instant)


def check_calendar(calendar: Calendar) -> None:
    """Refuse what contradicts itself or is too much; raises ``InvalidInput`` naming the field."""
    if not CALENDAR_NAME.fullmatch(calendar.name):
        detail = "It has 1 to 64 letters a to z, digits and dashes, and begins with no dash."
        raise InvalidInput("name", "invalid_format", detail)
    try:
        load_zone(calendar.timezone)
    except InvalidInput as error:
        raise InvalidInput("timezone", error.code, error.detail) from error
    if calendar.entries > MAX_ENTRIES:
        detail = f"Its days, weekdays, windows and periods are {calendar.entries} entries; the"
        raise InvalidInput("calendar", "too_many", f"{detail} limit is {MAX_ENTRIES}.")
    if len(calendar.description) > MAX_DESCRIPTION:
        raise InvalidInput("description", "too_long", f"It may have {MAX_DESCRIPTION} characters.")
    _check_weekdays("weekdays", calendar.weekdays)
    _check_weekdays("weekend", calendar.weekend)
    if calendar.weekend == WEEK:
        raise InvalidInput("weekend", "too_long", "Leave a day of the week for business.")
    _check_ranges(calendar)
    _check_windows(calendar.windows)
    changes = len(calendar.coverage.weekly.points)
    if changes > MAX_WEEKLY_CHANGES:
        detail = f"They open and close {changes} times a week; the limit is {MAX_WEEKLY_CHANGES}."
        raise InvalidInput("windows", "too_complex", detail)


def _check_ranges(calendar: Calendar) -> None:
    for number, days in enumerate(calendar.days):
        if days.last < days.first:
            raise InvalidInput(f"days.{number}.last", "range_reversed", "It is before first.")
    for number, period in enumerate(calendar.periods):
        if period.end <= period.start:
            detail = "It is not later than start."
            raise InvalidInput(f"periods.{number}.end", "range_reversed", detail)


def _check_windows(windows: tuple[DailyWindow, ...]) -> None:
    for number, window in enumerate(windows):
        field = f"windows.{number}"
        if not window.weekdays:
            raise InvalidInput(f"{field}.weekdays", "too_short", "It opens on no day.")
        _check_weekdays(f"{field}.weekdays", window.weekdays)
        for name, at in (("opens", window.opens), ("closes", window.closes)):
            if at.microsecond or at.tzinfo is not None:
                detail = "It is a time of day in whole seconds, without an offset."
                raise InvalidInput(f"{field}.{name}", "invalid_format", detail)


def _check_weekdays(field: str, weekdays: frozenset[int]) -> None:
    if not weekdays <= WEEK:
        raise InvalidInput(field, "out_of_range", "Weekdays are numbers from 0, Monday, to 6.")
