"""``timegate jobs stats``: a job's recent runs in numbers."""

from typing import Annotated

import typer
from rich.console import RenderableType

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.showing.grids import details
from timegate.cli.showing.instants import zoned
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

statistics = typer.Typer()

JobId = Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)]


@statistics.command("stats")
@grouped
def show(ctx: typer.Context, job_id: JobId, session: SessionOptions) -> None:
    """Show a job's recent runs in numbers: last ones, streak, percentiles, next instants."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_job_statistics(job_id), statistics_details)


def statistics_details(found: JsonObject) -> RenderableType:
    """Numbers of a job's latest runs."""
    more = " latest" if found["is_partial"] else ""
    states = ", ".join(f"{count} {state}" for state, count in found["runs_by_state"].items())
    return details(
        {
            "job_id": plain(found["job_id"]),
            "runs": plain(f"{found['runs']}{more}" + (f": {states}" if states else "")),
            "last run": _run(found["last_run"]),
            "last success": _run(found["last_success"]),
            "streak": _streak(found["streak"]),
            "duration": _spread(found["duration_ms"]),
            "lateness": _spread(found["lateness_ms"]),
            "next": "\n".join(_fire(each) for each in found["next_fires"]) or "-",
        }
    )


def _run(run: JsonObject | None) -> str:
    if run is None:
        return "-"
    return f"{plain(run['state'])}, {zoned(run['scheduled_at'])}, {plain(run['run_id'])}"


def _streak(streak: JsonObject | None) -> str:
    if streak is None:
        return "-"
    count = f"{'at least ' if streak['is_partial'] else ''}{streak['count']}"
    return f"{count} {plain(streak['outcome'])} since {zoned(streak['since'])}"


def _spread(spread: JsonObject | None) -> str:
    if spread is None:
        return "-"
    shown = [f"{name} {spread[name]:,} ms" for name in ("p50", "p95", "max")]
    return f"{', '.join(shown)} ({spread['count']} runs)"


def _fire(fire: JsonObject) -> str:
    said = "" if fire["outcome"] == "runs" else f" {plain(fire['outcome'])}"
    return f"{zoned(fire['at'])}{said}"
