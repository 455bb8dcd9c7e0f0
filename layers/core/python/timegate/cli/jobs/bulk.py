"""``timegate bulk``: the same change of many jobs."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import pairs
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import OperationKind
from timegate.domain.recurrence.schedule import ScheduleKind

bulk = typer.Typer(no_args_is_help=True, help="Pause, resume or cancel every job that matches.")


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectionOptions:
    """Options that select jobs; each criterion that is given must hold."""

    tag: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="May be repeated; all must match.")
    ] = None
    status: Annotated[JobStatus | None, typer.Option()] = None
    kind: Annotated[ScheduleKind | None, typer.Option()] = None
    priority: Annotated[Priority | None, typer.Option()] = None
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="nightly* is the beginning of names.")
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="Every job there is.")] = False

    def as_json(self) -> dict[str, Any]:
        """Return the criteria in the API's form."""
        fields: dict[str, Any] = {
            "tags": pairs(self.tag, "=") if self.tag else None,
            "status": self.status,
            "kind": self.kind,
            "priority": self.priority,
            "name": self.name,
            "all": self.everything or None,
        }
        return {name: value for name, value in fields.items() if value is not None}


@bulk.command("pause")
@grouped
def pause(
    ctx: typer.Context, jobs: SelectionOptions, start: StartOptions, session: SessionOptions
) -> None:
    """Start no runs of them until they are resumed.

    timegate bulk pause --tag team=ops --wait
    """
    _start(ctx, OperationKind.PAUSE, jobs, start, session)


@bulk.command("resume")
@grouped
def resume(
    ctx: typer.Context,
    jobs: SelectionOptions,
    start: StartOptions,
    session: SessionOptions,
    catch_up: Annotated[
        bool, typer.Option("--catch-up", help="Run what passed, as their catch-up policies say.")
    ] = False,
) -> None:
    """Let them go on, from now."""
    _start(ctx, OperationKind.RESUME, jobs, start, session, catch_up=catch_up)


@bulk.command("cancel")
@grouped
def cancel(
    ctx: typer.Context, jobs: SelectionOptions, start: StartOptions, session: SessionOptions
) -> None:
    """End them for good."""
    _start(ctx, OperationKind.CANCEL, jobs, start, session)


def _start(
    ctx: typer.Context,
    kind: OperationKind,
    jobs: SelectionOptions,
    start: StartOptions,
    session: SessionOptions,
    *,
    catch_up: bool = False,
) -> None:
    request: Any = {"kind": kind, "filter": jobs.as_json()}
    if catch_up:
        request["catch_up"] = True
    with opened(ctx, session) as opening:
        started = opening.client.start_operation(request, idempotency_key=start.idempotency_key)
        show_started(opening, started, start)
