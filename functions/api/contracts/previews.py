"""Previews: the next fires of a schedule that need not be any job's."""

from pydantic import Field

from api.contracts.calendars import CalendarRules
from api.contracts.fields import Contract, Instant
from api.contracts.schedules import ScheduleContract

MAX_PREVIEW = 100


class PreviewRequest(Contract):
    """Which fires to show."""

    schedule: ScheduleContract
    start: Instant | None = Field(
        None, alias="from", description="Fires later than this; by default, than now."
    )
    calendars: CalendarRules = Field(
        default_factory=list, description="As a job's: which of the instants run, and when."
    )
    count: int = Field(10, ge=1, le=MAX_PREVIEW)
