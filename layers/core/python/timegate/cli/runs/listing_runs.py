"""``timegate runs list`` and ``runs failed``: runs of a job, or of all jobs."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.options.failure_options import FailureOptions
from timegate.cli.options.listing_options import RangeOptions
from timegate.cli.runs.run_tables import all_runs_table, archived_table, failure_table
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import run_table
from timegate.client import JsonObject
from timegate.domain.values.instants import rfc3339

lists = typer.Typer()

#: Criteria that the listing of one job has; with any other, its runs are looked through.
_OF_A_JOB = {"state", "start", "end"}
_COMING = {"waiting", "queued"}


@lists.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    wanted: FailureOptions,
    within: RangeOptions,
    session: SessionOptions,
    job_id: Annotated[
        str | None, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)
    ] = None,
    failures: Annotated[
        bool, typer.Option("--failed", help="List failures of every job, the latest end first.")
    ] = False,
    archived: Annotated[
        bool,
        typer.Option("--archived", help="List runs of the archive by the days of their ends."),
    ] = False,
) -> None:
    """List the runs of a job, or of all jobs that list theirs, newest first.

    timegate runs list --failed --since yesterday

    timegate runs list --archived --from 2025-11-01T00:00:00Z --to 2025-11-30T23:59:59Z
    """
    with opened(ctx, session) as opening:
        query = _criteria(opening, wanted, within, job_id)
        given = {name for name, value in query.items() if value is not None}
        if archived:
            _show_archived(opening, page, query, given | ({"failed"} if failures else set()))
        elif failures:
            _show(opening, page, query)
        elif job_id is not None and given - {"job_id"} <= _OF_A_JOB and _is_one(query["state"]):
            _show_job(opening, page, job_id, query)
        else:
            _show(opening, page, {**query, "which": "all"})


@lists.command("failed")
@grouped
def failed(
    ctx: typer.Context, wanted: FailureOptions, page: PageOptions, session: SessionOptions
) -> None:
    """List the failed runs of all jobs, the latest end first."""
    with opened(ctx, session) as opening:
        query = wanted.as_query(opening.surroundings.now())
        _show(opening, page, query)


def _criteria(
    opening: Session, wanted: FailureOptions, within: RangeOptions, job_id: str | None
) -> dict[str, Any]:
    now = opening.surroundings.now()
    query = wanted.as_query(now)
    if job_id is not None and query["job_id"] is not None:
        message = "Name the job once: as JOB_ID or with --job."
        raise typer.BadParameter(message)
    for name, instant in within.as_query(now).items():
        if instant is not None and query[name] is not None:
            message = "--from is another word for --since, and --to for --until: say one of them."
            raise typer.BadParameter(message)
        query[name] = query[name] or instant
    return {**query, "job_id": job_id or query["job_id"]}


def _is_one(states: list[str] | None) -> bool:
    return states is None or len(states) == 1


def _show_job(opening: Session, page: PageOptions, job_id: str, query: dict[str, Any]) -> None:
    state = query["state"][0] if query["state"] else None
    span = {"start": query["start"], "end": query["end"]}
    found = page.read(opening.client.list_runs, job_id, state=state, **span)
    now = rfc3339(opening.surroundings.now())
    opening.show(found, lambda page: _with_coming(page, now))


def _with_coming(page: JsonObject, now: str) -> RenderableType:
    """Show runs of a job, and say how many are planned ahead: they come first."""
    coming = [run for run in page["items"] if run["state"] in _COMING and run["due_at"] > now]
    if not coming:
        return run_table(page)
    if len(coming) == 1:
        told = "1 of these is still to come; --until now leaves it out."
    else:
        told = f"{len(coming)} of these are still to come; --until now leaves them out."
    return Group(run_table(page), told)


def _show_archived(
    opening: Session, page: PageOptions, query: dict[str, Any], given: set[str]
) -> None:
    if given - {"job_id"} - _OF_A_JOB or not _is_one(query["state"]):
        message = "Archived runs are listed by job, by one state and by days; by nothing else."
        raise typer.BadParameter(message)
    days = {name: query[name] and query[name][:10] for name in ("start", "end")}
    state = query["state"][0] if query["state"] else None
    client = opening.client
    found = page.read(client.list_archived_runs, job_id=query["job_id"], state=state, **days)
    opening.show(found, archived_table)


def _show(opening: Session, page: PageOptions, query: dict[str, Any]) -> None:
    shown = all_runs_table if "which" in query else failure_table
    opening.show(page.read(opening.client.list_all_runs, **query), shown)
