"""Answers about costs."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

_Usd = Annotated[float, Field(ge=0)]


class UsdRange(TypedDict):
    """US dollars, by list price."""

    low: Annotated[_Usd, Field(description="Of runs in full batches.")]
    high: Annotated[_Usd, Field(description="Of runs that are each alone.")]


class CostEstimate(TypedDict):
    """The cost of a job's runs in the next 30 days, or in the first 30 of a schedule that starts
    later, for a target that answers within 200 ms.

    Instants that calendars leave out are counted; retries, the stage's idle price and a DAG's tasks
    are not.
    """

    runs: Annotated[
        int | None,
        Field(ge=0, description="In 30 days; 1 for a job that runs once; null: not foreseen."),
    ]
    recurs: bool
    kind: Annotated[str, Field(description="The measured run that stands for the job's.")]
    usd: Annotated[UsdRange, Field(description="Of these runs.")]
    usd_per_million: UsdRange
    description: Annotated[str, Field(description="The estimate in words.")]


class CostsBeforeAndAfter(TypedDict):
    """Estimates of a job, were it active, before and after changes."""

    before: CostEstimate
    after: CostEstimate
