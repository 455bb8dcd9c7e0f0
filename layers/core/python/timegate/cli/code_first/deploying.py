"""``timegate deploy``: the jobs of a program, as the stage has them and as it should."""

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from timegate.cli.apply.applying import apply_plan, planned
from timegate.cli.apply.commands import ReplaceOption
from timegate.cli.code_first.programs import Program, load_program
from timegate.cli.completing.stage_names import complete_pools
from timegate.cli.completing.words_of_jobs import complete_sets
from timegate.cli.previews.preview_options import MAX_DAYS
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.value_classes import dataclass

ProgramArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py", help="Name the file whose @job functions are meant; or MODULE:WORKER."
    ),
]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgramOptions:
    """Names that a program does not give itself."""

    pool: Annotated[
        str | None,
        typer.Option(
            "--pool",
            metavar="NAME",
            autocompletion=complete_pools,
            help="Offer the runs in this pool.",
        ),
    ] = None
    files: Annotated[
        str | None,
        typer.Option(
            "--set",
            metavar="NAME",
            autocompletion=complete_sets,
            help="Name the set of jobs; else as the file.",
        ),
    ] = None


@grouped
def deploy(
    ctx: typer.Context,
    where: ProgramArgument,
    program: ProgramOptions,
    session: SessionOptions,
    sure: YesOption,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the differences, and change nothing.")
    ] = False,
    replace: ReplaceOption = False,
    days: Annotated[
        int,
        typer.Option("--days", min=0, max=MAX_DAYS, metavar="N", help="Show instants of N days."),
    ] = 7,
) -> None:
    """Make the stage's jobs those of a program's @job functions, after showing the differences.

    Jobs that the set had and the program has no longer end.

    timegate deploy app.py --yes
    """
    # A program may print when it is imported; that is no answer of this command.
    with redirect_stdout(sys.stderr):
        loaded = load_program(where, pool=program.pool, name=program.files)
    with opened(ctx, session) as opening:
        deploy_program(opening, loaded, sure, dry_run=dry_run, replace=replace, days=days)


def deploy_program(
    opening: Session, program: Program, sure: YesOption, *, dry_run: bool, replace: bool, days: int
) -> None:
    """Apply the program's declarations with their removals; raises ``Exit`` for refusals."""
    if not program.jobs:
        message = f"{program.source} has no @job."
        raise typer.BadParameter(message)
    documents = program.documents()
    found = planned(opening, documents, program.name, prune=True, days=days)
    apply_plan(opening, found, sure, dry_run=dry_run, replace=replace)
    if not opening.wants_data and not dry_run:
        served_by = f"timegate worker run {program.served_by}"
        typer.echo(f"Pool {program.pool} offers the runs: {served_by}")
