"""``timegate overview`` and ``timegate decisions``: what an operator looks at first."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.operations.stage_overviews import stage_details
from timegate.cli.runs.run_tables import failure_table
from timegate.cli.showing.grids import Column, details, table
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import clipped, plain
from timegate.client import JsonObject


@grouped
def overview(
    ctx: typer.Context,
    session: SessionOptions,
    stage: Annotated[
        bool,
        typer.Option("--stage", help="Show the stage instead: its lanes and alarms; takes admin."),
    ] = False,
) -> None:
    """Show what fails, what is held back, and what is used of the quotas."""
    with opened(ctx, session) as opening:
        if stage:
            opening.show(opening.client.get_stage_overview(), stage_details)
        else:
            opening.show(opening.client.get_overview(), overview_details)


@grouped
def decisions(
    ctx: typer.Context,
    session: SessionOptions,
    since: Annotated[
        str | None,
        moment_option(help="Show failures since yesterday, 22:00 or 6h; by default 7 days."),
    ] = None,
) -> None:
    """Show what waits for a decision: what failed for good, by cause, and approvals."""
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        opening.show(opening.client.list_decisions(start=moment_text(since, now)), decision_table)


def overview_details(found: JsonObject) -> RenderableType:
    """A tenant at a glance, and a table of its latest failures."""
    failing, jobs = found["failing"], found["jobs"]
    paused = ", ".join(plain(each["name"]) for each in found["paused_jobs"])
    shown = details(
        {
            "tenant": plain(found["tenant"]),
            "status": state(found["status"]),
            "failed in 24 h": _counted(failing),
            "dead letters": _counted(found["dead_letters"]),
            "paused by failures": paused or "-",
            "freezes": _freezes(found["freezes"]),
            "jobs": _jobs(found["usage"]["jobs"], jobs),
            "quotas in use": _used(found["usage"], found["effective_quotas"]),
        }
    )
    latest = {"items": failing["latest"], "next_cursor": None}
    return Group(shown, Text(), failure_table(latest))


def decision_table(found: JsonObject) -> RenderableType:
    """Groups that wait for a decision, a cause a line; approvals are a table of their own."""
    parts: list[RenderableType] = []
    if found["groups"]:
        parts.append(_cause_table(found))
    if found["is_partial"]:
        parts.append(Text(f"Of the latest {found['read']} failed runs; there are more."))
    # A stage of an earlier release has none among them.
    if found.get("approvals"):
        parts += [*([Text()] if parts else []), _approval_table(found)]
    if found.get("approvals_are_partial"):
        parts.append(Text("Of the latest approvals; timegate dags approvals lists all."))
    return Group(*parts) if parts else Text("Nothing waits for a decision.")


def _approval_table(found: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "approval of": lambda each: clipped(plain(each["dag_name"] or each["dag_id"])),
        "task": lambda each: plain(each["task_key"]),
        "count": lambda each: plain(each["count"]),
        "first until (UTC)": lambda each: moment(each["until"]),
        "latest dag_run_id": lambda each: plain(each["latest"][0]["dag_run_id"]),
    }
    return table(found["approvals"], columns)


def _cause_table(found: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "kind": lambda each: plain(each["kind"]),
        "reason": lambda each: plain(each["reason"]),
        "error": lambda each: clipped(plain(each["error_code"])),
        "count": lambda each: plain(each["count"]),
        "jobs": lambda each: plain(each["jobs"]),
        "last (UTC)": lambda each: moment(each["last_at"]),
        "latest run_id": lambda each: plain(each["latest"][0]["run_id"]),
    }
    return table(found["groups"], columns)


def _counted(seen: JsonObject) -> str:
    return f"{'more than ' if seen['is_partial'] else ''}{seen['count']}"


def _jobs(used: int, jobs: JsonObject | None) -> str:
    if jobs is None:
        return f"{used:,} that may still run"
    return ", ".join(f"{count} {status}" for status, count in jobs.items() if count) or "none"


def _freezes(freezes: list[JsonObject]) -> str:
    said = [f"{each['state']} until {zoned(each['ends_at'])}" for each in freezes]
    return ", ".join(said) or "-"


def _used(usage: JsonObject, limits: JsonObject) -> str:
    counted = {name: count for name, count in usage.items() if count is not None}
    return ", ".join(
        f"{name.replace('_', ' ')} {count:,}{_of(limits[name])}" for name, count in counted.items()
    )


def _of(limit: int | None) -> str:
    return "" if limit is None else f"/{limit:,}"
