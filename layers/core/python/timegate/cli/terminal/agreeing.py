"""Agreement of a person to what ends something, or changes many things."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from timegate.client.errors import ClientError
from timegate.value_classes import dataclass


class NotAgreed(ClientError):
    """A command that asks first was given no terminal to ask at, and no ``--yes``."""

    def __init__(self) -> None:
        detail = (
            "This asks first, and there is no terminal to ask at: --yes does it, --dry-run"
            " shows what is meant."
        )
        super().__init__("confirmation_required", detail)


@dataclass(frozen=True, kw_only=True, slots=True)
class YesOption:
    """The option of every command that ends something, or changes many things."""

    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing; without a terminal it is needed.")
    ] = False

    def agree(self, question: str | Callable[[], str]) -> None:
        """Ask at a terminal; raises ``Abort`` for a no, and ``NotAgreed`` without a terminal.

        A question that has to be computed is, if it is asked.
        """
        if self.yes:
            return
        if not sys.stdin.isatty():
            raise NotAgreed
        said = question if isinstance(question, str) else question()
        typer.confirm(said, abort=True, err=True)
