"""``timegate dags``, as far as it is about runs."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_dag_runs, complete_event_triggers
from timegate.cli.dag_runs.dag_run_tables import dag_run_details, dag_run_table
from timegate.cli.dag_runs.following_dag_runs import follow_dag_run
from timegate.cli.dags.commands import DagId, dags
from timegate.cli.options.listing_options import RangeOptions
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.values import key_option, parameters_value
from timegate.cli.terminal.watching import WaitOptions, tell_started
from timegate.domain.dag_runs.progress import DagRunStatus

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]

DagRunId = Annotated[str, typer.Argument(metavar="DAG_RUN_ID", autocompletion=complete_dag_runs)]


def asked_of_run(opening: Session, sure: EndOptions, dag_run_id: str, what: str) -> bool:
    """Tell whether to go on with what is to be done to a DAG run."""
    return sure.goes_on(
        opening,
        lambda: opening.client.get_dag_run(dag_run_id),
        dag_run_details,
        lambda run: f"{what} {run['dag_run_id']}, which is {run['status']}?",
    )


@dags.command("run")
@grouped
def run(
    ctx: typer.Context,
    dag_id: DagId,
    waiting: WaitOptions,
    session: SessionOptions,
    parameters: Annotated[
        dict[str, Any] | None,
        typer.Option(
            "--parameters",
            "-p",
            parser=parameters_value,
            metavar="JSON|@FILE|-",
            help="Give the run this object, which references find under parameters.",
        ),
    ] = None,
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key repeat nothing.")
    ] = None,
) -> None:
    """Start a run of a DAG."""
    with opened(ctx, session) as opening:
        started = opening.client.start_dag_run(
            dag_id,
            parameters,
            idempotency_key=idempotency_key,
            traceparent=opening.surroundings.traceparent,
        )
        if waiting.wait:
            tell_started(started["dag_run_id"])
            follow_dag_run(opening, started["dag_run_id"], timeout_seconds=waiting.timeout)
        else:
            opening.show(started, dag_run_details)


@dags.command("runs")
@grouped
def runs(
    ctx: typer.Context,
    dag_id: DagId,
    page: PageOptions,
    within: RangeOptions,
    session: SessionOptions,
    status: Annotated[
        DagRunStatus | None, typer.Option(help="List only DAG runs that stand so.")
    ] = None,
    event_trigger: Annotated[
        str | None,
        typer.Option(
            metavar="TRIGGER",
            autocompletion=complete_event_triggers,
            help="List only DAG runs that an event started by this event trigger.",
        ),
    ] = None,
) -> None:
    """List the runs of a DAG, newest first."""
    with opened(ctx, session) as opening:
        found = page.read(
            opening.client.list_dag_runs,
            dag_id,
            status=status,
            event_trigger=event_trigger,
            **within.as_query(opening.surroundings.now()),
        )
        opening.show(found, dag_run_table)


@dags.command("status")
@grouped
def status(ctx: typer.Context, dag_run_id: DagRunId, session: SessionOptions) -> None:
    """Show a DAG run and how far each of its tasks is."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_dag_run(dag_run_id), dag_run_details)


@dags.command("cancel")
@grouped
def cancel(
    ctx: typer.Context, dag_run_id: DagRunId, sure: EndOptions, session: SessionOptions
) -> None:
    """Start nothing more of a DAG run, and cancel what is under way."""
    with opened(ctx, session) as opening:
        if asked_of_run(opening, sure, dag_run_id, "Cancel the DAG run"):
            opening.show(opening.client.cancel_dag_run(dag_run_id), dag_run_details)


@dags.command("retry")
@grouped
def retry(ctx: typer.Context, dag_run_id: DagRunId, session: SessionOptions) -> None:
    """Run again what failed of a DAG run; what has succeeded stays."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.retry_dag_run(dag_run_id), dag_run_details)
