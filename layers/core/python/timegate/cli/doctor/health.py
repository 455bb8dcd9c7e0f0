"""``timegate health``: the stage's ticks, audits, queues and alarms."""

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, details, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

_NONE = "-"


@grouped
def health(ctx: typer.Context, session: SessionOptions) -> None:
    """Show ticks, audits, queues and alarms of the stage; takes the scope timegate/admin.

    Exits with 4 if the stage is unhealthy: runs are not planned or looked after, or records are
    missing.
    """
    with opened(ctx, session) as opening:
        found = opening.client.get_health()
        opening.show(found, health_details)
    if found["status"] == "unhealthy":
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def health_details(found: JsonObject) -> RenderableType:
    """The stage's problems first, then what was looked at."""
    shards, audit = found["shards"], found["audit"]
    facts = details(
        {
            "status": plain(found["status"]),
            "shards": f"{shards['open']} open, {shards['behind']} behind",
            "planner": _lag(shards["planner_lag_seconds"]),
            "sweeper": _lag(shards["sweeper_lag_seconds"]),
            "audited": moment(audit["oldest_at"]),
            "found missing": _found(audit),
        }
    )
    parts: list[RenderableType] = [facts, *_problems(found["problems"])]
    if found["lanes"]:
        parts += [Text(), _lanes(found["lanes"])]
    return Group(*parts)


def _problems(problems: list[JsonObject]) -> list[RenderableType]:
    if not problems:
        return [Text("Nothing is wrong.")]
    told: list[RenderableType] = []
    for each in problems:
        told += [
            Text(),
            Text(f"{plain(each['status'])} [{plain(each['code'])}]: {plain(each['detail'])}"),
            Text(f"  {plain(each['remedy'])}"),
            Text(f"  {plain(each['runbook'])}"),
        ]
    return told


def _lanes(lanes: list[JsonObject]) -> RenderableType:
    columns: dict[str, Column] = {
        "lane": lambda each: plain(each["lane"]),
        "waiting": lambda each: _number(each["waiting"]),
        "oldest s": lambda each: _number(each["oldest_seconds"]),
    }
    return table(lanes, columns)


def _lag(seconds: int | None) -> str:
    return _NONE if seconds is None else f"{seconds:,} s behind in the worst shard"


def _found(audit: JsonObject) -> str:
    if audit["found_at"] is None:
        return "nothing"
    missing = f"{audit['unaccounted']:,} instants, {audit['lost']:,} records"
    return f"{missing}, last at {moment(audit['found_at'])}"


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:,.0f}"
