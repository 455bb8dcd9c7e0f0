"""Queries of a ledger: a range, or an instant to explain."""

from pydantic import BaseModel, ConfigDict, Field

from timegate.contracts.values.fields import Instant
from timegate.contracts.values.queries import PageQuery
from timegate.domain.ledger.ledger_reading import LedgerRange

MAX_LEDGER_PAGE = 500


class LedgerQuery(PageQuery):
    """A range of a ledger, page by page."""

    start: Instant = Field(alias="from", description="The first instant of the range.")
    end: Instant = Field(alias="to", description="The last; at most 366 days later.")
    limit: int = Field(
        100,
        ge=1,
        le=MAX_LEDGER_PAGE,
        description="At most so many; fewer need not mean the last page.",
    )

    def to_range(self) -> LedgerRange:
        """Return the use case's argument."""
        return LedgerRange(start=self.start, end=self.end)


class InstantQuery(BaseModel):
    """The instant in question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Instant = Field(description="Any instant, past or future.")
    filled: bool = Field(
        default=False,
        description=(
            "Show as payload what the run of the instant sends, by the job as it is now, with"
            " marks filled."
        ),
    )
