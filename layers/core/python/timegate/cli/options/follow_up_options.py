"""The options that say which jobs follow a job."""

from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_followers
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group
from timegate.client.calling import job_reference
from timegate.domain.jobs.follow_up import Ending, Given


@option_group("Follow-up jobs")
class FollowUpOptions:
    """Jobs that follow, all after the same ends."""

    then: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOB|Job/NAME|Dag/NAME",
            autocompletion=complete_followers,
            help="Run this job or DAG once a run has ended. May be repeated.",
        ),
    ] = None
    then_on: Annotated[
        list[Ending] | None,
        typer.Option(help="Run it after these ends; by default succeeded. May be repeated."),
    ] = None
    then_payload: Annotated[
        Given | None,
        typer.Option(help="Give it its own payload, that of the run before, or how that ended."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the follow-ups in the API's form."""
        if not self.then and (self.then_on or self.then_payload):
            message = "it says how jobs follow, and --then says which."
            raise typer.BadParameter(message, param_hint="'--then-on'")
        on = list(self.then_on or [Ending.SUCCEEDED])
        follow_ups = [
            given({"job_id": job_reference(job_id), "on": on, "payload": self.then_payload})
            for job_id in self.then or ()
        ]
        return given({"then": follow_ups or None})
