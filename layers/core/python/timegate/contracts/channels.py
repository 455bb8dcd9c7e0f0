"""Contracts of channels, derived from kinds."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BeforeValidator
from pydantic import Field as ContractField

from timegate.contracts.values.derived import KindContract, contract_of
from timegate.domain.channels.channel import CHANNELS
from timegate.domain.channels.channel_kind import ChannelKind
from timegate.domain.channels.webhook import WebhookChannel


def typed(value: object) -> object:
    """Take a channel without a type for a web hook."""
    if isinstance(value, dict) and "type" not in value:
        return {"type": WebhookChannel.type, **value}
    return value


def contract_of_channel(
    kind: type[ChannelKind],
    suffix: str,
    module: str,
    base: type[KindContract] = KindContract,
    **beside: Any,  # noqa: ANN401 - as pydantic takes fields
) -> type[KindContract]:
    """Make the contract of a kind of channels, with fields of what it is told ``beside`` it."""
    name = kind.__name__.removesuffix("Channel") + suffix
    if kind is WebhookChannel:
        beside["type"] = (Literal[kind.type], kind.type)
    return contract_of(kind, name, module, base, **beside)


if TYPE_CHECKING:
    ChannelContract = KindContract
else:
    ChannelContract = Annotated[
        Union[  # noqa: UP007 - made from the registry
            tuple(contract_of_channel(kind, "Channel", __name__) for kind in CHANNELS.values())
        ],
        ContractField(discriminator="type"),
        BeforeValidator(typed),
    ]
