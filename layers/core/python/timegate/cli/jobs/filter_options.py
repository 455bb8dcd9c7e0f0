"""Options that select jobs, of a listing and of a change of many."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from timegate.cli.completing.words_of_jobs import complete_job_names, complete_tags
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.values import span_option, tag_filters
from timegate.client import JsonObject
from timegate.client.operation import Pages
from timegate.client.schemas import Job, JobPage
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import LastOutcome
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: Rows of a page, where every page is read.
MOST_ROWS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class JobCriteria:
    """Criteria of jobs; each that is given must hold."""

    status: Annotated[JobStatus | None, typer.Option(help="Take jobs that stand so.")] = None
    kind: Annotated[
        ScheduleKind | None, typer.Option(help="Take jobs whose schedule is of this kind.")
    ] = None
    priority: Annotated[Priority | None, typer.Option(help="Take jobs of this priority.")] = None
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_job_names,
            help="Take jobs of this name; nightly* is a beginning.",
        ),
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            autocompletion=complete_tags,
            help="Take what has this tag; may be repeated, and all must match.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FilterOptions(JobCriteria):
    """Options that select jobs to list."""

    last_outcome: Annotated[
        LastOutcome | None, typer.Option(help="Take jobs whose last run failed.")
    ] = None
    due_within: Annotated[
        int | None,
        span_option(
            help="List jobs whose next run is due within so long, the first to run first; reads"
            " every page."
        ),
    ] = None

    def listed(
        self, page: PageOptions, jobs: Pages[..., JobPage, Job], *, now: datetime
    ) -> JsonObject:
        """Read the page, or every job that is due soon; ``now`` is aware.

        Raises ``BadParameter`` for a page of what is due soon: listings have another order.
        """
        selected = {
            "status": self.status,
            "kind": self.kind,
            "priority": self.priority,
            "name": self.name,
            "tag": tag_filters(self.tag),
            "last_outcome": self.last_outcome,
        }
        if self.due_within is None:
            return page.read(jobs, **selected)
        if page != PageOptions():
            message = "it reads every page: --limit, --cursor and --all do not go with it."
            raise typer.BadParameter(message, param_hint="'--due-within'")
        found = PageOptions(limit=MOST_ROWS, everything=True).read(jobs, **selected)
        # A span may reach beyond the last instant that there is.
        left = (datetime.max.replace(tzinfo=UTC) - now) // timedelta(seconds=1)
        until = rfc3339(now + timedelta(seconds=min(self.due_within, left)))
        due = [job for job in found["items"] if job["next_run_at"] and job["next_run_at"] <= until]
        return {**found, "items": sorted(due, key=lambda job: str(job["next_run_at"]))}
