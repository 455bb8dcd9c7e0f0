"""``timegate apply`` and ``timegate diff``."""

from typing import Annotated

import typer

from timegate.cli.apply.applying import (
    ApplyPlan,
    apply_plan,
    exit_if_different,
    planned,
    refuse_problems,
    show_plan,
)
from timegate.cli.apply.documents import read_documents
from timegate.cli.completing.words_of_jobs import complete_sets
from timegate.cli.previews.preview_options import MAX_DAYS
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.wording import plain
from timegate.declaring.declarations import Declaration
from timegate.value_classes import dataclass

#: The option of commands that end what is no longer declared.
ReplaceOption = Annotated[
    bool, typer.Option("--replace", help="Allow that everything of the set ends.")
]


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredOptions:
    """Files of declarations, and how things outside of them are treated."""

    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            "-f",
            metavar="PATH|DIR|-",
            help="Read this file or folder, YAML or JSON; may be repeated.",
        ),
    ] = None
    files: Annotated[
        str,
        typer.Option(
            "--set",
            metavar="NAME",
            autocompletion=complete_sets,
            help="Name the set whose things these files declare.",
        ),
    ] = "default"
    prune: Annotated[
        bool, typer.Option("--prune", help="End what files of this set declared, and no longer do.")
    ] = False
    days: Annotated[
        int,
        typer.Option(
            "--days",
            min=0,
            max=MAX_DAYS,
            metavar="N",
            help="Show which instants jobs gain, lose and move within so many days; 0: none.",
        ),
    ] = 7


@grouped
def diff(ctx: typer.Context, declared: DeclaredOptions, session: SessionOptions) -> None:
    """Show what apply would do; exits with 0 if nothing, with 5 if something."""
    documents = _documents(declared)
    with opened(ctx, session) as opening:
        found = _planned(opening, declared, documents)
        show_plan(opening, found)
        refuse_problems(found)
    exit_if_different(found)


@grouped
def apply(
    ctx: typer.Context,
    declared: DeclaredOptions,
    session: SessionOptions,
    sure: YesOption,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do as timegate diff.")] = False,
    replace: ReplaceOption = False,
) -> None:
    """Make calendars, jobs, DAGs, rules and event triggers what files declare.

    timegate apply -f schedules/ --prune
    """
    documents = _documents(declared)
    with opened(ctx, session) as opening:
        found = _planned(opening, declared, documents)
        apply_plan(opening, found, sure, dry_run=dry_run, replace=replace)


def _documents(declared: DeclaredOptions) -> list[Declaration]:
    """Read the files; what is wrong with them needs no stage to be told."""
    # An empty path would be the folder that the command runs in.
    if not declared.file or "" in declared.file:
        message = "Name a file or a folder with -f."
        raise typer.BadParameter(message)
    documents = read_documents(declared.file)
    if not documents:
        typer.echo(f"There are no documents in {plain(', '.join(declared.file))}.", err=True)
    return documents


def _planned(
    opening: Session, declared: DeclaredOptions, documents: list[Declaration]
) -> ApplyPlan:
    return planned(opening, documents, declared.files, prune=declared.prune, days=declared.days)
