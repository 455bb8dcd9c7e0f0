"""Queries for what waits for a decision."""

from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

from timegate.contracts.values.fields import Instant

_DAYS = 7


class DecisionsQuery(BaseModel):
    """The span of a list of decisions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: Instant | None = Field(
        None, alias="from", description=f"Failed then, or later; {_DAYS} days ago by default."
    )

    def since(self, now: datetime) -> datetime:
        """Return the earliest end of the failed runs."""
        return self.start if self.start is not None else now - timedelta(days=_DAYS)
