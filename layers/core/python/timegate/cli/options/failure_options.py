"""The options that say which runs of all jobs are meant, and since when."""

from datetime import datetime
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import (
    complete_dag_runs,
    complete_event_triggers,
    complete_jobs,
)
from timegate.cli.completing.words_of_jobs import complete_errors, complete_job_names, complete_tags
from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.cli.terminal.values import span_option, tag_filters
from timegate.domain.runs.run import Reason, RunState
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FailureOptions:
    """Options that select runs of all jobs; each criterion that is given must hold."""

    since: Annotated[
        str | None,
        moment_option(
            help="Take what is since yesterday, today, 22:00, 6h ago (6h) or an instant."
        ),
    ] = None
    until: Annotated[
        str | None, moment_option(help="Take what is until then: now, or as for --since.")
    ] = None
    state: Annotated[list[RunState] | None, typer.Option(help="Take only runs that stand so.")] = (
        None
    )
    reason: Annotated[
        Reason | None, typer.Option(help="Take only runs that ended for this reason.")
    ] = None
    error_code: Annotated[
        str | None,
        typer.Option(
            "--error-code",
            metavar="CODE",
            autocompletion=complete_errors,
            help="Take only runs whose last attempt had this error.",
        ),
    ] = None
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
            help="Take only runs of jobs of this name; nightly* is a beginning.",
        ),
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            autocompletion=complete_tags,
            help="Take only runs with this tag, or whose job has it.",
        ),
    ] = None
    dag_run: Annotated[
        str | None,
        typer.Option(
            "--dag-run",
            metavar="DAG_RUN_ID",
            autocompletion=complete_dag_runs,
            help="Take only tasks of this DAG run.",
        ),
    ] = None

    event_trigger: Annotated[
        str | None,
        typer.Option(
            metavar="TRIGGER",
            autocompletion=complete_event_triggers,
            help="Take only runs that an event started by this event trigger.",
        ),
    ] = None

    late: Annotated[
        int | None,
        span_option(help="Take only runs that began, or wait, longer than so after they were due."),
    ] = None

    def as_query(self, now: datetime) -> dict[str, Any]:
        """Return the criteria in the form of the client's listing; ``now`` is aware."""
        return {
            "state": self.state,
            "reason": self.reason,
            "error_code": self.error_code,
            "job_id": self.job,
            "name": self.name,
            "tag": tag_filters(self.tag),
            "dag_run_id": self.dag_run,
            "event_trigger": self.event_trigger,
            "late_seconds": self.late,
            "start": moment_text(self.since, now),
            "end": moment_text(self.until, now),
        }
