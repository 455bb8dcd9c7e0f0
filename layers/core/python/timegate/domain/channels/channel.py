"""The registry of channels: each kind is a file beside this, and is listed here.

Items, contracts, options of the command line and deliveries follow from the list.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from timegate.domain.channels.channel_kind import ChannelKind
from timegate.domain.channels.eventbridge import EventBridgeChannel
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.teams import TeamsChannel
from timegate.domain.channels.webhook import WebhookChannel

Channel = WebhookChannel | SnsChannel | SlackChannel | TeamsChannel | EventBridgeChannel

#: Kinds by their names.
CHANNELS: Mapping[str, type[ChannelKind]] = MappingProxyType(
    {kind.type: kind for kind in get_args(Channel)}
)
