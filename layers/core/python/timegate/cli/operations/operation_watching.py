"""Following an operation until it has ended."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.live import Live

from timegate.cli.operations.operation_tables import operation_details, operation_progress
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED, say_error
from timegate.cli.terminal.session import Session, drawn, terminal
from timegate.cli.terminal.values import key_option
from timegate.cli.terminal.watching import Patience, WaitOptions
from timegate.client import JsonObject
from timegate.value_classes import dataclass

#: Between two looks at an operation.
INTERVAL_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class StartOptions(WaitOptions):
    """Options of starting an operation and following it."""

    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key repeat nothing.")
    ] = None


def show_started(opening: Session, operation: JsonObject, options: StartOptions) -> None:
    """Print what was started, or follow it to its end."""
    if options.wait:
        watch_operation(opening, operation["operation_id"], timeout_seconds=options.timeout)
    else:
        opening.show(operation, operation_details)


def watch_operation(
    opening: Session,
    operation_id: str,
    *,
    timeout_seconds: float | None,
    interval_seconds: float = INTERVAL_SECONDS,
) -> None:
    """Show an operation until it has ended; exits with 4 unless it succeeded."""
    patience = Patience.of(opening, timeout_seconds, interval_seconds)
    last = _look_on(opening, operation_id, patience)
    opening.show(last, operation_details)
    if last["ended_at"] is None:
        say_error("not_ended", f"{operation_id} has not ended within {timeout_seconds} s.")
    # Its module loads what jobs are made of, and most commands watch no operation.
    from timegate.domain.operations.operation import OperationStatus  # noqa: PLC0415

    if last["status"] != OperationStatus.SUCCEEDED:
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _look_on(opening: Session, operation_id: str, patience: Patience) -> JsonObject:
    looks = _looks(opening, operation_id, patience)
    last = next(looks)
    console = terminal()
    if opening.wants_data or not console.is_terminal:
        return [last, *looks][-1]
    with Live(console=console, auto_refresh=False, transient=True) as live:
        live.update(drawn(last, operation_progress), refresh=True)
        for last in looks:
            live.update(drawn(last, operation_progress), refresh=True)
    return last


def _looks(opening: Session, operation_id: str, patience: Patience) -> Iterator[JsonObject]:
    """The operation as it is at each look, ended last; at least one."""
    while True:
        operation = opening.client.get_operation(operation_id)
        yield operation
        if operation["ended_at"] is not None or not patience.wait():
            return
