"""``timegate import``: manifests from what other programs run."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from timegate.cli.migrating.aws.eventbridge import RULE, described_schedules, read_described
from timegate.cli.migrating.aws.targets import fields_of_target
from timegate.cli.migrating.convert import FaithfulOption
from timegate.cli.migrating.entries import (
    ScheduleEntry,
    UniqueNames,
    part_of,
)
from timegate.cli.migrating.github.dispatches import DispatchOptions, fields_of_dispatch
from timegate.cli.migrating.github.workflows import read_workflow, schedules_of
from timegate.cli.migrating.google.jobs import described_jobs, read_job
from timegate.cli.migrating.google.targets import fields_of_job
from timegate.cli.migrating.importing.arguments import FileArgument, now_of
from timegate.cli.migrating.importing.programs import (
    import_celery,
    import_crontab,
    import_dkron,
    import_kubernetes,
)
from timegate.cli.migrating.manifest import Imported, finish, with_fields
from timegate.cli.reading.json_objects import Described
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions
from timegate.cli.terminal.values import file_text
from timegate.domain.values.errors import InvalidInput

imports = typer.Typer(
    no_args_is_help=True, help="Write manifests for timegate apply from other programs' files."
)


imports.command("crontab")(import_crontab)
imports.command("kubernetes")(import_kubernetes)
imports.command("dkron")(import_dkron)
imports.command("celery")(import_celery)


@imports.command("eventbridge")
@grouped
def import_eventbridge(
    ctx: typer.Context,
    file: FileArgument,
    faithful: FaithfulOption = False,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each schedule of aws scheduler get-schedule, and each rule. Works offline.

    A rule is what aws events describe-rule prints, with its list-targets-by-rule behind it.

    timegate import eventbridge schedules.json > jobs.yaml
    """
    names = UniqueNames()
    found = [_with_target(described, names) for described in described_schedules(file_text(file))]
    finish(found, keep=faithful, now=now_of(ctx), output=output.format)


def _with_target(described: Described, names: UniqueNames) -> Imported:
    """Read a schedule and its target."""
    given = described[1]
    read, fields = with_fields(
        read_described(described, names), lambda: fields_of_target(_target(given))
    )
    if isinstance(read, ScheduleEntry) and (description := given.get("Description")):
        fields["description"] = str(description)
    return read, fields


def _target(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the target of a schedule or rule; raises ``InvalidInput`` for a rule without one."""
    if RULE in given and "Target" not in given:
        detail = "describe-rule leaves out the targets: give list-targets-by-rule behind the rule."
        raise InvalidInput("target", "no_target", detail)
    return part_of(given, "Target")


@imports.command("google")
@grouped
def import_google(
    ctx: typer.Context,
    file: FileArgument,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each of gcloud scheduler jobs list --format=json. Works offline.

    timegate import google jobs.json > jobs.yaml
    """
    names = UniqueNames()
    found = [
        with_fields(read_job(described, names), partial(fields_of_job, described[1]))
        for described in described_jobs(file_text(file))
    ]
    finish(found, keep=False, now=now_of(ctx), output=output.format)


@imports.command("github")
@grouped
def import_github(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Read these workflows.")],
    what: DispatchOptions,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each schedule of workflows of GitHub Actions. Works offline.

    A job starts its workflow by a request to GitHub, which knows it by the name of its file.

    timegate import github .github/workflows/*.yml --repository acme/app > jobs.yaml
    """
    if "-" in files:
        message = "Name the file: GitHub knows a workflow by it."
        raise typer.BadParameter(message)
    names = UniqueNames()
    found: list[Imported] = []
    for file in files:
        name = Path(file).name
        workflow = read_workflow(file_text(file), name)
        fields = partial(fields_of_dispatch, workflow, name, what)
        found += [with_fields(read, fields) for read in schedules_of(workflow, names)]
    finish(found, keep=False, now=now_of(ctx), output=output.format)
