"""The options of showing what a change would do."""

from typing import Annotated

import typer

from timegate.value_classes import dataclass

MAX_DAYS = 31


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewOptions:
    """Show what a change would do, and make none."""

    preview: Annotated[
        bool,
        typer.Option("--preview", help="Show the instants it would change, and store nothing."),
    ] = False
    days: Annotated[
        int | None,
        typer.Option(
            "--days", min=1, max=MAX_DAYS, metavar="N", help="Preview so many days; 7 by default."
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=0,
            max=100,
            metavar="N",
            help="Show so many instants of each kind; 20 by default.",
        ),
    ] = None
    resumed: Annotated[
        bool, typer.Option("--resumed", help="Preview a paused job as if it were resumed.")
    ] = False
    filled: Annotated[
        bool, typer.Option("--filled", help="Show the payload as the first runs send it.")
    ] = False
