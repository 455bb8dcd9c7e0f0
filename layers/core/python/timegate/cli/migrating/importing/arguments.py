"""Arguments that every import has."""

from datetime import datetime
from typing import Annotated

import typer

from timegate.cli.terminal.session import surroundings
from timegate.domain.values.instants import to_milliseconds

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="Read this file; - is standard input.")
]


def now_of(ctx: typer.Context) -> datetime:
    """Return the instant from which schedules are judged."""
    return to_milliseconds(surroundings(ctx).now())
