"""``timegate dead-letters``: runs that were given up, and what becomes of them."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.operations.dead_letter_tables import letter_details, letter_table, preview_table
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.options.dead_letter_options import (
    CorrectionOptions,
    LetterOptions,
    SettleOptions,
    chosen,
)
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import run_details
from timegate.client import JsonObject

dead_letters = typer.Typer(
    no_args_is_help=True, help="See which runs were given up, try them again, or let them rest."
)

#: Rows that a dry run shows; it counts all.
SHOWN = 20

RunId = Annotated[str, typer.Argument(metavar="RUN_ID", autocompletion=complete_runs)]
RunIds = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RUN_ID]...",
        autocompletion=complete_runs,
        help="Name these runs; or say by the options which.",
    ),
]


@dead_letters.command("list")
@grouped
def list_page(
    ctx: typer.Context, letters: LetterOptions, page: PageOptions, session: SessionOptions
) -> None:
    """List dead letters, newest first."""
    with opened(ctx, session) as opening:
        query = letters.as_query(opening.surroundings.now())
        opening.show(page.read(opening.client.list_dead_letters, **query), letter_table)


@dead_letters.command("get")
@grouped
def get(ctx: typer.Context, run_id: RunId, session: SessionOptions) -> None:
    """Show one with its job as it was, its payload and every attempt."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_dead_letter(run_id), letter_details)


@dead_letters.command("redrive")
@grouped
def redrive(
    ctx: typer.Context,
    letters: LetterOptions,
    correction: CorrectionOptions,
    settling: SettleOptions,
    start: StartOptions,
    sure: YesOption,
    session: SessionOptions,
    run_ids: RunIds = None,
) -> None:
    """Try runs again that were given up.

    timegate dead-letters redrive --job JOB_ID --error-code http_503 --wait
    """
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        wanted = chosen(run_ids, letters, everything=settling.everything, now=now)
        if settling.dry_run:
            opening.show(_preview(opening, wanted), preview_table)
            return
        client = opening.client
        sure.agree(lambda: f"Try {_counted(opening, wanted)} again?")
        request: Any = _noted(correction.as_json(), settling)
        if _is_one(wanted, start):
            (run_id,) = wanted["run_ids"]
            opening.show(client.redrive_dead_letter(run_id, request or None), run_details)
            return
        body: Any = {"filter": wanted, **request}
        key = start.idempotency_key
        show_started(opening, client.redrive_dead_letters(body, idempotency_key=key), start)


@dead_letters.command("discard")
@grouped
def discard(
    ctx: typer.Context,
    letters: LetterOptions,
    settling: SettleOptions,
    start: StartOptions,
    sure: YesOption,
    session: SessionOptions,
    run_ids: RunIds = None,
) -> None:
    """Let runs rest that were given up."""
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        wanted = chosen(run_ids, letters, everything=settling.everything, now=now)
        if settling.dry_run:
            opening.show(_preview(opening, wanted), preview_table)
            return
        client = opening.client
        sure.agree(lambda: f"Let {_counted(opening, wanted)} rest for good?")
        request: Any = _noted({}, settling)
        if _is_one(wanted, start):
            (run_id,) = wanted["run_ids"]
            opening.show(client.discard_dead_letter(run_id, request or None), run_details)
            return
        body: Any = {"filter": wanted, **request}
        key = start.idempotency_key
        show_started(opening, client.discard_dead_letters(body, idempotency_key=key), start)


def _counted(opening: Session, wanted: dict[str, Any]) -> str:
    """Say how many runs are meant."""
    matched = _preview(opening, wanted)["matched"]
    return f"{matched} dead letter{'' if matched == 1 else 's'}"


def _noted(request: dict[str, Any], settling: SettleOptions) -> dict[str, Any]:
    return request if settling.note is None else request | {"note": settling.note}


def _is_one(wanted: dict[str, Any], start: StartOptions) -> bool:
    """One run is settled at once, unless a caller wants to follow it, or to be able to repeat."""
    return len(wanted.get("run_ids", [])) == 1 and start == StartOptions()


def _preview(opening: Session, wanted: dict[str, Any]) -> JsonObject:
    """Read the dead letters that are meant now: all are counted, the newest are shown."""
    client = opening.client
    if "run_ids" in wanted:
        rows: list[JsonObject] = [client.get_dead_letter(run_id) for run_id in wanted["run_ids"]]
    else:
        named = {"from": "start", "to": "end"}
        query = {named.get(name, name): value for name, value in wanted.items() if name != "all"}
        rows = list(client.list_dead_letters.iterate(limit=100, **query))
    return {"dry_run": True, "matched": len(rows), "first": rows[:SHOWN]}
