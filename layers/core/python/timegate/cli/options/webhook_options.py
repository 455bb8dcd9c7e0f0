"""The options of a web hook: what is sent with it, and what proves who sent it."""

from typing import Annotated

import typer

from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import pairs
from timegate.domain.actions.kinds.webhook import Wait

_SECRET = "NAME=SECRET"  # noqa: S105 - how the option is written


@option_group("Webhook")
class WebhookOptions:
    """Beside the URL."""

    method: Annotated[
        str | None, typer.Option(metavar="METHOD", help="Use this HTTP method; POST by default.")
    ] = None
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:VALUE", help="Send this header; may be repeated."),
    ] = None
    secret_header: Annotated[
        list[str] | None,
        typer.Option(
            metavar=_SECRET,
            help="Send a header from a secret's ARN or a parameter's name, with #KEY"
            " for one of a JSON object's. May be repeated.",
        ),
    ] = None
    sign_with: Annotated[
        str | None,
        typer.Option(metavar="SECRET", help="Sign requests with the keys of this secret."),
    ] = None
    success_status: Annotated[
        list[int] | None,
        typer.Option(
            metavar="STATUS",
            help="Take this status for a success; 2xx by default. May be repeated.",
        ),
    ] = None
    wait: Annotated[
        Wait | None,
        typer.Option(help="Wait for the answer, or after 202 for the target's callback."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the web hook in the API's form."""
        secrets = pairs(self.secret_header or (), "=", option="--secret-header")
        fields = {
            "method": self.method,
            "headers": pairs(self.header, ":", option="--header") if self.header else None,
            "secret_headers": {name: secret_ref(text) for name, text in secrets.items()} or None,
            "signing_secret": secret_ref(self.sign_with) if self.sign_with else None,
            "success_statuses": self.success_status or None,
            "wait": self.wait,
        }
        return {name: value for name, value in fields.items() if value is not None}


def secret_ref(text: str) -> dict[str, str]:
    """Read the place of a secret: an ARN, or a parameter's name with its slash; and after # a
    key.
    """
    name, _, key = text.partition("#")
    if name.startswith("arn:") and ":ssm:" not in name:
        ref = {"secret_arn": name}
    elif name.startswith(("/", "arn:")):
        ref = {"ssm_parameter": name}
    else:
        message = f"{name!r} is neither the ARN of a secret nor the full name of a parameter."
        raise typer.BadParameter(message)
    return {**ref, "json_key": key} if key else ref
