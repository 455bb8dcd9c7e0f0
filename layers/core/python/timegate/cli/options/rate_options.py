"""The options that say how often a target may be called."""

import re
from typing import Annotated

import typer

from timegate.cli.completing.words_of_jobs import complete_rate_keys
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group

_FORM = re.compile(r"([1-9][0-9]{0,5})/(s|min|h)")
_FIELDS = {"s": "per_second", "min": "per_minute", "h": "per_hour"}


def calls(text: str) -> dict[str, int]:
    """``10/s``, ``100/min`` or ``5000/h``, as the API takes it."""
    match = _FORM.fullmatch(text)
    if match is None:
        message = f"{text!r} is no rate such as 10/s, 100/min or 500/h."
        raise typer.BadParameter(message)
    return {_FIELDS[match[2]]: int(match[1])}


@option_group("Rate limit")
class RateOptions:
    """Limit of calls of the target, for all jobs that share it."""

    rate_limit: Annotated[
        dict[str, int] | None,
        typer.Option(
            parser=calls,
            metavar="N/s|min|h",
            help="Call the target so often at most; runs wait for their turn.",
        ),
    ] = None
    rate_burst: Annotated[
        int | None,
        typer.Option(metavar="N", help="Allow so many at once after a pause; 1 by default."),
    ] = None
    rate_key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            autocompletion=complete_rate_keys,
            help="Share calls with jobs that name the same key; by default with those"
            " of the same target.",
        ),
    ] = None
    rate_key_from: Annotated[
        str | None,
        typer.Option(
            metavar="POINTER",
            help="Count runs with the same value there in their payload by themselves, such as"
            " /customer/id.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the limit in the API's form."""
        others = given(
            {"burst": self.rate_burst, "key": self.rate_key, "key_from": self.rate_key_from}
        )
        if self.rate_limit is None:
            if others:
                message = "--rate-burst, --rate-key and --rate-key-from go with --rate-limit."
                raise typer.BadParameter(message)
            return {}
        return {"rate_limit": {**self.rate_limit, **others}}
