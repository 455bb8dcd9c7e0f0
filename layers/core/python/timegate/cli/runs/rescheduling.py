"""``timegate runs reschedule``: one run, or all that have not begun and match."""

from datetime import datetime
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.runs.pending_runs import PendingOptions
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import run_details
from timegate.cli.terminal.values import instant_option, seconds_option
from timegate.client import JsonObject
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

reschedules = typer.Typer()


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantOptions:
    """Options that say when runs are to be due."""

    at: Annotated[datetime | None, instant_option(help="Make it due then.")] = None
    delay: Annotated[float | None, seconds_option(help="Make it due so long from now.")] = None
    spread: Annotated[
        float | None,
        seconds_option(help="Spread them over so long from then on, with --pending."),
    ] = None

    def as_request(self, *, many: bool) -> dict[str, Any]:
        """Return the fields of the request; raises ``BadParameter``."""
        if (self.at is None) == (self.delay is None):
            message = "Say --at or --delay: when is it to be due?"
            raise typer.BadParameter(message)
        if self.spread is not None and not many:
            message = "--spread goes with --pending."
            raise typer.BadParameter(message)
        due = {"delay_seconds": self.delay} if self.at is None else {"at": rfc3339(self.at)}
        return due if self.spread is None else due | {"spread_seconds": round(self.spread)}


@reschedules.command("reschedule")
@grouped
def reschedule(
    ctx: typer.Context,
    due: InstantOptions,
    many: PendingOptions,
    start: StartOptions,
    sure: EndOptions,
    session: SessionOptions,
    run_id: Annotated[
        str | None, typer.Argument(metavar="RUN_ID", autocompletion=complete_runs)
    ] = None,
) -> None:
    """Let a run that has not begun be due at another instant; with --pending, all that match.

    timegate runs reschedule --pending --job nightly --delay 2h --spread 10m
    """
    many.check(run_id, start)
    request: Any = due.as_request(many=many.pending)
    with opened(ctx, session) as opening:
        if run_id is None:
            _reschedule_many(opening, request, many, start, sure)
        elif sure.dry_run:
            sure.goes_on(opening, lambda: opening.client.get_run(run_id), run_details, str)
        else:
            opening.show(opening.client.reschedule_run(run_id, request), run_details)


def _reschedule_many(
    opening: Session,
    due: JsonObject,
    many: PendingOptions,
    start: StartOptions,
    sure: EndOptions,
) -> None:
    now = opening.surroundings.now()
    if not many.is_meant(opening, sure, now=now, verb="Reschedule"):
        return
    body: Any = {"filter": many.as_filter(now), **due}
    operation = opening.client.reschedule_runs(body, idempotency_key=start.idempotency_key)
    show_started(opening, operation, start)
