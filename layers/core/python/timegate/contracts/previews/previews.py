"""Previews: the next fires of a schedule that need not be any job's, and the effect of an edit."""

from datetime import timedelta

from pydantic import BaseModel, ConfigDict, Field

from timegate.contracts.calendars import CalendarRules
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.values.fields import Contract, Instant

MAX_PREVIEW = 100
MAX_DAYS = 31


class PreviewRequest(Contract):
    """Schedule and number of the instants to show."""

    schedule: ScheduleContract
    start: Instant | None = Field(
        None, alias="from", description="Fires later than this; by default, than now."
    )
    calendars: CalendarRules = Field(
        default_factory=list, description="As a job's: which of the instants run, and when."
    )
    count: int = Field(10, ge=1, le=MAX_PREVIEW)


class EditPreviewQuery(BaseModel):
    """Length of the preview of an edit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    days: int = Field(7, ge=1, le=MAX_DAYS, description="Compare so many days from now.")
    limit: int = Field(
        20, ge=0, le=MAX_PREVIEW, description="Show so many of each list; all are counted."
    )
    resumed: bool = Field(
        default=False,
        description="Compare a paused job as if it were resumed now; nothing runs otherwise.",
    )
    filled: bool = Field(
        default=False,
        description="Show as payload what the first run sends before and after, with marks filled.",
    )

    @property
    def length(self) -> timedelta:
        """Return the length of time that the preview covers."""
        return timedelta(days=self.days)
