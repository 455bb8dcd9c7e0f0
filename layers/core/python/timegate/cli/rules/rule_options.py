"""The options that say of which jobs a rule tells whom what."""

import re
from typing import Annotated, Any

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.completing.words_of_jobs import complete_job_names, complete_tags
from timegate.cli.options.calendar_options import window_of
from timegate.cli.options.channel_options import channel
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import document_option, span_option, tags
from timegate.client.calling import job_filter
from timegate.value_classes import dataclass

_WHOM = "Whom"
_WINDOW = re.compile(r"(?:(?P<days>[a-z,]+)\s+)?(?P<opens>\d\d:\d\d)-(?P<closes>\d\d:\d\d)")


@option_group("Jobs")
class RuleSelectionOptions:
    """Options of the jobs that a rule is about."""

    job: Annotated[
        str | None,
        typer.Option(metavar="JOB_ID", autocompletion=complete_jobs, help="Take only this job."),
    ] = None
    job_name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_job_names,
            help="Take only jobs of this name; nightly* for more.",
        ),
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            autocompletion=complete_tags,
            help="Take only jobs with this tag. May be repeated.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the selection in the API's form."""
        name, wanted = self.job_name, tags(self.tag)
        jobs = given({"job_id": job_filter(self.job), "name": name, "tags": wanted})
        return given({"jobs": jobs or None})


@option_group("When")
class WhenOptions:
    """Options of a rule's conditions."""

    failures: Annotated[
        int | None,
        typer.Option(metavar="N", help="Tell when so many runs of a job failed in a row."),
    ] = None
    dead_letter: Annotated[
        bool, typer.Option("--dead-letter", help="Tell when a run was given up.")
    ] = False
    quota_refused: Annotated[
        bool, typer.Option("--quota-refused", help="Tell when a quota refused a run.")
    ] = False
    late_after: Annotated[
        int | None, span_option(help="Tell when a run waits so long after it was due: 10m.")
    ] = None
    absent_for: Annotated[
        int | None, span_option(help="Tell when no run has succeeded for so long: 26h.")
    ] = None
    absent: Annotated[
        bool,
        typer.Option(
            "--absent",
            help="Tell when no run of a job has succeeded for as long as the job says"
            " (absent_after_seconds).",
        ),
    ] = False
    absent_at: Annotated[
        str | None,
        typer.Option(
            metavar="HH:MM", help="Judge --absent-for or --absent once a day at this time."
        ),
    ] = None
    recovered: Annotated[
        bool,
        typer.Option("--recovered", help="Tell of the success that ends such a streak as well."),
    ] = False

    def as_json(self, timezone: str | None) -> dict[str, object]:
        """Return the conditions in the API's form."""
        if self.absent and self.absent_for is not None:
            message = "--absent-for says for how long, in the place of each job."
            raise typer.BadParameter(message, param_hint="'--absent'")
        if self.absent_at is not None and self.absent_for is None and not self.absent:
            message = "it says when --absent-for or --absent is judged."
            raise typer.BadParameter(message, param_hint="'--absent-at'")
        zone = timezone if self.absent_at is not None else None
        absent = given({"for_seconds": self.absent_for, "at": self.absent_at, "timezone": zone})
        when = given(
            {
                "failures_in_a_row": self.failures,
                "dead_letter": self.dead_letter or None,
                "quota_refused": self.quota_refused or None,
                "late_after_seconds": self.late_after,
                "absent": absent if self.absent else absent or None,
                "recovered": self.recovered or None,
            }
        )
        return given({"when": when or None})


@dataclass(frozen=True, kw_only=True, slots=True)
class WhomOptions:
    """Options of a rule's channels, and of the rule as a whole."""

    tell: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL|sns:ARN|slack:SECRET|teams:SECRET|eventbridge:ARN",
            help="Tell this web hook, topic, chat by the secret that has its address, or bus. May"
            " be repeated.",
            rich_help_panel=_WHOM,
        ),
    ] = None
    sign_with: Annotated[
        str | None,
        typer.Option(
            metavar="SECRET",
            help="Sign what is told with the keys of this secret.",
            rich_help_panel=_WHOM,
        ),
    ] = None
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Tag the rule itself with this. May be repeated.",
            rich_help_panel=_WHOM,
        ),
    ] = None
    quiet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[DAYS ]HH:MM-HH:MM",
            help="Hold messages back, as 'mon,fri 22:00-07:00', and tell them in one then.",
            rich_help_panel=_WHOM,
        ),
    ] = None
    timezone: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_zones,
            help="Read --quiet and --absent-at in this zone; UTC by default.",
            rich_help_panel=_WHOM,
        ),
    ] = None
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Describe the rule for people.")
    ] = None
    disabled: Annotated[
        bool, typer.Option("--disabled", help="Keep the rule, and tell of nothing.")
    ] = False
    file: Annotated[
        Any, document_option("--file", "-f", help="Read the whole rule, as JSON or YAML.")
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the channels, and the rest, in the API's form."""
        channels = [
            channel(text, sign_with=self.sign_with, option="--tell") for text in self.tell or ()
        ]
        windows = [_window(text) for text in self.quiet or ()]
        quiet = given({"timezone": self.timezone, "windows": windows}) if windows else None
        return given(
            {
                "description": self.description,
                "enabled": False if self.disabled else None,
                "channels": channels or None,
                "quiet_hours": quiet,
                "tags": tags(self.label, option="--label"),
            }
        )


def rule_body(jobs: RuleSelectionOptions, when: WhenOptions, whom: WhomOptions) -> Any:  # noqa: ANN401
    """Return the rule in the API's form, any JSON if it comes from a file."""
    said = {**jobs.as_json(), **when.as_json(whom.timezone), **whom.as_json()}
    if whom.file is None:
        return said
    if said:
        message = "it is the whole rule; no other option about it goes with it."
        raise typer.BadParameter(message, param_hint="'--file'")
    return whom.file


def _window(text: str) -> dict[str, object]:
    match = _WINDOW.fullmatch(text)
    if match is None:
        message = f"{text!r} is no window; write 22:00-07:00 or 'mon,fri 22:00-07:00'."
        raise typer.BadParameter(message, param_hint="'--quiet'")
    return window_of(match)
