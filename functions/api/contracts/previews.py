"""Previews: the next fires of a schedule that need not be any job's."""

from pydantic import Field

from api.contracts.fields import Contract, Instant
from api.contracts.schedules import ScheduleContract

MAX_PREVIEW = 100


class PreviewRequest(Contract):
    """Which fires to show."""

    schedule: ScheduleContract
    start: Instant | None = Field(
        None, alias="from", description="Fires later than this; by default, than now."
    )
    count: int = Field(10, ge=1, le=MAX_PREVIEW)
