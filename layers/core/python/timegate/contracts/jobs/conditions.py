"""Conditions that are called before a run begins."""

from typing import Annotated, Literal

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.contracts.values.secrets import SecretContract
from timegate.domain.actions.web_addresses import MAX_URL_LENGTH
from timegate.domain.jobs.condition import Condition


class ConditionContract(Contract):
    """An address that is asked, by a signed web hook, whether a run may begin."""

    type: Literal["http"]
    url: str = Field(max_length=MAX_URL_LENGTH)
    signing_secret: SecretContract | None = Field(
        None,
        description=(
            "The question is signed with each of its keys: one on a line, as whsec_ and Base64."
        ),
    )
    every_seconds: Annotated[int, Field(ge=5, le=86_400), Duration()] = Field(
        60, description="After not now, it is asked again so much later."
    )
    give_up_after_seconds: Annotated[int, Field(ge=0, le=604_800), Duration()] = Field(
        3_600, description="A run that may not begin so long after it was due is skipped."
    )

    def to_domain(self) -> Condition:
        """Return the domain's value."""
        return Condition(**self.as_domain())
