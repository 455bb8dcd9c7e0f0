"""``timegate schedule``: what a schedule would do. Computed here; no stage is asked."""

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from timegate.cli.option_groups import grouped
from timegate.cli.schedule_options import ScheduleOptions
from timegate.cli.session import JsonOption, show, surroundings
from timegate.cli.values import instant
from timegate.domain.instants import MILLISECOND, rfc3339, to_milliseconds
from timegate.domain.recurrence import describe, preview, validate_schedule
from timegate.domain.schedule import Schedule, ScheduleKind

schedules = typer.Typer(no_args_is_help=True, help="See what a schedule would do.")

MAX_FIRES = 10_000


@schedules.callback()
def schedule_commands() -> None:
    """Without a callback, typer would drop the name of a lone command."""


@schedules.command("preview")
@grouped
def show_preview(
    ctx: typer.Context,
    options: ScheduleOptions,
    start: Annotated[
        datetime | None,
        typer.Option(
            "--from", parser=instant, metavar="INSTANT", help="As if created then; now without."
        ),
    ] = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=MAX_FIRES, metavar="N")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show when a job with this schedule would run. Works offline, without a profile."""
    schedule = options.as_schedule()
    begin = start or to_milliseconds(surroundings(ctx).now())
    fires = fires_from(schedule, begin, count)
    value = {
        "fires": [rfc3339(fire) for fire in fires],
        "description": describe(schedule),
    }
    show(value, lambda _: _drawn(schedule, fires, count), as_json=as_json)


def fires_from(schedule: Schedule, start: datetime, count: int) -> list[datetime]:
    """What a job created at ``start`` would do, as the API previews it; raises ``InvalidInput``.

    A schedule that runs once may name ``start`` itself, one that recurs not.
    """
    validate_schedule(schedule, now=start)
    after = start if schedule.is_recurring else start - MILLISECOND
    return preview(schedule, created_at=start, after=after, count=count)


def _drawn(schedule: Schedule, fires: list[datetime], count: int) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", _zone_name(schedule), "UTC"):
        table.add_column(heading, no_wrap=True)
    for number, fire in enumerate(fires, start=1):
        table.add_row(str(number), _local(schedule, fire), rfc3339(fire))
    # A schedule that runs once ends by its nature.
    ends = ["Then it ends."] if schedule.is_recurring and len(fires) < count else []
    return Group(describe(schedule), "", table, *ends)


def _zone_name(schedule: Schedule) -> str:
    return schedule.timezone if schedule.kind is ScheduleKind.CRON else "local"


def _local(schedule: Schedule, fire: datetime) -> str:
    """On the wall clock the pattern is read on; without a pattern, on this machine's."""
    zone = ZoneInfo(schedule.timezone) if schedule.kind is ScheduleKind.CRON else None
    local = fire.astimezone(zone)
    precision = "milliseconds" if local.microsecond else "seconds"
    return f"{local:%a} {local.isoformat(' ', precision)} {local:%Z}"
