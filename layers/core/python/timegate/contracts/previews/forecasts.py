"""Forecasts: which days, and which page of the tenant's jobs."""

from pydantic import Field

from timegate.contracts.values.fields import Instant
from timegate.contracts.values.queries import PageQuery
from timegate.usecases.previews.forecast_load import MOST_JOBS, AskedForecast

MAX_FORECAST_DAYS = 7


class ForecastQuery(PageQuery):
    """Range and filter of a forecast."""

    start: Instant | None = Field(
        None,
        alias="from",
        description="Begin with the minute of this instant; now unless given. Pages that are to "
        "add up name the same.",
    )
    days: int = Field(MAX_FORECAST_DAYS, ge=1, le=MAX_FORECAST_DAYS, description="So many days.")
    limit: int = Field(
        MOST_JOBS,
        ge=1,
        le=MOST_JOBS,
        description="Count at most so many jobs; fewer need not mean the last page.",
    )

    def to_domain(self) -> AskedForecast:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return AskedForecast(
            start=self.start, days=self.days, limit=self.limit, cursor=self.position
        )
