"""``timegate runs``: what became of jobs."""

from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_runs_and_jobs
from timegate.cli.runs.cancelling import cancels
from timegate.cli.runs.listing_runs import lists
from timegate.cli.runs.log_reading import follow_log, whole_log
from timegate.cli.runs.redriving import redrives
from timegate.cli.runs.repeating import repeats
from timegate.cli.runs.rescheduling import reschedules
from timegate.cli.runs.run_tables import (
    attempt_table,
    log_line,
    log_table,
    result_details,
)
from timegate.cli.runs.watching_runs import watches
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Output, Session, SessionOptions, opened
from timegate.cli.terminal.tables import notification_table, run_details
from timegate.cli.terminal.watching import Patience, run_meant

runs = typer.Typer(no_args_is_help=True, help="See what became of jobs, and stop it.")
for _more in (lists, redrives, repeats, watches, cancels, reschedules):
    runs.registered_commands += _more.registered_commands

#: Between two looks at a run.
INTERVAL_SECONDS = 1.0

RunId = Annotated[
    str,
    typer.Argument(
        metavar="RUN_ID|JOB_ID",
        autocompletion=complete_runs_and_jobs,
        help="Name a run; a job means its latest run that is due, or else its next.",
    ),
]


@runs.command("get")
@grouped
def get(
    ctx: typer.Context,
    run_id: RunId,
    session: SessionOptions,
    archived: Annotated[
        bool, typer.Option("--archived", help="Look for it in the archive: its record expired.")
    ] = False,
    filled: Annotated[
        bool, typer.Option("--filled", help="Show the payload as its target gets it.")
    ] = False,
) -> None:
    """Show a run and every attempt at it."""
    with opened(ctx, session) as opening:
        if archived:
            opening.show(opening.client.get_archived_run(run_id), run_details)
            return
        run = opening.client.get_run(_meant(opening, run_id), filled=filled)
        opening.show(run, run_details)


@runs.command("notifications")
@grouped
def notifications(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show what was told of a run, whom, and whether it arrived."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.list_notifications(_meant(opening, run_id)), notification_table)


@runs.command("attempts")
@grouped
def attempts(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """List every attempt at a run."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.list_attempts(_meant(opening, run_id)), attempt_table)


@runs.command("result")
@grouped
def result(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show what a run came to, or where that can be read."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_result(_meant(opening, run_id)), result_details)


@runs.command("logs")
@grouped
def logs(
    ctx: typer.Context,
    run_id: RunId,
    session: SessionOptions,
    follows: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on until the run has ended.")
    ] = False,
) -> None:
    """Show what happened to a run and what was said of it, line by line."""
    with opened(ctx, session) as opening:
        run_id = _meant(opening, run_id)
        if not follows:
            opening.show(whole_log(opening.client, run_id), log_table)
            return
        patience = Patience.of(opening, None, INTERVAL_SECONDS)
        for line in follow_log(opening.client, run_id, patience):
            typer.echo(opening.one_line(line, log_line), nl=opening.output is not Output.YAML)


def _meant(opening: Session, wanted: str) -> str:
    return run_meant(opening.client, wanted, opening.surroundings.now())
