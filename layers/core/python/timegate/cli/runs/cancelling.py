"""``timegate runs cancel``: one run, or all that have not begun and match."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.runs.pending_runs import PendingOptions
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import run_details

cancels = typer.Typer()


@cancels.command("cancel")
@grouped
def cancel(
    ctx: typer.Context,
    many: PendingOptions,
    start: StartOptions,
    sure: EndOptions,
    session: SessionOptions,
    run_id: Annotated[
        str | None, typer.Argument(metavar="RUN_ID", autocompletion=complete_runs)
    ] = None,
) -> None:
    """Prevent a run, or ask its worker to stop; with --pending, prevent all that match.

    timegate runs cancel --pending --job nightly --dry-run
    """
    many.check(run_id, start)
    with opened(ctx, session) as opening:
        if run_id is not None:
            _cancel_one(opening, run_id, sure)
        else:
            _cancel_many(opening, many, start, sure)


def _cancel_one(opening: Session, run_id: str, sure: EndOptions) -> None:
    if sure.goes_on(
        opening,
        lambda: opening.client.get_run(run_id),
        run_details,
        lambda run: f"Cancel the run {run['run_id']}, which is {run['state']}?",
    ):
        opening.show(opening.client.cancel_run(run_id), run_details)


def _cancel_many(
    opening: Session, many: PendingOptions, start: StartOptions, sure: EndOptions
) -> None:
    now = opening.surroundings.now()
    if not many.is_meant(opening, sure, now=now, verb="Cancel"):
        return
    body: Any = {"filter": many.as_filter(now)}
    operation = opening.client.cancel_runs(body, idempotency_key=start.idempotency_key)
    show_started(opening, operation, start)
