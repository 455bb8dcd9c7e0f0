"""``timegate overview --stage``: lanes and alarms, for the administration of a stage."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.wording import clipped, plain
from timegate.client import JsonObject

_Series = Sequence[float | None]
_NONE = "-"


def stage_details(found: JsonObject) -> RenderableType:
    """The last hour of each lane, and the alarms that are on."""
    return Group(_lanes(found["lanes"]), Text(), _alarms(found["alarms"]))


def _lanes(lanes: list[JsonObject]) -> RenderableType:
    columns: dict[str, Column] = {
        "lane": lambda each: plain(each["lane"]),
        "p50 ms": lambda each: _worst(each["start_lag_ms"]["p50"]),
        "p99 ms": lambda each: _worst(each["start_lag_ms"]["p99"]),
        "succeeded": lambda each: _sum(each["ended"]["succeeded"]),
        "failed": lambda each: _sum(each["ended"]["failed"]),
        "waiting": lambda each: _latest(each["waiting"]),
        "oldest s": lambda each: _latest(each["oldest_seconds"]),
    }
    return table(lanes, columns)


def _alarms(alarms: list[JsonObject]) -> RenderableType:
    columns: dict[str, Column] = {
        "alarm": lambda each: plain(each["name"]),
        "since (UTC)": lambda each: moment(each["since"]),
        "meaning": lambda each: clipped(plain(each["meaning"])),
    }
    return table(alarms, columns) if alarms else Text("No alarm is on.")


def _known(series: _Series) -> list[float]:
    return [each for each in series if each is not None]


def _worst(series: _Series) -> str:
    """The worst span of the hour: percentiles of spans have no sum."""
    return f"{max(known):,.0f}" if (known := _known(series)) else _NONE


def _sum(series: _Series) -> str:
    return f"{sum(known):,.0f}" if (known := _known(series)) else _NONE


def _latest(series: _Series) -> str:
    return f"{known[-1]:,.0f}" if (known := _known(series)) else _NONE
