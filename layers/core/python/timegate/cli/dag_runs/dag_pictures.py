"""``timegate dags gantt | watch``: DAG runs over time, and as they go."""

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer
from rich.live import Live

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.dag_runs.commands import DagRunId
from timegate.cli.dag_runs.dag_run_tables import dag_run_details
from timegate.cli.dag_runs.waiting_approvals import dags
from timegate.cli.dags.written_pictures import PictureOptions
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED, say_error
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, drawn, opened, terminal
from timegate.cli.terminal.values import seconds_option
from timegate.cli.terminal.watching import Patience
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.dag_runs.progress import DagRunStatus

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]

#: Between two looks at a DAG run.
INTERVAL_SECONDS = 1.0


class Chart(StrEnum):
    """Formats of a DAG run's chart over time."""

    TEXT = "text"
    JSON = "json"


@dags.command("gantt")
@grouped
def gantt(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    picture: PictureOptions,
    session: SessionOptions,
    chart: Annotated[Chart, typer.Option("--format", help="Draw in this format.")] = Chart.TEXT,
    tz: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            autocompletion=complete_zones,
            help="Show times on the clock of this zone, such as Europe/Berlin; by default on that"
            " of the DAG's schedule.",
        ),
    ] = None,
) -> None:
    """Draw a DAG run over time: what each task waited, and worked.

    timegate dags gantt DAG_RUN_ID --svg --to run.svg --tz Europe/Berlin
    """
    zone = "UTC" if tz is None and session.utc else tz
    with opened(ctx, session) as opening:
        client = opening.client
        if picture.is_svg:
            scheme = picture.colours
            picture.write(client.draw_dag_run_gantt_picture(dag_run_id, scheme=scheme, tz=zone))
            return
        found = client.draw_dag_run_gantt(dag_run_id, language=chart.value, tz=zone)
        if opening.wants_data:
            opening.show(found, lambda _: "")
            return
    text = found["text"]
    picture.write(f"{json.dumps(found, indent=2)}\n" if text is None else text)


@dags.command("watch")
@grouped
def watch(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    session: SessionOptions,
    timeout: Annotated[float | None, seconds_option(help="Give up after so long.")] = None,
    interval: Annotated[
        float | None, seconds_option(help="Pause so long between two looks; 1 s by default.")
    ] = None,
) -> None:
    """Follow a DAG run to its end; exits with 4 unless it succeeded.

    In a terminal its tasks are shown as they are; elsewhere a line is printed for every change.
    """
    with opened(ctx, session) as opening:
        patience = Patience.lasting(
            timeout,
            interval_seconds=interval or INTERVAL_SECONDS,
            now=opening.surroundings.now,
            sleep=opening.surroundings.sleep,
        )
        last = _look_on(opening, dag_run_id, patience)
    if last["ended_at"] is None:
        say_error("not_ended", f"{dag_run_id} has not ended within {timeout} s.")
    if last["status"] != DagRunStatus.SUCCEEDED:
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _look_on(opening: Session, dag_run_id: str, patience: Patience) -> JsonObject:
    looks = _looks(opening, dag_run_id, patience)
    console = terminal()
    if opening.wants_data:
        last = [*looks][-1]
        opening.show(last, dag_run_details)
        return last
    last = next(looks)
    if not console.is_terminal:
        return _say_changes(last, looks)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        live.update(drawn(last, dag_run_details), refresh=True)
        for last in looks:
            live.update(drawn(last, dag_run_details), refresh=True)
    opening.show(last, dag_run_details)
    return last


def _looks(opening: Session, dag_run_id: str, patience: Patience) -> Iterator[JsonObject]:
    """The DAG run as it is at each look, ended last; at least one."""
    while True:
        run: JsonObject = opening.client.get_dag_run(dag_run_id)
        yield run
        if run["ended_at"] is not None or not patience.wait():
            return


def _say_changes(first: JsonObject, looks: Iterator[JsonObject]) -> JsonObject:
    """A line for every task that is not as it was, and for the DAG run."""
    known: dict[str, str] = {}
    last = first
    for line in _lines(first, known):
        typer.echo(line)
    for last in looks:
        for line in _lines(last, known):
            typer.echo(line)
    return last


def _lines(run: JsonObject, known: dict[str, str]) -> Iterator[str]:
    for task in run["tasks"]:
        why = f" ({task['reason']})" if task["reason"] is not None else ""
        now = f"{task['state']}, round {task['round']}{why}"
        begun = task["state"] != "pending" or task["key"] in known
        if begun and known.get(task["key"]) != now:
            known[task["key"]] = now
            at = task["ended_at"] or task["started_at"]
            yield plain(f"{moment(at)} {task['key']} {now}")
    now = f"{run['status']}, {run['ended_count']} of {run['task_count']} tasks"
    if known.get("") != now:
        known[""] = now
        yield plain(f"{moment(run['ended_at'] or run['created_at'])} {now}")
