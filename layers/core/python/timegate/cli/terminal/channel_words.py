"""Channels in the words of a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from timegate.cli.terminal.wording import plain
from timegate.domain.channels.channel import CHANNELS
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.values.secrets import SecretRef


def telling(hooks: Sequence[Mapping[str, Any]]) -> str:
    """Name the channels and their occasions."""
    told = [f"{plain(address_of(hook))} on {plain(', '.join(hook['on']))}" for hook in hooks]
    return "; ".join(told) or plain(None)


def address_of(channel: Mapping[str, Any]) -> str:
    """Name where a channel leads; of a secret address, where the secret is kept.

    One of a kind that a later API has is named by its kind.
    """
    kind = channel["type"]
    if kind not in CHANNELS:
        return str(kind)
    leads_to = channel[CHANNELS[kind].leads_by]
    text = SecretRef.told(leads_to).place if isinstance(leads_to, Mapping) else str(leads_to)
    return text if kind == WebhookChannel.type else f"{kind} {text}"
