"""``timegate jobs backfill|bulk-create``: runs of the past, and many jobs at once."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.naming.named_followers import with_ids
from timegate.cli.operations.operation_tables import (
    creation_table,
    preview_details,
    validation_table,
)
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.ending import LookOptions
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.values import document_option, key_option
from timegate.client import JsonObject
from timegate.client.calls.parts import MOST_JOBS, keyed_parts
from timegate.domain.operations.operation import Reprocess
from timegate.value_classes import dataclass

backfills = typer.Typer()

#: The range is looked at, and nothing is started.
LOOK = {"dry_run": True}
JobId = Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)]


@dataclass(frozen=True, kw_only=True, slots=True)
class FillOptions:
    """Options of filling a range."""

    reprocess: Annotated[
        Reprocess, typer.Option(help="Choose which instants that ran already run again.")
    ] = Reprocess.NONE
    max_concurrent: Annotated[
        int, typer.Option(metavar="N", help="Let so many runs be under way at once, 1 to 100.")
    ] = 1
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would do, and do nothing.")
    ] = False


@backfills.command("backfill")
@grouped
def backfill(
    ctx: typer.Context,
    job_id: JobId,
    start_at: Annotated[
        str, moment_option("--from", help="Begin then: yesterday, 22:00, 6h, an instant.")
    ],
    end_at: Annotated[str, moment_option("--to", help="End then: now, or as --from.")],
    fill: FillOptions,
    start: StartOptions,
    sure: YesOption,
    session: SessionOptions,
) -> None:
    """Run it for instants of the past that have no run.

    timegate jobs backfill JOB_ID --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --wait
    """
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        request: Any = {
            "from": moment_text(start_at, now),
            "to": moment_text(end_at, now),
            "reprocess": fill.reprocess,
            "max_concurrent": fill.max_concurrent,
        }
        if fill.dry_run:
            preview = opening.client.backfill_job(job_id, request | LOOK)
            opening.show(preview, preview_details)
            return
        key = start.idempotency_key
        sure.agree(lambda: _question(opening.client.backfill_job(job_id, request | LOOK)))
        started = opening.client.backfill_job(job_id, request, idempotency_key=key)
        show_started(opening, started, start)


def _question(preview: JsonObject) -> str:
    return f"Run it for {preview['new'] + preview['reopened']} instants?"


JobsFile = Annotated[
    object, document_option("--file", "-f", help="Read a list of jobs, as JSON or YAML.")
]


@backfills.command("bulk-create")
@grouped
def bulk_create(
    ctx: typer.Context,
    file: JobsFile,
    terms: LookOptions,
    sure: YesOption,
    session: SessionOptions,
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key repeat nothing.")
    ] = None,
) -> None:
    """Create every job of a file; exits with 1 if one was refused."""
    jobs = file.get("jobs") if isinstance(file, dict) else file
    if not isinstance(jobs, list) or not jobs:
        message = "it is no list of jobs."
        raise typer.BadParameter(message, param_hint="'--file'")
    with opened(ctx, session) as opening:
        jobs = [with_ids(each, opening.client) for each in jobs]
        if terms.dry_run:
            opening.show(_validated(opening, jobs), validation_table)
            return
        sure.agree(f"Create {len(jobs)} jobs?")
        answers = (
            opening.client.create_jobs(part, idempotency_key=key)
            for part, key in keyed_parts(jobs, idempotency_key, most=MOST_JOBS)
        )
        whole = opening.show_joined(answers, creation_table)
    if whole["failed"]:
        raise typer.Exit(EXIT_REFUSED)


def _validated(opening: Session, jobs: list[Any]) -> JsonObject:
    """Ask of each job whether it could be created."""
    found = [opening.client.validate_new_job(job) for job in jobs]
    return {"dry_run": True, "items": [{"index": n, **each} for n, each in enumerate(found)]}
