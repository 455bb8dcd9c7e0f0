"""``timegate runs redrive``: one failed run again, or all that match."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.options.dead_letter_options import CorrectionOptions
from timegate.cli.options.failure_options import FailureOptions
from timegate.cli.runs.run_tables import failure_table
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import run_details
from timegate.client import JsonObject
from timegate.client.calling import job_filter
from timegate.value_classes import dataclass

redrives = typer.Typer()

#: Runs that a dry run shows; all are counted.
SHOWN = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class ManyOptions:
    """Options of trying many runs again, and of the record of any."""

    failed: Annotated[
        bool, typer.Option("--failed", help="Try every failed run that matches, as an operation.")
    ] = False
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List them with --failed, and do nothing.")
    ] = False
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Keep this with the record.")] = (
        None
    )


@redrives.command("redrive")
@grouped
def redrive(
    ctx: typer.Context,
    wanted: FailureOptions,
    correction: CorrectionOptions,
    many: ManyOptions,
    start: StartOptions,
    sure: YesOption,
    session: SessionOptions,
    run_id: Annotated[
        str | None, typer.Argument(metavar="RUN_ID", autocompletion=complete_runs)
    ] = None,
) -> None:
    """Try a failed run again, or with --failed all that match, under their jobs as they are now.

    timegate runs redrive --failed --since 22:00 --job nightly --dry-run
    """
    request: Any = correction.as_json() | ({} if many.note is None else {"note": many.note})
    if many.failed == (run_id is not None):
        message = "Name one run, or say --failed and which."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        client, key = opening.client, start.idempotency_key
        if run_id is not None:
            _refuse_criteria(wanted, start, dry_run=many.dry_run)
            redriven = client.redrive_run(run_id, request or None, idempotency_key=key)
            opening.show(redriven, run_details)
            return
        if "payload" in request:
            message = "A payload belongs to one run: name it."
            raise typer.BadParameter(message)
        query = wanted.as_query(opening.surroundings.now())
        if many.dry_run:
            opening.show(_preview(opening, query), _preview_table)
            return
        body: Any = {"filter": _filter(query), **request}
        sure.agree(lambda: f"Try {_preview(opening, query)['matched']} failed runs again?")
        show_started(opening, client.redrive_runs(body, idempotency_key=key), start)


def _refuse_criteria(wanted: FailureOptions, start: StartOptions, *, dry_run: bool) -> None:
    if wanted != FailureOptions() or start.wait or dry_run:
        message = "Criteria, --wait and --dry-run go with --failed."
        raise typer.BadParameter(message)


def _filter(query: dict[str, Any]) -> dict[str, Any]:
    """The criteria of a listing in the form of the operation's filter; none: every failed run."""
    if query["dag_run_id"] is not None:
        message = "Tasks are repeated by their DAG run: timegate dag-runs retry."
        raise typer.BadParameter(message)
    if query["event_trigger"] is not None:
        message = "No event trigger selects runs to redrive: list them, and redrive each by its id."
        raise typer.BadParameter(message)
    tags = dict(each.split(":", 1) for each in query["tag"] or [])
    fields = {
        "state": query["state"],
        "reason": query["reason"],
        "error_code": query["error_code"],
        "job_id": job_filter(query["job_id"]),
        "name": query["name"],
        "tags": tags or None,
        "late_seconds": query["late_seconds"],
        "from": query["start"],
        "to": query["end"],
    }
    given = {name: value for name, value in fields.items() if value not in (None, [])}
    return given or {"all": True}


def _preview(opening: Session, query: dict[str, Any]) -> JsonObject:
    """Read the failed runs that are meant now: all are counted, the newest are shown."""
    rows = list(opening.client.list_all_runs.iterate(limit=100, **query))
    return {"dry_run": True, "matched": len(rows), "items": rows[:SHOWN], "next_cursor": None}


def _preview_table(preview: JsonObject) -> RenderableType:
    count = preview["matched"]
    words = "1 failed run matches" if count == 1 else f"{count} failed runs match"
    rows = failure_table(preview)
    return Group(rows, Text(), Text(f"{words}; those that began are tried again."))
