"""Queries for what waits for a decision."""

from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

from timegate.contracts.values.fields import Instant
from timegate.domain.values.instants import minute_of, minute_start

_DAYS = 7


class DecisionsQuery(BaseModel):
    """The span of a list of decisions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: Instant | None = Field(
        None, alias="from", description=f"Failed then, or later; {_DAYS} days ago by default."
    )

    def since(self, now: datetime) -> datetime:
        """Return the earliest end of the failed runs; by default a whole minute.

        An answer that is asked for again within a minute is the same.
        """
        if self.start is not None:
            return self.start
        return minute_start(minute_of(now)) - timedelta(days=_DAYS)
