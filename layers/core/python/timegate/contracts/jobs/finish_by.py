"""Deadlines of runs, as they are asked for."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.domain.jobs.finish_by import MAX_WITHIN_SECONDS, TIME_OF_DAY, FinishBy


class FinishByContract(Contract):
    """By when a run is to have ended: a time of day or a span, not both."""

    within_seconds: Annotated[int, Field(ge=1, le=MAX_WITHIN_SECONDS), Duration()] | None = Field(
        None, description="So long after the run's instant."
    )
    time: Annotated[
        str | None,
        Field(
            pattern=f"^{TIME_OF_DAY.pattern}$",
            description="HH:MM or HH:MM:SS: the first such time after the run's instant.",
        ),
    ] = None
    timezone: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=64,
            description="IANA name of the zone of time; null: that of the schedule.",
        ),
    ] = None

    def to_domain(self) -> FinishBy:
        """Return the domain's value."""
        return FinishBy(**self.as_domain())
