"""Parts of refusals that other answers show too."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict


class FieldProblem(TypedDict):
    """One thing wrong with one field."""

    field: Annotated[
        str, Field(description="Path of the field in the body, or name of what is wrong.")
    ]
    code: Annotated[str, Field(description="Stable: programs may depend on it.")]
    detail: str


class QuotaState(TypedDict):
    """A quota that a tenant uses in full."""

    name: Annotated[str, Field(description="As in the tenant's quotas.")]
    limit: int
    used: int
