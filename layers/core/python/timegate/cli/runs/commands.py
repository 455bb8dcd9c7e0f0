"""``timegate runs``: what became of jobs."""

from typing import Annotated

import typer
from rich.live import Live

from timegate.cli.options.failure_options import FailureOptions
from timegate.cli.options.listing_options import RangeOptions
from timegate.cli.runs.log_reading import follow_log, whole_log
from timegate.cli.runs.redriving import redrives
from timegate.cli.runs.run_tables import (
    attempt_table,
    failure_table,
    log_line,
    log_table,
    result_details,
)
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED, say_error
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Output, Session, SessionOptions, drawn, opened, terminal
from timegate.cli.terminal.tables import notification_table, run_details, run_table
from timegate.cli.terminal.values import seconds
from timegate.cli.terminal.watching import Patience, follow, has_ended, has_succeeded
from timegate.client import JsonObject
from timegate.domain.runs.run import RunState

runs = typer.Typer(no_args_is_help=True, help="See what became of jobs, and stop it.")
runs.registered_commands += redrives.registered_commands

#: Between two looks at a run.
INTERVAL_SECONDS = 1.0

RunId = Annotated[str, typer.Argument(metavar="RUN_ID")]


@runs.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    job_id: Annotated[str, typer.Argument(metavar="JOB_ID")],
    page: PageOptions,
    within: RangeOptions,
    session: SessionOptions,
    state: Annotated[RunState | None, typer.Option(help="Only runs that stand so.")] = None,
) -> None:
    """List the runs of a job, newest first; runs failed lists failures of all jobs."""
    with opened(ctx, session) as opening:

        def fetch(cursor: str | None) -> JsonObject:
            return opening.client.list_runs(
                job_id, state=state, limit=page.limit, cursor=cursor, **within.as_query()
            )

        opening.show(page.read(fetch), run_table)


@runs.command("failed")
@grouped
def failed(
    ctx: typer.Context, wanted: FailureOptions, page: PageOptions, session: SessionOptions
) -> None:
    """List the failed runs of all jobs, the latest end first."""
    with opened(ctx, session) as opening:
        query = wanted.as_query(opening.surroundings.now())

        def fetch(cursor: str | None) -> JsonObject:
            return opening.client.list_failed_runs(limit=page.limit, cursor=cursor, **query)

        opening.show(page.read(fetch), failure_table)


@runs.command("get")
@grouped
def get(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show a run and every attempt at it."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_run(run_id), run_details)


@runs.command("notifications")
@grouped
def notifications(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show what was told of a run, whom, and whether it arrived."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.list_notifications(run_id), notification_table)


@runs.command("cancel")
@grouped
def cancel(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Prevent a run, or ask its worker to stop."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.cancel_run(run_id), run_details)


@runs.command("attempts")
@grouped
def attempts(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """List every attempt at a run."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.list_attempts(run_id), attempt_table)


@runs.command("result")
@grouped
def result(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show what a run came to, or where that can be read."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_result(run_id), result_details)


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
        if not follows:
            opening.show(whole_log(opening.client, run_id), log_table)
            return
        around = opening.surroundings
        patience = Patience.lasting(
            None, interval_seconds=INTERVAL_SECONDS, now=around.now, sleep=around.sleep
        )
        for line in follow_log(opening.client, run_id, patience):
            typer.echo(opening.one_line(line, log_line), nl=opening.output is not Output.YAML)


@runs.command("watch")
@grouped
def watch(
    ctx: typer.Context,
    wanted: Annotated[
        str, typer.Argument(metavar="RUN_ID|JOB_ID", help="A job means its newest run.")
    ],
    session: SessionOptions,
    interval: Annotated[
        float | None,
        typer.Option(parser=seconds, metavar="DURATION", help="Between two looks; 1 s without."),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(parser=seconds, metavar="DURATION", help="Then give up.")
    ] = None,
) -> None:
    """Follow a run until it has ended; exits with 0 if it succeeded, else with 4."""
    with opened(ctx, session) as opening:
        patience = Patience.lasting(
            timeout,
            interval_seconds=INTERVAL_SECONDS if interval is None else interval,
            now=opening.surroundings.now,
            sleep=opening.surroundings.sleep,
        )
        last = _follow_live(opening, wanted, patience)
    if last is None or not has_ended(last):
        say_error("not_ended", f"{wanted} has not ended within {timeout} s.")
    if last is None or not has_succeeded(last):
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _follow_live(session: Session, wanted: str, patience: Patience) -> JsonObject | None:
    """The run as it was last seen, having shown it all the while, or in the end to a pipe."""
    looks = follow(session.client, wanted, patience)
    console = terminal()
    last = None
    if session.wants_data or not console.is_terminal:
        *_, last = (None, *looks)
        if last is not None:
            session.show(last, run_details)
        return last
    with Live(console=console, auto_refresh=False) as live:
        for last in looks:
            live.update(drawn(last, run_details), refresh=True)
    return last
