"""``timegate runs watch``: a run until it has ended, or the newest runs of all jobs."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.live import Live

from timegate.cli.completing.stage_names import complete_runs_and_jobs
from timegate.cli.options.failure_options import FailureOptions
from timegate.cli.runs.run_tables import all_runs_table, run_line
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Output, Session, SessionOptions, drawn, opened, terminal
from timegate.cli.terminal.values import seconds_option
from timegate.cli.terminal.watching import INTERVAL_SECONDS, Patience, follow_to_end
from timegate.client import JsonObject

watches = typer.Typer()

#: Between two looks at all.
ALL_INTERVAL_SECONDS = 5.0
#: Runs that are watched beside one another: as many as fit on a screen.
SHOWN = 20


Wanted = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN_ID|JOB_ID",
        autocompletion=complete_runs_and_jobs,
        help="Name a run; a job means its latest run that is due, or else its next.",
    ),
]


Interval = Annotated[
    float | None, seconds_option(help="Pause so long between two looks; 1 s, or 5 s for all.")
]


@watches.command("watch")
@grouped
def watch(
    ctx: typer.Context,
    criteria: FailureOptions,
    session: SessionOptions,
    wanted: Wanted = None,
    interval: Interval = None,
    timeout: Annotated[float | None, seconds_option(help="Give up after so long.")] = None,
) -> None:
    """Follow a run until it has ended; exits with 0 if it succeeded, else with 4.

    Without a run, follow the newest runs of all jobs that list theirs, until it is interrupted.
    """
    if wanted is not None and criteria != FailureOptions():
        message = "Criteria select among the runs of all jobs: leave the id out."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        usual = INTERVAL_SECONDS if wanted else ALL_INTERVAL_SECONDS
        patience = Patience.of(opening, timeout, interval or usual)
        if wanted is None:
            _watch_all(opening, criteria.as_query(opening.surroundings.now()), patience)
            return
        follow_to_end(opening, wanted, patience, timeout)


def _watch_all(session: Session, query: dict[str, Any], patience: Patience) -> None:
    """Show the newest runs all the while, or to a pipe each change of one as a line."""
    looks = _looks(session, {**query, "which": "all", "limit": SHOWN}, patience)
    console = terminal()
    if session.wants_data or not console.is_terminal:
        for run in _changes(looks):
            typer.echo(session.one_line(run, run_line), nl=session.output is not Output.YAML)
        return
    with Live(console=console, auto_refresh=False) as live:
        for page in looks:
            # A cursor would lead on from a page that is gone.
            live.update(drawn({**page, "next_cursor": None}, all_runs_table), refresh=True)


def _looks(session: Session, query: dict[str, Any], patience: Patience) -> Iterator[JsonObject]:
    while True:
        yield session.client.list_all_runs(**query)
        if not patience.wait():
            return


def _changes(looks: Iterator[JsonObject]) -> Iterator[JsonObject]:
    """Return each run that is new, or stands otherwise than at the last look, oldest first."""
    before: dict[str, tuple[int, str]] = {}
    for page in looks:
        now = {run["run_id"]: (run["attempt"], run["state"]) for run in page["items"]}
        for run in reversed(page["items"]):
            if before.get(run["run_id"]) != now[run["run_id"]]:
                yield run
        before = now
