"""Contracts of actions, derived from kinds."""

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field as ContractField

from timegate.contracts.values.derived import KindContract, contract_of
from timegate.domain.actions.action import KINDS

if TYPE_CHECKING:
    ActionContract = KindContract
else:
    ActionContract = Annotated[
        Union[  # noqa: UP007 - made from the registry
            tuple(
                contract_of(kind, kind.__name__.removesuffix("Action"), __name__)
                for kind in KINDS.values()
            )
        ],
        ContractField(discriminator="type"),
    ]
