"""Answers about triggers that collapse."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.values.ids import RUN_ID
from timegate.contracts.values.fields import WrittenInstant


class CollapsedTriggers(TypedDict):
    """A run's place among triggers that are one run."""

    key: Annotated[str | None, Field(description="Its first 64 characters; null: none.")]
    since: Annotated[WrittenInstant, Field(description="The instant of the first trigger.")]
    triggers: Annotated[
        int,
        Field(ge=1, description="So many came; in listings, when the record was written."),
    ]
    into: Annotated[
        Annotated[str, Field(pattern=RUN_ID)] | None,
        Field(description="The run that stands for them; null: this one does."),
    ]
