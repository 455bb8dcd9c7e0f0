"""A forecast as a heat map: hours down, days across."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from timegate.cli.showing.grids import table
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

#: From few runs to many, and in colours of the terminal.
_SHADES = ("·", "░", "▒", "▓", "█")
_STYLES = ("dim", "green", "yellow", "dark_orange", "bold red")
_MINUTE = timedelta(minutes=1)
_THOUSAND, _MILLION = 1_000, 1_000_000
_JOBS_NAMED = 5
_HOURS = 24


def forecast_drawn(forecast: JsonObject, zone: ZoneInfo) -> RenderableType:
    """The map of all queues together, the busiest minutes, and advice."""
    jobs, queues = forecast["jobs"], forecast["queues"]
    counted = f"{jobs['due']} of {jobs['read']} jobs have runs in these days."
    if not queues:
        return Group("No runs fall due.", counted, *_notes(forecast))
    hours = _by_hour(forecast, zone)
    title = f"Runs an hour, {plain(zone.key)} time; the darkest hour has {max(hours.values())}"
    busy = [{**each, "queue": queue["queue"]} for queue in queues for each in queue["busiest"]]
    busy.sort(key=lambda each: -each["runs"])
    columns = {
        "busiest minutes": lambda each: _local(each["at"], zone),
        "runs": lambda each: plain(each["runs"]),
        "queue": lambda each: plain(each["queue"]),
    }
    advice = list(_advice(queues, zone))
    return Group(
        title,
        "",
        _map(hours),
        "",
        table(busy[:10], columns),
        *(["", *advice] if advice else []),
        "",
        counted,
        *_notes(forecast),
    )


def _by_hour(forecast: JsonObject, zone: ZoneInfo) -> Counter[tuple[date, int]]:
    hours: Counter[tuple[date, int]] = Counter()
    start = datetime.fromisoformat(forecast["from"])
    for queue in forecast["queues"]:
        for number, runs in enumerate(queue["minutes"]):
            if runs:
                local = (start + number * _MINUTE).astimezone(zone)
                hours[local.date(), local.hour] += runs
    return hours


def _map(hours: Counter[tuple[date, int]]) -> Table:
    days = sorted({day for day, _ in hours})
    most = max(hours.values())
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    grid.add_column("hour", no_wrap=True)
    for day in days:
        grid.add_column(f"{day:%a %d}", justify="right", no_wrap=True)
    for hour in range(_HOURS):
        cells = [_cell(hours[day, hour], most) for day in days]
        grid.add_row(f"{hour:02}", *cells)
    return grid


def _cell(runs: int, most: int) -> Text:
    if not runs:
        return Text("-", style="dim")
    level = min((runs * len(_SHADES) - 1) // most, len(_SHADES) - 1)
    return Text(f"{_compact(runs)} {_SHADES[level]}", style=_STYLES[level])


def _compact(number: int) -> str:
    if number < 10 * _THOUSAND:
        return str(number)
    if number < _MILLION:
        return f"{number // _THOUSAND}k"
    return f"{number / _MILLION:.1f}M"


def _advice(queues: Sequence[JsonObject], zone: ZoneInfo) -> Iterator[str]:
    for queue in queues:
        found = queue["advice"]
        if found is None:
            continue
        names = ", ".join(plain(each["name"]) for each in found["jobs"][:_JOBS_NAMED])
        more = found["job_count"] - min(len(found["jobs"]), _JOBS_NAMED)
        others = f" and {more} more" if more else ""
        yield (
            f"{plain(queue['queue'])}: jitter_seconds {found['jitter_seconds']} for "
            f"{found['job_count']} jobs leaves {found['runs_after']} of the {found['runs_before']} "
            f"runs a minute at {_local(found['at'], zone)}: {names}{others}"
        )


def _notes(forecast: JsonObject) -> Iterator[str]:
    if forecast["jobs"]["damaged"]:
        yield f"{forecast['jobs']['damaged']} jobs cannot be read and are not counted."
    if forecast["next_cursor"] is not None:
        yield "There are more jobs: --max-jobs counts more of them."


def _local(text: str, zone: ZoneInfo) -> str:
    return f"{datetime.fromisoformat(text).astimezone(zone):%a %Y-%m-%d %H:%M}"
