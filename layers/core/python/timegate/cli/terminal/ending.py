"""The options of a command that ends or changes what cannot be had back."""

from collections.abc import Callable
from typing import Annotated, Protocol

import typer
from rich.console import Group, RenderableType

from timegate.cli.terminal.agreeing import YesOption
from timegate.client import JsonObject
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LookOptions:
    """Look first at what a command would do."""

    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False


class Shows(Protocol):
    """Prints for people or for a program: a session, or the options of a command without one."""

    def show(self, value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> None:
        """Print a value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EndOptions(YesOption):
    """Look at what is meant first, or be asked."""

    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what is meant, and change nothing.")
    ] = False

    def goes_on(
        self,
        opening: Shows,
        found: Callable[[], JsonObject],
        draw: Callable[[JsonObject], RenderableType],
        question: Callable[[JsonObject], str],
    ) -> bool:
        """Tell whether to go on; a dry run shows what was found. Raises ``Abort`` for a no.

        Nothing is read where nothing is asked and nothing shown.
        """
        if self.dry_run:
            opening.show(found(), lambda value: Group(draw(value), "", "Nothing was changed."))
            return False
        self.agree(lambda: question(found()))
        return True
