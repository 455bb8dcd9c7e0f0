"""``timegate import``: manifests from what other programs run."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from timegate.cli.migrating.actions import action_of_command, fields_of_target
from timegate.cli.migrating.aws.eventbridge import RULE, described_schedules, read_described
from timegate.cli.migrating.convert import FaithfulOption, SystemOption, TimezoneOption
from timegate.cli.migrating.cron.crontab import read_crontab
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    UnconvertedEntry,
    UniqueNames,
    part_of,
)
from timegate.cli.migrating.github.dispatches import DispatchOptions, fields_of_dispatch
from timegate.cli.migrating.github.workflows import read_workflow, schedules_of
from timegate.cli.migrating.google.jobs import described_jobs, read_job
from timegate.cli.migrating.google.targets import fields_of_job
from timegate.cli.migrating.manifest import Document, Imported, finish
from timegate.cli.reading.json_objects import Described
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, surroundings
from timegate.cli.terminal.values import file_text, present_json
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import to_milliseconds
from timegate.value_classes import dataclass

imports = typer.Typer(
    no_args_is_help=True, help="Write manifests for timegate apply from other programs' files."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedActionOptions:
    """Actions that commands become."""

    action_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Give each command to this web hook.")
    ] = None
    action: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE",
            help="Take any action; {command}, {name} and {user} stand for those of the line.",
        ),
    ] = None
    payload: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE",
            help="Give this as payload, written as --action; by default command and environment.",
        ),
    ] = None


@imports.command("crontab")
@grouped
def import_crontab(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Read this file; - is standard input.")
    ],
    what: ImportedActionOptions,
    timezone: TimezoneOption = None,
    system: SystemOption = False,
    faithful: FaithfulOption = False,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each line of a crontab. Comments become names. Works offline.

    timegate import crontab /etc/crontab --system --action-url https://example.com/run > jobs.yaml
    """
    template = _template(what)
    if timezone is not None:
        load_zone(timezone)
    reads = read_crontab(file_text(file), timezone=timezone, system=system)
    found: list[Imported] = [
        (read, action_of_command(read, template, what.payload))
        if isinstance(read, ScheduleEntry)
        else (read, {})
        for read in reads
    ]
    finish(found, keep=faithful, now=_now(ctx), output=output.format)


def _now(ctx: typer.Context) -> datetime:
    return to_milliseconds(surroundings(ctx).now())


def _template(what: ImportedActionOptions) -> dict[str, Any]:
    action = what.action
    if (what.action_url is None) == (action is None):
        message = "Say what runs, by one of --action-url and --action."
        raise typer.BadParameter(message)
    if what.action_url is not None:
        return {"type": "webhook", "url": what.action_url}
    if not isinstance(action, dict) or "type" not in action:
        message = "--action is an object with a type, such as webhook, lambda, sqs or worker."
        raise typer.BadParameter(message)
    return action


@imports.command("eventbridge")
@grouped
def import_eventbridge(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Read this file; - is standard input.")
    ],
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
    finish(found, keep=faithful, now=_now(ctx), output=output.format)


def _with_target(described: Described, names: UniqueNames) -> Imported:
    """Read a schedule and its target."""
    given = described[1]
    read, fields = _with_fields(
        read_described(described, names), lambda: fields_of_target(_target(given))
    )
    if isinstance(read, ScheduleEntry) and (description := given.get("Description")):
        fields["description"] = str(description)
    return read, fields


def _with_fields(
    read: Read, map_target: Callable[[], tuple[Document, tuple[Note, ...]]]
) -> Imported:
    """Return a schedule with the notes of its target, and the fields that this becomes."""
    if isinstance(read, UnconvertedEntry):
        return read, {}
    try:
        fields, notes = map_target()
    except InvalidInput as refused:
        wrong = UnconvertedEntry(
            name=read.name, line=read.line, text=read.text, code=refused.code, detail=refused.detail
        )
        return wrong, {}
    return replace(read, notes=(*read.notes, *notes)), fields


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
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Read this file; - is standard input.")
    ],
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each of gcloud scheduler jobs list --format=json. Works offline.

    timegate import google jobs.json > jobs.yaml
    """
    names = UniqueNames()
    found = [
        _with_fields(read_job(described, names), partial(fields_of_job, described[1]))
        for described in described_jobs(file_text(file))
    ]
    finish(found, keep=False, now=_now(ctx), output=output.format)


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
        found += [_with_fields(read, fields) for read in schedules_of(workflow, names)]
    finish(found, keep=False, now=_now(ctx), output=output.format)
