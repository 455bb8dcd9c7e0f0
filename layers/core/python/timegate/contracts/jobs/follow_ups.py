"""Jobs that follow a job."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.values.fields import Contract
from timegate.domain.jobs.follow_up import MAX_FOLLOW_UPS, Ending, FollowUp, Given
from timegate.domain.values.identity import JOB_REFERENCE


class FollowUpContract(Contract):
    """A job that runs after some ends of this one's runs."""

    job_id: str = Field(
        pattern=JOB_REFERENCE,
        description=(
            "A job of the same tenant, by id or as key:<key>; or dag:<dag_id>, a DAG's own job,"
            " which starts it. Not this one."
        ),
    )
    on: list[Ending] = Field(
        min_length=1,
        max_length=len(Ending),
        description=(
            "After which ends; failed includes dead_lettered; finished: after any, and then alone."
        ),
    )
    payload: Given = Field(
        Given.OWN, description="Its own, that of the run that triggers it, or how that one ended."
    )

    def to_domain(self) -> FollowUp:
        """Return the domain's value."""
        return FollowUp(**self.as_domain())


FollowUps = Annotated[list[FollowUpContract], Field(max_length=MAX_FOLLOW_UPS)]
