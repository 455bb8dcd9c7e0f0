"""Answers about costs."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.values.ids import JOB_ID
from timegate.contracts.tenants.costs import MONTH
from timegate.contracts.values.fields import WrittenInstant

_Month = Annotated[str, Field(pattern=MONTH, description="A month in UTC.")]
_Until = Annotated[
    WrittenInstant | None,
    Field(description="Ends up to this instant are counted; null before the first count."),
]


class AttemptCounts(TypedDict):
    """Attempts by kind."""

    scheduled: int
    one_shot: int
    triggered: int
    retry: int
    notification: int
    dag_task: int


class Costs(TypedDict):
    """Numbers of some attempts that ended in the month."""

    usd: Annotated[float, Field(ge=0, description="US dollars, by list price.")]
    runs: Annotated[int, Field(ge=0, description="Runs that ended.")]
    attempts: AttemptCounts
    target_seconds: Annotated[
        float, Field(ge=0, description="How long functions of the stage waited for targets.")
    ]
    services: Annotated[dict[str, float], Field(description="US dollars by service of AWS.")]
    quantities: Annotated[
        dict[str, float],
        Field(description="What is billed: write units, seconds of a gigabyte, and others."),
    ]


class JobCost(Costs):
    """The numbers of a job, or of a rule's messages."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    name: Annotated[str | None, Field(description="Null: it is a rule, or gone.")]


class TenantCost(TypedDict):
    """A tenant's costs in a month."""

    tenant: str
    whole: Annotated[Costs, Field(description="Jobs, one-shots and tasks together.")]
    one_shots: Annotated[
        Costs, Field(description="Jobs that run once, and last runs of jobs: no job shows them.")
    ]
    dag_tasks: Annotated[Costs, Field(description="Tasks of DAG runs: no job shows them.")]


class CostReport(TenantCost):
    """A tenant's costs in a month, and its dearest jobs."""

    month: _Month
    metered_until: _Until
    jobs: Annotated[list[JobCost], Field(description="The dearest first.")]
    other_jobs: Annotated[int, Field(ge=0, description="Jobs beyond those that are shown.")]
    is_complete: Annotated[
        bool, Field(description="All jobs were compared; about 20,000 are at most.")
    ]


class StageCost(TypedDict):
    """A page of tenants with their costs in a month, by name."""

    month: _Month
    metered_until: _Until
    items: list[TenantCost]
    next_cursor: str | None
