"""Types of what a page leaves out, since it cannot be read."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class DamagedRecords(TypedDict):
    """Records of a page that cannot be read until operators have repaired them."""

    count: Annotated[int, Field(ge=0)]
    names: Annotated[list[str], Field(description="Their names or ids, or those of the records.")]


class NamedPage(TypedDict):
    """A page that says what it leaves out."""

    damaged: NotRequired[
        Annotated[DamagedRecords, Field(description="Left out where all could be read.")]
    ]
