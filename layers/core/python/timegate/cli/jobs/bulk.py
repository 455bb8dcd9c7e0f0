"""``timegate bulk``: the same change of many jobs."""

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType

from timegate.cli.jobs.filter_options import JobCriteria
from timegate.cli.operations.operation_watching import StartOptions, show_started
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import job_table
from timegate.cli.terminal.values import tags
from timegate.client import JsonObject
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import OperationKind
from timegate.value_classes import dataclass

#: Rows that a dry run shows; it counts all.
SHOWN = 20
#: Jobs that a bulk change leaves as they are; a cancel ends completed jobs too.
_LEFT = {
    OperationKind.PAUSE: {JobStatus.CANCELLED, JobStatus.COMPLETED},
    OperationKind.RESUME: {JobStatus.CANCELLED, JobStatus.COMPLETED},
    OperationKind.CANCEL: {JobStatus.CANCELLED},
}

bulk = typer.Typer(no_args_is_help=True, help="Pause, resume or cancel every job that matches.")


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectionOptions(JobCriteria):
    """Options that select jobs; each criterion that is given must hold."""

    everything: Annotated[bool, typer.Option("--all", help="Take every job there is.")] = False

    def as_json(self) -> dict[str, Any]:
        """Return the criteria in the API's form."""
        fields: dict[str, Any] = {
            "tags": tags(self.tag),
            "status": self.status,
            "kind": self.kind,
            "priority": self.priority,
            "name": self.name,
            "all": self.everything or None,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, kw_only=True, slots=True)
class BulkOptions:
    """The option of looking first."""

    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show which jobs match, and do nothing.")
    ] = False


@bulk.command("pause")
@grouped
def pause(
    ctx: typer.Context,
    jobs: SelectionOptions,
    start: StartOptions,
    bulk_options: BulkOptions,
    sure: YesOption,
    session: SessionOptions,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Say why; shown until they go on.")
    ] = None,
) -> None:
    """Start no runs of them until they are resumed.

    timegate bulk pause --tag team=ops --reason "The ledger moves." --wait
    """
    more = {} if reason is None else {"reason": reason}
    with opened(ctx, session) as opening:
        _start(opening, OperationKind.PAUSE, jobs, start, bulk_options, sure, **more)


@bulk.command("resume")
@grouped
def resume(
    ctx: typer.Context,
    jobs: SelectionOptions,
    start: StartOptions,
    bulk_options: BulkOptions,
    sure: YesOption,
    session: SessionOptions,
    catch_up: Annotated[
        bool, typer.Option("--catch-up", help="Run what passed, as their catch-up policies say.")
    ] = False,
) -> None:
    """Let them go on, from now."""
    more = {"catch_up": True} if catch_up else {}
    with opened(ctx, session) as opening:
        _start(opening, OperationKind.RESUME, jobs, start, bulk_options, sure, **more)


@bulk.command("cancel")
@grouped
def cancel(
    ctx: typer.Context,
    jobs: SelectionOptions,
    start: StartOptions,
    bulk_options: BulkOptions,
    sure: YesOption,
    session: SessionOptions,
) -> None:
    """End them for good."""
    with opened(ctx, session) as opening:
        _start(opening, OperationKind.CANCEL, jobs, start, bulk_options, sure)


def _start(
    opening: Session,
    kind: OperationKind,
    jobs: SelectionOptions,
    start: StartOptions,
    terms: BulkOptions,
    sure: YesOption,
    **more: object,
) -> None:
    request: Any = {"kind": kind, "filter": jobs.as_json(), **more}
    if terms.dry_run:
        opening.show(_preview(opening, kind, jobs), _preview_table)
        return
    sure.agree(lambda: f"{str(kind).title()} {_preview(opening, kind, jobs)['matched']} jobs?")
    started = opening.client.start_operation(request, idempotency_key=start.idempotency_key)
    show_started(opening, started, start)


def _preview(opening: Session, kind: OperationKind, jobs: SelectionOptions) -> JsonObject:
    """Read the jobs that match now: all are counted, the newest are shown."""
    if not jobs.as_json():
        message = "Say which jobs are meant, or --all."
        raise typer.BadParameter(message)
    wanted = {name: each for name, each in jobs.as_json().items() if name not in {"all", "tags"}}
    tags = [f"{name}:{value}" for name, value in (jobs.as_json().get("tags") or {}).items()]
    rows = [
        row
        for row in opening.client.list_jobs.iterate(limit=100, tag=tags or None, **wanted)
        if row["status"] not in _LEFT[kind]
    ]
    return {"dry_run": True, "matched": len(rows), "first": rows[:SHOWN]}


def _preview_table(preview: JsonObject) -> RenderableType:
    shown = job_table({"items": preview["first"], "next_cursor": None})
    left = preview["matched"] - len(preview["first"])
    more = f", and {left} more" if left else ""
    return Group(shown, f"{preview['matched']} jobs match{more}. Nothing was changed.")
