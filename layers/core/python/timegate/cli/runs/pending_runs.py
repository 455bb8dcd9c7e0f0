"""Runs that have not begun, as many commands mean them: options, and a dry run."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.completing.words_of_jobs import complete_job_names, complete_tags
from timegate.cli.operations.operation_watching import StartOptions
from timegate.cli.options.job_options import given
from timegate.cli.runs.run_tables import all_runs_table
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.moments import coming_text, moment_option, moment_text
from timegate.cli.terminal.session import Session
from timegate.cli.terminal.values import tag_filters, tags
from timegate.client import JsonObject
from timegate.client.calling import job_filter
from timegate.value_classes import dataclass

#: Runs that a dry run shows; all are counted.
SHOWN = 20
_STATES = ["waiting", "queued"]
#: Span of instants before now, unless --since says otherwise; the API has the same.
_LOOK_BACK = "7d"


@dataclass(frozen=True, kw_only=True, slots=True)
class PendingOptions:
    """Options that say which pending runs are meant."""

    pending: Annotated[
        bool, typer.Option("--pending", help="Take every run that has not begun and matches.")
    ] = False
    job: Annotated[
        str | None,
        typer.Option(
            "--job",
            metavar="JOB_ID",
            autocompletion=complete_jobs,
            help="Take only runs of this job.",
        ),
    ] = None
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_job_names,
            help="Take only jobs of this name; nightly* is a beginning.",
        ),
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", autocompletion=complete_tags, help="Take only jobs with this tag."
        ),
    ] = None
    since: Annotated[
        str | None,
        moment_option(help="Take instants since yesterday, 22:00, 6h; by default 7d."),
    ] = None
    until: Annotated[
        str | None,
        moment_option(help="Take instants until then: now, the next 22:00, 2h from now."),
    ] = None
    every: Annotated[bool, typer.Option("--all", help="Take runs of every job.")] = False

    def check(self, run_id: str | None, start: StartOptions) -> None:
        """Raise ``BadParameter`` unless they mean one run, or the pending ones of named jobs."""
        if self.pending == (run_id is not None):
            message = "Name one run, or say --pending and of which jobs."
            raise typer.BadParameter(message)
        if run_id is not None and (self != PendingOptions() or start.wait):
            message = "Criteria and --wait go with --pending."
            raise typer.BadParameter(message)
        if self.pending and not (self.job or self.name or self.tag or self.every):
            message = "Say of which jobs: --job, --name or --tag, or --all."
            raise typer.BadParameter(message)

    def as_filter(self, now: datetime) -> dict[str, Any]:
        """Return the filter of the operation; ``now`` is aware."""
        return given(
            {
                "job_id": job_filter(self.job),
                "name": self.name,
                "tags": tags(self.tag),
                "from": moment_text(self.since, now),
                "to": coming_text(self.until, now),
                "all": True if self.every else None,
            }
        )

    def is_meant(self, opening: Session, sure: EndOptions, *, now: datetime, verb: str) -> bool:
        """Show the runs, or ask of their number; tells whether to go on. Raises ``Abort``."""
        return sure.goes_on(
            opening,
            lambda: _preview(opening, self, now),
            _preview_table,
            lambda found: f"{verb} {found['matched']} runs that have not begun?",
        )


def _preview(opening: Session, many: PendingOptions, now: datetime) -> JsonObject:
    """Read the runs that are meant now, job by job: all are counted, some are shown."""
    rows = [row for job in _jobs(opening, many) for row in _pending(opening, job, many, now)]
    return {"dry_run": True, "matched": len(rows), "items": rows[:SHOWN], "next_cursor": None}


def _jobs(opening: Session, many: PendingOptions) -> Iterator[str]:
    if many.job is not None:
        yield many.job
        return
    wanted = tag_filters(many.tag)
    jobs = opening.client.list_jobs.iterate(name=many.name, tag=wanted, limit=100)
    yield from (job["job_id"] for job in jobs)


def _pending(
    opening: Session, job: str, many: PendingOptions, now: datetime
) -> Iterator[JsonObject]:
    start, end = moment_text(many.since or _LOOK_BACK, now), coming_text(many.until, now)
    yield from opening.client.list_all_runs.iterate(
        which="all", state=_STATES, job_id=job, start=start, end=end, limit=100
    )


def _preview_table(found: JsonObject) -> RenderableType:
    count = found["matched"]
    words = "1 run has not begun." if count == 1 else f"{count} runs have not begun."
    return Group(all_runs_table(found), Text(), Text(words))
