"""Options that select jobs, of a listing and of a change of many."""

from typing import Annotated

import typer

from timegate.cli.completing.words_of_jobs import complete_job_names, complete_tags
from timegate.cli.terminal.values import tag_filters
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import LastOutcome
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.value_classes import dataclass


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

    def tags(self) -> list[str] | None:
        """Return the tags in the API's form, which has another separator."""
        return tag_filters(self.tag)
