"""Calendar rules: the calendars that a job follows, and how."""

from enum import StrEnum

from timegate.domain.calendars.roll import Roll
from timegate.value_classes import dataclass


class CalendarMode(StrEnum):
    """The part that a calendar plays for a job."""

    #: Instants that it covers are left out.
    EXCLUDE = "exclude"
    #: Instants that it does not cover are left out.
    ONLY = "only"


class CalendarAction(StrEnum):
    """The fate of an instant that a calendar leaves out."""

    #: It does not run: it is recorded as excluded.
    SKIP = "skip"
    #: It runs at the first moment that is left in, unless the job fires again by then.
    DEFER = "defer"
    #: It moves to a business day: see ``Roll``.
    ROLL = "roll"


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarRule:
    """A calendar of the tenant, and what it is to a job."""

    #: Its name.
    calendar: str
    mode: CalendarMode = CalendarMode.EXCLUDE
    action: CalendarAction = CalendarAction.SKIP
    #: Only this business day of each month is left in: 1 is the first, -1 the last.
    business_day: int | None = None
    #: Direction of the action roll.
    roll: Roll | None = None
