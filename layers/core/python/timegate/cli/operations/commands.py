"""``timegate operations``: long work, and how far it came."""

from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_operations
from timegate.cli.operations.operation_tables import operation_details, operation_table
from timegate.cli.operations.operation_watching import INTERVAL_SECONDS, watch_operation
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import seconds_option
from timegate.domain.operations.operation import OperationKind, OperationStatus

operations = typer.Typer(no_args_is_help=True, help="See how far long work came, and stop it.")

OperationId = Annotated[
    str, typer.Argument(metavar="OPERATION_ID", autocompletion=complete_operations)
]


@operations.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    kind: Annotated[
        OperationKind | None, typer.Option(help="List only those that do this.")
    ] = None,
    status: Annotated[
        OperationStatus | None, typer.Option(help="List only those that stand so.")
    ] = None,
) -> None:
    """List operations, newest first."""
    with opened(ctx, session) as opening:
        found = page.read(opening.client.list_operations, kind=kind, status=status)
        opening.show(found, operation_table)


@operations.command("get")
@grouped
def get(ctx: typer.Context, operation_id: OperationId, session: SessionOptions) -> None:
    """Show an operation."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_operation(operation_id), operation_details)


@operations.command("cancel")
@grouped
def cancel(
    ctx: typer.Context, operation_id: OperationId, sure: EndOptions, session: SessionOptions
) -> None:
    """Let it begin nothing more; what it did stays done."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_operation(operation_id),
            operation_details,
            lambda one: f"Cancel the {one['kind']} {one['operation_id']}?",
        ):
            opening.show(opening.client.cancel_operation(operation_id), operation_details)


@operations.command("watch")
@grouped
def watch(
    ctx: typer.Context,
    operation_id: OperationId,
    session: SessionOptions,
    interval: Annotated[
        float | None, seconds_option(help="Pause so long between two looks; 1 s by default.")
    ] = None,
    timeout: Annotated[float | None, seconds_option(help="Give up after so long.")] = None,
) -> None:
    """Follow an operation until it has ended; exits with 0 if it succeeded, else with 4."""
    with opened(ctx, session) as opening:
        watch_operation(
            opening,
            operation_id,
            timeout_seconds=timeout,
            interval_seconds=INTERVAL_SECONDS if interval is None else interval,
        )
