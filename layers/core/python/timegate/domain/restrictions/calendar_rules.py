"""Moments that a calendar rule of a job leaves out, and their next change."""

from datetime import datetime

from timegate.domain.calendars.business_days import is_monthly_business_day, next_monthly_change
from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.calendar_rule import CalendarMode, CalendarRule
from timegate.value_classes import dataclass


def blocks(rule: CalendarRule, calendar: Calendar, moment: datetime) -> bool:
    """Tell if the rule leaves a moment out."""
    if rule.business_day is not None:
        return not is_monthly_business_day(calendar, moment, rule.business_day)
    if rule.roll is not None:
        return calendar.outside_business.holds(moment)
    return covers(calendar, moment) is (rule.mode is CalendarMode.EXCLUDE)


def next_change(rule: CalendarRule, calendar: Calendar, moment: datetime) -> datetime | None:
    """A later moment up to which ``blocks`` stays what it is; ``None``: for ever.

    There it may change, or only the clock jumps.
    """
    if rule.business_day is not None:
        return next_monthly_change(calendar, moment, rule.business_day)
    if rule.roll is not None:
        return calendar.outside_business.next_change(moment)
    return calendar.coverage.next_change(moment)


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A calendar by its identity: no look-up compares thousands of entries."""

    calendar: Calendar

    def __eq__(self, other: object) -> bool:
        """Tell if it is the very same calendar."""
        return isinstance(other, Held) and other.calendar is self.calendar

    def __hash__(self) -> int:
        """Return the calendar's identity, as ``__eq__`` compares it."""
        return id(self.calendar)
