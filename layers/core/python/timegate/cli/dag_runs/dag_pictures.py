"""``timegate dags gantt | watch``: DAG runs over time, and as they go."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.dag_runs.commands import DagRunId
from timegate.cli.dag_runs.following_dag_runs import INTERVAL_SECONDS, follow_dag_run
from timegate.cli.dag_runs.waiting_approvals import dags
from timegate.cli.dags.written_pictures import PictureOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import seconds_option

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]


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
        follow_dag_run(
            opening,
            dag_run_id,
            timeout_seconds=timeout,
            interval_seconds=interval or INTERVAL_SECONDS,
        )
