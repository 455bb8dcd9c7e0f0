"""Things that a tenant names: the commands that show, list and delete one are alike."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from timegate.cli.showing.grids import details
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.failures import EXIT_REFUSED, say_error
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.values import document_option
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject, TimegateClient
from timegate.client.errors import field_problems
from timegate.value_classes import dataclass

Version = Annotated[
    int | None,
    typer.Option(
        "--if-version",
        metavar="N",
        help="Change it only if it has this version; 0: if there is none.",
    ),
]
Whole = Annotated[Any, document_option("--file", "-f", help="Read all of it, as JSON or YAML.")]
Draw = Callable[[JsonObject], RenderableType]


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedThings:
    """A kind of thing with a name: its operations, and what its commands say."""

    #: A typer argument: what stands for a name, and how it is completed.
    name: Any
    #: Operations on such things: ``get``, ``validate``, ``list`` and ``delete``.
    of: Callable[[TimegateClient], Any]
    #: Draws one of a stage, whose address may be part of it.
    details: Callable[[Session], Draw]
    table: Draw
    show_help: str
    list_help: str
    validate_help: str
    delete_help: str
    #: ``Forget the calendar``.
    question: str


def add_commands(app: typer.Typer, things: NamedThings) -> None:
    """Add the commands ``get``, ``validate``, ``list`` and ``delete`` of a kind of thing."""
    _add_get(app, things)
    _add_validate(app, things)
    _add_list(app, things)
    _add_delete(app, things)


def _add_get(app: typer.Typer, things: NamedThings) -> None:
    def get(ctx: typer.Context, name: str, session: SessionOptions) -> None:
        with opened(ctx, session) as opening:
            opening.show(things.of(opening.client).get(name), things.details(opening))

    _add(app, get, things, things.show_help)


def _add_validate(app: typer.Typer, things: NamedThings) -> None:
    def validate(
        ctx: typer.Context,
        name: str,
        file: Whole,
        session: SessionOptions,
    ) -> None:
        with opened(ctx, session) as opening:
            found = things.of(opening.client).validate(name, file)
            opening.show(found, _definition_details)
        if not found["valid"]:
            problems = field_problems(found["errors"])
            say_error("invalid_definition", problems[0].detail, problems)
            raise typer.Exit(EXIT_REFUSED)

    _add(app, validate, things, things.validate_help)


def _definition_details(found: JsonObject) -> RenderableType:
    return details({field: _text(value) for field, value in sorted(found["definition"].items())})


def _text(value: object) -> str:
    return plain(value) if isinstance(value, str) else compact_json(value)


def _add_list(app: typer.Typer, things: NamedThings) -> None:
    def list_page(ctx: typer.Context, page: PageOptions, session: SessionOptions) -> None:
        with opened(ctx, session) as opening:
            opening.show(page.read(things.of(opening.client).list), things.table)

    app.command("list", help=things.list_help)(grouped(list_page))


def _add_delete(app: typer.Typer, things: NamedThings) -> None:
    def delete(
        ctx: typer.Context,
        name: str,
        sure: EndOptions,
        session: SessionOptions,
        version: Version = None,
    ) -> None:
        with opened(ctx, session) as opening:
            operations, draw = things.of(opening.client), things.details(opening)
            if sure.goes_on(
                opening,
                lambda: operations.get(name),
                draw,
                lambda _: f"{things.question} {name}?",
            ):
                opening.show(operations.delete(name, version=version), draw)

    _add(app, delete, things, things.delete_help)


def _add(
    app: typer.Typer, command: Callable[..., None], things: NamedThings, help_text: str
) -> None:
    command.__annotations__["name"] = things.name
    app.command(command.__name__, help=help_text)(grouped(command))
