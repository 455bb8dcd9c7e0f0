"""Costs: which month, and of which job."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from timegate.contracts.values.queries import JobReference, PageQuery

#: A year and a month.
MONTH = r"^20[0-9]{2}-(0[1-9]|1[0-2])$"
_Month = Annotated[str, StringConstraints(pattern=MONTH)]
_MOST_JOBS = 100


class CostQuery(BaseModel):
    """A month of a tenant, and how many of its jobs are shown."""

    # A misspelt filter that is ignored would answer with everything.
    model_config = ConfigDict(extra="forbid", frozen=True)

    month: _Month | None = Field(None, description="As 2026-11, in UTC; by default the present.")
    job_id: JobReference | None = Field(None, description="Show this job alone.")
    limit: int = Field(20, ge=1, le=_MOST_JOBS, description="Show so many jobs, the dearest first.")


class StageCostQuery(PageQuery):
    """A month of the stage."""

    month: _Month | None = Field(None, description="As 2026-11, in UTC; by default the present.")
