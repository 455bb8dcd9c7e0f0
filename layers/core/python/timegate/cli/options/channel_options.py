"""Channels as they are written on the command line: a URL, or a type and where it leads."""

from typing import Any, get_type_hints

import typer

from timegate.cli.options.webhook_options import secret_ref
from timegate.domain.channels.channel import CHANNELS
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.values.secrets import SecretRef


def channel(text: str, *, sign_with: str | None = None, option: str = "--notify") -> dict[str, Any]:
    """Return a channel in the API's form; what is no other kind's is the URL of a web hook."""
    name, _, rest = text.partition(":")
    kind = CHANNELS.get(name)
    if kind is None:
        secret = {"signing_secret": secret_ref(sign_with)} if sign_with is not None else {}
        return {WebhookChannel.leads_by: text, **secret}
    if not rest:
        message = f"{text!r} does not say where it leads: write it as {name}:PLACE."
        raise typer.BadParameter(message, param_hint=f"'{option}'")
    is_secret = get_type_hints(kind)[kind.leads_by] is SecretRef
    return {"type": name, kind.leads_by: secret_ref(rest) if is_secret else rest}
