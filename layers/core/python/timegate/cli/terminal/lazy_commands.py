"""Commands that are imported when they are chosen: help of the root reads their names alone."""

from collections.abc import Iterator, Mapping, MutableMapping
from copy import copy
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RootCommand:
    """One command of the root: where its code is, and its line in the root's help."""

    name: str
    #: ``module:attribute``; a Typer application or a function.
    place: str
    #: The first paragraph of the command's own help; a test compares them.
    help: str
    #: Other names of the same command; no help lists them.
    also: tuple[str, ...] = ()


@cache
def loaded(entry: RootCommand) -> Any:  # noqa: ANN401 - as typer's own copy of click types it
    """Import a command, as typer makes it of the application or function.

    A group takes 20 ms: a process that has several root commands, as that of tests, makes it once.
    """
    module, _, attribute = entry.place.partition(":")
    found = getattr(import_module(module), attribute)
    parent = typer.Typer(pretty_exceptions_show_locals=False)
    if isinstance(found, typer.Typer):
        parent.add_typer(found, name=entry.name)
    else:
        parent.command(entry.name)(found)
    return get_group(parent).commands[entry.name]


class _Loading(Mapping[str, Any]):
    """Commands by name, each imported when it is read."""

    def __init__(self, entries: tuple[RootCommand, ...]) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._names = {name: entry.name for entry in entries for name in (entry.name, *entry.also)}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - see loaded
        return loaded(self._entries[self._names[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class LazyCommands(TyperGroup):
    """A group whose commands are imported when they are chosen."""

    #: Subclasses name their commands, in the order of the help.
    entries: tuple[RootCommand, ...] = ()

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - passed on to typer
        super().__init__(**attributes)
        self.commands: MutableMapping[str, Any] = _Loading(self.entries)  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - see loaded
        """Every name, in order; imports nothing."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - see loaded
        """Write the help from the entries' lines; imports no command."""
        TyperGroup.format_help(self._outline(), ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # noqa: ANN401 - see loaded
        """Complete a command's name; imports no command."""
        outlined = copy(ctx)
        outlined.command = self._outline()
        return TyperGroup.shell_complete(outlined.command, outlined, incomplete)

    def _outline(self) -> "LazyCommands":
        """Copy this group with stand-ins for its commands, which have a name and a line of help."""
        outline = copy(self)
        outline.commands = {
            entry.name: TyperCommand(entry.name, help=entry.help) for entry in self.entries
        }
        return outline
