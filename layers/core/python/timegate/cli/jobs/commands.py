"""``timegate jobs``: create jobs, look at them, change them, end them."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.jobs.backfill import backfills
from timegate.cli.jobs.definition_options import DefinitionOptions
from timegate.cli.jobs.filter_options import FilterOptions
from timegate.cli.jobs.statistics import statistics
from timegate.cli.jobs.trigger_many import many_triggers
from timegate.cli.jobs.updating import updates
from timegate.cli.naming.named_followers import with_ids
from timegate.cli.options.job_options import CollapseOptions
from timegate.cli.options.trigger_options import TriggerOptions
from timegate.cli.runs.ledger import ledgers
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.failures import EXIT_REFUSED, say_error
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.tables import defined_details, job_details, job_table
from timegate.cli.terminal.values import document_option, key_option
from timegate.cli.terminal.watching import WaitOptions, show_started_run
from timegate.cli.terminal.wording import plain
from timegate.client.errors import field_problems
from timegate.client.schemas import NewJob
from timegate.value_classes import dataclass

jobs = typer.Typer(no_args_is_help=True, help="Create jobs, look at them, change them, end them.")
jobs.registered_commands += ledgers.registered_commands
jobs.registered_commands += backfills.registered_commands
jobs.registered_commands += statistics.registered_commands
jobs.registered_commands += many_triggers.registered_commands
jobs.registered_commands += updates.registered_commands

JobId = Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileOptions:
    """A job in a file, instead of options."""

    file: Annotated[
        Any, document_option("--file", "-f", help="Read the whole job, as JSON or YAML.")
    ] = None
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key repeat nothing.")
    ] = None


@jobs.command("create")
@grouped
def create(
    ctx: typer.Context,
    options: DefinitionOptions,
    source: FileOptions,
    session: SessionOptions,
) -> None:
    """Create a job from options, or from a file.

    timegate jobs create --name hello --now --webhook https://example.com/hook
    """
    if source.file is not None and not options.are_absent:
        message = "it is the whole job; no other option about the job goes with it."
        raise typer.BadParameter(message, param_hint="'--file'")
    definition = options.as_json() if source.file is None else source.file
    with opened(ctx, session) as opening:
        whole = with_ids(definition, opening.client)
        created = opening.client.create_job(whole, idempotency_key=source.idempotency_key)
        opening.show(created, job_details)


@jobs.command("validate")
@grouped
def validate(
    ctx: typer.Context,
    file: Annotated[
        NewJob, document_option("--file", "-f", help="Read the whole job, as JSON or YAML.")
    ],
    session: SessionOptions,
) -> None:
    """Say what is wrong with a job, and store nothing; exits with 1 if something is."""
    with opened(ctx, session) as opening:
        found = opening.client.validate_new_job(with_ids(file, opening.client))
        opening.show(found, defined_details)
    if not found["valid"]:
        problems = field_problems(found["errors"])
        say_error("invalid_job", problems[0].detail, problems)
        raise typer.Exit(EXIT_REFUSED)


@jobs.command("get")
@grouped
def get(ctx: typer.Context, job_id: JobId, session: SessionOptions) -> None:
    """Show a job."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_job(job_id), job_details)


@jobs.command("list")
@grouped
def list_page(
    ctx: typer.Context, filters: FilterOptions, page: PageOptions, session: SessionOptions
) -> None:
    """List jobs, newest first.

    timegate jobs list --due-within 1h
    """
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        opening.show(filters.listed(page, opening.client.list_jobs, now=now), job_table)


@jobs.command("pause")
@grouped
def pause(
    ctx: typer.Context,
    job_id: JobId,
    session: SessionOptions,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Say why; shown until it goes on.")
    ] = None,
) -> None:
    """Start no runs of it until it is resumed."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.pause_job(job_id, reason=reason), job_details)


@jobs.command("resume")
@grouped
def resume(
    ctx: typer.Context,
    job_id: JobId,
    session: SessionOptions,
    catch_up: Annotated[
        bool, typer.Option("--catch-up", help="Run what passed, as its catch-up policy says.")
    ] = False,
) -> None:
    """Let a paused job go on, from now."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.resume_job(job_id, catch_up=catch_up), job_details)


@jobs.command("cancel")
@grouped
def cancel(ctx: typer.Context, job_id: JobId, sure: EndOptions, session: SessionOptions) -> None:
    """End it for good."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_job(job_id),
            job_details,
            lambda job: f"End the job {plain(job['name'])} ({job['job_id']}) for good?",
        ):
            opening.show(opening.client.cancel_job(job_id), job_details)


@jobs.command("trigger")
@grouped
def trigger(
    ctx: typer.Context,
    job_id: JobId,
    asked: TriggerOptions,
    collapse: CollapseOptions,
    waiting: WaitOptions,
    session: SessionOptions,
) -> None:
    """Run it beside its schedule, now or later, with data of its own.

    timegate jobs trigger JOB_ID --merge '{"page": 2}' --delay 15m --tag team=billing

    timegate jobs trigger JOB_ID --collapse 10s
    """
    request: Any = asked.as_json(collapse)
    with opened(ctx, session) as opening:
        key, trace = asked.idempotency_key, opening.surroundings.traceparent
        run = opening.client.trigger_job(job_id, request, idempotency_key=key, traceparent=trace)
        show_started_run(opening, run, waiting)
