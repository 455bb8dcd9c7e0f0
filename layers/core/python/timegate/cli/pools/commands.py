"""``timegate pools``: what waits for workers."""

from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from timegate.cli.completing.stage_names import complete_pools
from timegate.cli.showing.grids import Column, details, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened, surroundings
from timegate.cli.terminal.values import instant_option, seconds_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.values.instants import rfc3339, to_milliseconds
from timegate.value_classes import dataclass

pools = typer.Typer(
    no_args_is_help=True, help="See what waits for workers, and who comes for it; pause pools."
)

PoolName = Annotated[str, typer.Argument(metavar="POOL", autocompletion=complete_pools)]
_END = "Until when (at most one of)"


@dataclass(frozen=True, kw_only=True, slots=True)
class PauseEndOptions:
    """The end of a pause; by default it lasts until it is resumed."""

    until: Annotated[
        datetime | None, instant_option(help="End by itself then.", rich_help_panel=_END)
    ] = None
    lasting: Annotated[
        float | None,
        seconds_option("--for", help="End by itself after so long.", rich_help_panel=_END),
    ] = None

    def until_at(self, now: datetime) -> str | None:
        """Return the end in the API's form; raises ``BadParameter`` where both are given."""
        if self.until is not None and self.lasting is not None:
            message = "At most one of --until and --for says until when."
            raise typer.BadParameter(message)
        end = self.until
        if self.lasting is not None:
            end = now + timedelta(seconds=self.lasting)
        return None if end is None else rfc3339(end)


@pools.command("get")
@grouped
def get(
    ctx: typer.Context,
    pool: PoolName,
    session: SessionOptions,
) -> None:
    """Show a pool: runs that wait, since when, and the workers of the last five minutes."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_pool(pool), pool_details)


@pools.command("pause")
@grouped
def pause(
    ctx: typer.Context,
    pool: PoolName,
    end: PauseEndOptions,
    session: SessionOptions,
    reason: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Say why; shown with the pool and to its workers."),
    ] = None,
) -> None:
    """Keep its runs from workers until it is resumed; runs that they hold go on.

    timegate pools pause reports --for 2h --reason "The warehouse moves."
    """
    until = end.until_at(to_milliseconds(surroundings(ctx).now()))
    with opened(ctx, session) as opening:
        standing = opening.client.pause_pool(pool, reason=reason, until=until)
        opening.show(standing, standing_details)


@pools.command("resume")
@grouped
def resume(ctx: typer.Context, pool: PoolName, session: SessionOptions) -> None:
    """Resume a pool: workers get what waits in it, in its order."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.resume_pool(pool), standing_details)


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
        "paused": _paused,
        "waiting": lambda each: _counted(each["waiting"]),
        "oldest (UTC)": lambda each: moment((each["waiting"] or {}).get("oldest_at")),
    }
    if not found["pools"]:
        return "No worker asked for runs within a day, no job names a pool, and none is paused."
    lines = table(found["pools"], columns)
    more = "Not all jobs, workers or pauses were read: there may be more pools."
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
            "paused": _paused(pool),
        }
    )
    columns = {
        "worker": lambda row: plain(row["worker"]),
        "seen (UTC)": lambda row: moment(row["seen_at"]),
        "in use": _in_use,
        "handlers": lambda row: plain(", ".join(row["handlers"]) or "all"),
    }
    return Group(shown, table(pool["workers"], columns))


def standing_details(standing: JsonObject) -> RenderableType:
    """A pool that was paused or resumed; a name that no worker knows may be a slip."""
    shown = {
        "pool": plain(standing["pool"]),
        "paused": _paused(standing),
        "last seen": _last_seen(standing),
    }
    return details(shown)


def _paused(pool: JsonObject) -> str:
    """Since when, by which caller, until when and why; a stage of an earlier release says none."""
    pause = pool.get("pause")
    if pause is None:
        return "no"
    until = "" if pause["until"] is None else f" until {moment(pause['until'])}"
    why = "" if pause["reason"] is None else f": {plain(pause['reason'])}"
    return f"since {moment(pause['since'])}{until} by {plain(pause['by'])}{why}"


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
