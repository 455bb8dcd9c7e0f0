"""``timegate pools``: what waits for workers."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType

from timegate.cli.completing.stage_names import complete_pools
from timegate.cli.showing.grids import Column, details, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject

pools = typer.Typer(no_args_is_help=True, help="See what waits for workers, and who comes for it.")


@pools.command("get")
@grouped
def get(
    ctx: typer.Context,
    pool: Annotated[str, typer.Argument(metavar="POOL", autocompletion=complete_pools)],
    session: SessionOptions,
) -> None:
    """Show a pool: runs that wait, since when, and the workers of the last five minutes."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_pool(pool), pool_details)


@pools.command("list")
@grouped
def list_pools(ctx: typer.Context, session: SessionOptions) -> None:
    """List pools, those that no worker serves first: workers seen, and runs that wait."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.list_pools(), pool_table)


def pool_table(found: JsonObject) -> RenderableType:
    """Pools, one a line."""
    columns: dict[str, Column] = {
        "pool": lambda each: plain(each["pool"]),
        "workers": lambda each: plain(each["workers"]),
        "in use": _in_use,
        "last seen (UTC)": _last_seen,
        "jobs": lambda each: plain(each["jobs"]),
        "waiting": lambda each: _counted(each["waiting"]),
        "oldest (UTC)": lambda each: moment((each["waiting"] or {}).get("oldest_at")),
    }
    if not found["pools"]:
        return "No worker asked for runs within a day, and no job names a pool."
    lines = table(found["pools"], columns)
    more = "Not all jobs or workers were read: there may be more pools."
    return Group(lines, more) if found["is_partial"] else lines


def _counted(waiting: JsonObject | None) -> str:
    if waiting is None:
        return "-"
    return f"{'at least ' if waiting['is_partial'] else ''}{waiting['count']}"


def pool_details(pool: JsonObject) -> RenderableType:
    """A pool, and a table of its workers."""
    age = pool["oldest_age_seconds"]
    shown = details(
        {
            "pool": plain(pool["pool"]),
            "waiting": _waiting(pool),
            "oldest": "-" if age is None else f"{age:g} s",
            "in use": _in_use(pool),
            "last seen": _last_seen(pool),
        }
    )
    columns = {
        "worker": lambda row: plain(row["worker"]),
        "seen (UTC)": lambda row: moment(row["seen_at"]),
        "in use": _in_use,
        "handlers": lambda row: plain(", ".join(row["handlers"]) or "all"),
    }
    return Group(shown, table(pool["workers"], columns))


def _in_use(each: JsonObject) -> str:
    """Runs under way, and the most that are at once, of a worker or of all of a pool."""
    # A stage of an earlier release knows of none.
    if each.get("capacity") is None:
        return "-"
    return f"{'?' if each['in_use'] is None else each['in_use']} of {each['capacity']}"


def _last_seen(pool: JsonObject) -> str:
    if "last_seen_at" not in pool:
        # A stage of an earlier release.
        return "-"
    at = pool["last_seen_at"]
    return "not in 90 days" if at is None else moment(at)


def _waiting(pool: JsonObject) -> str:
    parts = [f"{count} {name}" for name, count in pool["depth_by_priority"].items() if count]
    more = "more than " if pool["depth_is_partial"] else ""
    return f"{more}{pool['depth']}" + (f" ({', '.join(parts)})" if parts else "")
