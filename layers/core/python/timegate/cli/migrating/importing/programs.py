"""Imports of programs that run commands or containers."""

from functools import partial

import typer

from timegate.cli.migrating.celery.beat import each_beat_entry
from timegate.cli.migrating.celery.tasks import fields_of_beat_entry
from timegate.cli.migrating.convert import FaithfulOption, SystemOption, TimezoneOption
from timegate.cli.migrating.cron.crontab import read_crontab
from timegate.cli.migrating.dkron.executors import fields_of_dkron_job
from timegate.cli.migrating.dkron.families import with_known_followers
from timegate.cli.migrating.dkron.jobs import each_dkron_job
from timegate.cli.migrating.entries import ScheduleEntry
from timegate.cli.migrating.importing.arguments import FileArgument, now_of
from timegate.cli.migrating.importing.templates import (
    ImportedActionOptions,
    action_of_command,
    is_given,
    template_of,
)
from timegate.cli.migrating.kubernetes.cron_jobs import each_cron_job
from timegate.cli.migrating.kubernetes.targets import fields_of_cron_job
from timegate.cli.migrating.manifest import Imported, finish, with_fields
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions
from timegate.cli.terminal.values import file_text
from timegate.domain.recurrence.zones.zone_clock import load_zone


@grouped
def import_crontab(
    ctx: typer.Context,
    file: FileArgument,
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
    template = template_of(what)
    _check_zone(timezone)
    reads = read_crontab(file_text(file), timezone=timezone, system=system)
    found: list[Imported] = [
        (read, action_of_command(read, template, what.payload))
        if isinstance(read, ScheduleEntry)
        else (read, {})
        for read in reads
    ]
    finish(found, keep=faithful, now=now_of(ctx), output=output.format)


@grouped
def import_kubernetes(
    ctx: typer.Context,
    file: FileArgument,
    what: ImportedActionOptions,
    timezone: TimezoneOption = None,
    faithful: FaithfulOption = False,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each CronJob of kubectl get cronjobs -A -o json, or of YAML. Works offline.

    timegate import kubernetes cronjobs.yaml --pool containers > jobs.yaml
    """
    template = template_of(what)
    _check_zone(timezone)
    found = [
        with_fields(read, partial(fields_of_cron_job, each, template, what.payload))
        for each, read in each_cron_job(file_text(file), timezone=timezone)
    ]
    finish(found, keep=faithful, now=now_of(ctx), output=output.format)


@grouped
def import_dkron(
    ctx: typer.Context,
    file: FileArgument,
    what: ImportedActionOptions,
    timezone: TimezoneOption = None,
    faithful: FaithfulOption = False,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each of dkron's GET /v1/jobs. Works offline.

    A request becomes a web hook; a command needs a pool or an action.

    timegate import dkron jobs.json --pool shell > jobs.yaml
    """
    template = template_of(what) if is_given(what) else None
    _check_zone(timezone)
    found = [
        with_fields(read, partial(fields_of_dkron_job, job, template, what.payload))
        for job, read in each_dkron_job(file_text(file), timezone=timezone)
    ]
    finish(with_known_followers(found), keep=faithful, now=now_of(ctx), output=output.format)


@grouped
def import_celery(
    ctx: typer.Context,
    file: FileArgument,
    what: ImportedActionOptions,
    timezone: TimezoneOption = None,
    *,
    output: OutputOptions,
) -> None:
    """Write a job for each entry of a beat_schedule in JSON. Works offline.

    The handler of a pool is the task, unless --handler names another one.

    timegate import celery beat.json --pool celery > jobs.yaml
    """
    template = template_of(what, handler="{task}")
    _check_zone(timezone)
    found = [
        with_fields(read, partial(fields_of_beat_entry, entry, template, what.payload))
        for entry, read in each_beat_entry(file_text(file), timezone=timezone)
    ]
    finish(found, keep=False, now=now_of(ctx), output=output.format)


def _check_zone(timezone: str | None) -> None:
    if timezone is not None:
        load_zone(timezone)
