"""``timegate schedule``: what a schedule would do. Computed here, unless a calendar is asked."""

from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer
from rich.console import Group, RenderableType

from timegate.cli.migrating.convert import convert
from timegate.cli.options.calendar_options import CalendarRuleOptions
from timegate.cli.options.schedule_options import ScheduleOptions
from timegate.cli.previews.schedule_files import asked_schedule
from timegate.cli.showing.grids import Grid
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened, show, surroundings
from timegate.cli.terminal.values import instant_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.planning.movable_end import MovableEnd, movable_end
from timegate.domain.recurrence.clock_notes import next_clock_changes
from timegate.domain.recurrence.fires import next_fire, preview
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.instants import MILLISECOND, rfc3339, to_milliseconds

schedules = typer.Typer(no_args_is_help=True, help="See what a schedule would do.")

schedules.command("convert")(convert)

MAX_FIRES = 10_000


SchedulePath = Annotated[
    str | None,
    typer.Option(
        *("-f", "--file"),
        metavar="PATH|-",
        help="Read a schedule of any kind, or schedule and calendars, as YAML or JSON.",
    ),
]


@schedules.command("preview")
@grouped
def show_preview(
    ctx: typer.Context,
    options: ScheduleOptions,
    calendars: CalendarRuleOptions,
    start: Annotated[
        datetime | None,
        instant_option("--from", help="Take the job for created then; by default now."),
    ] = None,
    path: SchedulePath = None,
    count: Annotated[
        int,
        typer.Option(
            "-n", "--count", min=1, max=MAX_FIRES, metavar="N", help="Show so many instants."
        ),
    ] = 10,
    *,
    session: SessionOptions,
) -> None:
    """Show when a job with this schedule would run. Without calendars it works offline."""
    asked = asked_schedule(path, options, calendars)
    schedule = asked.schedule
    begin = start or to_milliseconds(surroundings(ctx).now())
    if asked.rules:
        with opened(ctx, session) as opening:
            wanted: Any = {"schedule": asked.as_json, "from": rfc3339(begin), "count": count}
            value: JsonObject = opening.client.preview_schedule(wanted | asked.rules)
    else:
        value = _computed(schedule, fires_from(schedule, begin, count), begin)
    show(value, lambda it: _drawn(schedule, it, count), output=session.format)


def _computed(schedule: Schedule, fires: list[datetime], begin: datetime) -> JsonObject:
    named = [rfc3339(fire) for fire in fires]
    end = _end(schedule, fires, begin)
    return {
        "fires": named,
        "instants": [{"at": fire, "outcome": "runs", "runs_at": fire} for fire in named],
        "description": describe(schedule),
        "clock_changes": [change.fields() for change in next_clock_changes(schedule, after=begin)],
        "end": None if end is None else end.fields(),
    }


def _end(schedule: Schedule, fires: list[datetime], begin: datetime) -> MovableEnd | None:
    """Return the end that ``max_runs`` sets, as the API previews it without calendars."""
    limit = schedule.max_runs
    if limit is None or len(fires) < limit:
        return None
    following = next_fire(schedule, created_at=begin, after=fires[-1])
    if following is None:
        return None
    return movable_end(limit, named=fires, running=set(fires), moves_to=following)


def fires_from(schedule: Schedule, start: datetime, count: int) -> list[datetime]:
    """Return the instants of a job created at ``start``, as the API previews it.

    A schedule that runs once may name ``start`` itself, one that recurs not.
    """
    validate_schedule(schedule, now=start)
    after = start if schedule.is_recurring else start - MILLISECOND
    return preview(schedule, created_at=start, after=after, count=count)


def _drawn(schedule: Schedule, value: JsonObject, count: int) -> RenderableType:
    """With calendars, also what becomes of each."""
    instants = value["instants"]
    named = any(each["outcome"] != "runs" for each in instants)
    columns = {
        "": [str(number) for number in range(1, len(instants) + 1)],
        _zone_name(schedule): [
            _local(schedule, datetime.fromisoformat(each["at"])) for each in instants
        ],
        _instant_heading(schedule): [plain(each["at"]) for each in instants],
    }
    if named:
        columns["runs"] = [_runs(schedule, each) for each in instants]
    table = Grid(columns, (_instant_heading(schedule),), folds=False)
    # A schedule that runs once ends by its nature.
    ends = ["Then it ends."] if schedule.is_recurring and len(instants) < count else []
    ends += [plain(value["end"]["description"])] if value["end"] is not None else []
    changes = [plain(change["description"]) for change in value["clock_changes"]]
    return Group(
        plain(value["description"]), "", table, *ends, *([""] if changes else []), *changes
    )


def _runs(schedule: Schedule, instant: JsonObject) -> str:
    match instant["outcome"]:
        case "runs":
            return "then"
        case "joined":
            return f"- (joins {_local(schedule, datetime.fromisoformat(instant['runs_at']))})"
        case "deferred" | "rolled":
            return _local(schedule, datetime.fromisoformat(instant["runs_at"]))
        case outcome:
            return f"- ({plain(outcome)})"


def _instant_heading(schedule: Schedule) -> str:
    return "instant" if _zone_name(schedule) == "UTC" else "UTC"


def _zone_name(schedule: Schedule) -> str:
    return schedule.wall_timezone or "local"


def _local(schedule: Schedule, fire: datetime) -> str:
    """On the wall clock the pattern is read on; without a pattern, on this machine's."""
    zone = ZoneInfo(schedule.wall_timezone) if schedule.wall_timezone else None
    local = fire.astimezone(zone)
    precision = "milliseconds" if local.microsecond else "seconds"
    return f"{local:%a} {local.isoformat(' ', precision)} {local:%Z}"
