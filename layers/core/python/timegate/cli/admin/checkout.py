"""The checkout that operators' tools run from: they write what the release that it has reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Final

import typer

from timegate.cli.admin.reaching import reach_checkout
from timegate.cli.completing.checkout_words import complete_stages
from timegate.cli.terminal.failures import EXIT_NO_ACCESS, EXIT_REFUSED, EXIT_USAGE, say_error
from timegate.domain.values.errors import TimegateError

StageOption = Annotated[
    str,
    typer.Option(
        "--stage",
        metavar="NAME",
        autocompletion=complete_stages,
        help="Name the deployed stage.",
    ),
]
#: Codes of errors that are no refusal: no stage was asked.
_NO_ACCESS: Final = frozenset({"no_aws_access", "stage_not_found"})
_NEEDED = (
    "These tools run from the checkout that deployed the stage, for they write what its release"
    " reads: git clone, make install, then .venv/bin/timegate admin."
)


@contextmanager
def in_checkout() -> Iterator[None]:
    """Let the operators' tools be imported, and say their errors; raises ``typer.Exit``."""
    if not reach_checkout():
        say_error("checkout_needed", _NEEDED)
        raise typer.Exit(EXIT_USAGE)
    try:
        yield
    except TimegateError as error:
        say_error(error.code, str(error))
        is_away = error.code in _NO_ACCESS
        raise typer.Exit(EXIT_NO_ACCESS if is_away else EXIT_REFUSED) from error


def exit_unless(is_well: bool) -> None:
    """Exit with 1 where something is left to do; raises ``typer.Exit``."""
    if not is_well:
        raise typer.Exit(EXIT_REFUSED)
