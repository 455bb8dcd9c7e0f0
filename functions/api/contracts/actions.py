"""Actions: one model per kind, derived from the kind. Its ``check`` decides about targets."""

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from api.contracts.derived import KindContract, contract_of
from timegate.domain.actions.action import KINDS

if TYPE_CHECKING:
    ActionContract = KindContract
else:
    ActionContract = Annotated[
        Union[tuple(map(contract_of, KINDS.values()))],  # noqa: UP007 - made from the registry
        Field(discriminator="type"),
    ]
