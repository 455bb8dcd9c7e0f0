"""Which part of a ledger to read, and which instant to explain."""

from pydantic import BaseModel, ConfigDict, Field

from api.contracts.fields import Instant
from timegate.domain.ledger_reading import LedgerRange

MAX_LEDGER_PAGE = 500


class LedgerQuery(BaseModel):
    """A range of a ledger, page by page."""

    # As other queries: a misspelt bound that is ignored would answer with something else.
    model_config = ConfigDict(extra="forbid", frozen=True)

    start: Instant = Field(alias="from", description="The first instant of the range.")
    end: Instant = Field(alias="to", description="The last; at most 366 days later.")
    limit: int = Field(
        100,
        ge=1,
        le=MAX_LEDGER_PAGE,
        description="At most so many; fewer need not mean the last page.",
    )
    cursor: str | None = Field(None, max_length=512, description="next_cursor of the page before.")

    def to_range(self) -> LedgerRange:
        """As the use case takes it."""
        return LedgerRange(start=self.start, end=self.end)


class InstantQuery(BaseModel):
    """The instant in question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Instant = Field(description="Any instant, past or future.")
