"""``timegate jobs trigger-many``: many runs of a job, each with data of its own."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.showing.grids import Column, table
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.ending import LookOptions
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.values import json_lines, key_option
from timegate.cli.terminal.wording import plain, refusal
from timegate.client import JsonObject
from timegate.client.calls.parts import MOST_TRIGGERS, keyed_parts

many_triggers = typer.Typer()

TriggerFile = Annotated[
    object,
    typer.Option(
        "--file",
        "-f",
        parser=json_lines,
        metavar="PATH|-",
        help="Read the API's triggers, one in a line of JSON, or a JSON list.",
    ),
]


@many_triggers.command("trigger-many")
@grouped
def trigger_many(
    ctx: typer.Context,
    job_id: Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)],
    file: TriggerFile,
    terms: LookOptions,
    sure: YesOption,
    session: SessionOptions,
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key make no second runs.")
    ] = None,
) -> None:
    """Run a job once for each line of a file; exits with 1 if one was refused.

    timegate jobs trigger-many JOB_ID --file pages.jsonl --idempotency-key pages-1
    """
    if not isinstance(file, list) or not file:
        message = "it has no triggers."
        raise typer.BadParameter(message, param_hint="'--file'")
    with opened(ctx, session) as opening:
        if terms.dry_run:
            _look(opening, job_id, len(file))
            return
        sure.agree(f"Trigger {len(file)} runs?")
        answers = (
            opening.client.trigger_many(job_id, part, idempotency_key=key)
            for part, key in keyed_parts(file, idempotency_key, most=MOST_TRIGGERS)
        )
        whole = opening.show_joined(answers, _table)
    if whole["failed"]:
        raise typer.Exit(EXIT_REFUSED)


def _look(opening: Session, job_id: str, runs: int) -> None:
    """Show what would be triggered."""
    found = opening.client.get_job(job_id)
    counted: JsonObject = {"dry_run": True, "job_id": found["job_id"], "runs": runs}
    opening.show(counted, lambda it: f"{it['runs']} runs of it; nothing was triggered.")


def _table(whole: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "trigger": lambda item: str(item["index"] + 1),
        "run_id": lambda item: plain(item["run_id"]),
        "collapsed into": lambda item: plain(item.get("collapsed_into")),
        "refused": lambda item: plain(item["error"] and refusal(item["error"])),
    }
    summary = f"{whole['triggered']} triggered, {whole['replayed']} there before"
    refused = Text(f"{summary}, {whole['failed']} refused")
    return Group(table(whole["items"], columns), Text(), refused)
