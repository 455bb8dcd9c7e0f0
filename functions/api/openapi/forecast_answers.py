"""What forecasts look like."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import JOB_ID, Answer
from api.openapi.described import Described

_Count = Annotated[int, Field(ge=0)]


class BusyMinute(Answer):
    """A minute, and how many runs fall due in it."""

    at: Instant
    runs: _Count


class AdvisedJob(Answer):
    """A job that would take jitter."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    name: str


class JitterAdvice(Answer):
    """The jitter that would flatten the busiest minute, of the jobs of this page."""

    at: Instant
    runs_before: _Count
    runs_after: _Count = Field(
        description="Of the busiest minute within the jitter of it, if these jobs had that jitter."
    )
    jitter_seconds: int = Field(ge=1)
    job_count: int = Field(ge=1, description="So many jobs would take it.")
    jobs: list[AdvisedJob] = Field(description="The first twenty.")


class QueueForecast(Answer):
    """The runs of one queue."""

    queue: str = Field(description="<priority>-<class>, or the name of a pool.")
    is_pool: bool
    runs: _Count
    busiest: list[BusyMinute] = Field(description="Up to five, most runs first.")
    minutes: list[_Count] = Field(description="Of each minute from on, in order.")
    advice: JitterAdvice | None = Field(description="Null: no peak, or no jitter helps.")


class CountedJobs(Answer):
    """The jobs of the page."""

    read: _Count
    due: _Count = Field(description="Those whose runs fall due in these days.")
    damaged: _Count = Field(description="They cannot be read, and are not counted.")


class LoadForecast(Answer):
    """How many runs fall due in each minute; the numbers of several pages add up."""

    start: Instant = Field(alias="from", description="The beginning of a minute.")
    until: Instant
    jobs: CountedJobs
    queues: list[QueueForecast] = Field(description="By name; those without runs are left out.")
    next_cursor: str | None = Field(description="Null: all jobs of the tenant were counted.")


FORECAST_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        name: Described(answer=LoadForecast, success={200: "The load, minute by minute."})
        for name in ("forecastLoad", "forecastTenantLoad")
    }
)
