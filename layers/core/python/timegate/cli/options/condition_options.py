"""The options that say who is asked before a run begins."""

from typing import Annotated

import typer

from timegate.cli.options.job_options import given
from timegate.cli.options.webhook_options import secret_ref
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import span_option


@option_group("Condition")
class ConditionOptions:
    """Options of a condition: its address, interval and span."""

    before: Annotated[
        str | None, typer.Option(metavar="URL", help="Ask this address before a run begins.")
    ] = None
    before_sign_with: Annotated[
        str | None,
        typer.Option(metavar="SECRET", help="Sign the question with the keys of this secret."),
    ] = None
    before_every: Annotated[
        int | None, span_option(help="Ask again so much later after not now; 1m by default.")
    ] = None
    before_give_up: Annotated[
        int | None,
        span_option(help="Skip a run that may not begin so long after it was due; 1h by default."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the condition in the API's form."""
        if self.before is None:
            if self != ConditionOptions():
                message = "it says how to ask, and --before says whom."
                raise typer.BadParameter(message, param_hint="'--before-…'")
            return {}
        secret = secret_ref(self.before_sign_with) if self.before_sign_with else None
        condition = given(
            {
                "signing_secret": secret,
                "every_seconds": self.before_every,
                "give_up_after_seconds": self.before_give_up,
            }
        )
        return {"before": {"type": "http", "url": self.before, **condition}}
