"""Costs in columns."""

from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, details, listing, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.wording import clipped, plain
from timegate.client import JsonObject

_CENT = 0.01


def report_details(found: JsonObject) -> RenderableType:
    """A tenant's month, and a table of its dearest jobs."""
    whole = found["whole"]
    shown = details(
        {
            "tenant": plain(found["tenant"]),
            "month": plain(found["month"]),
            "counted until (UTC)": moment(found["metered_until"]),
            "USD": _usd(whole["usd"]),
            "of one-shots": _usd(found["one_shots"]["usd"]),
            "of DAG tasks": _usd(found["dag_tasks"]["usd"]),
            "by service": ", ".join(f"{k} {_usd(usd)}" for k, usd in whole["services"].items())
            or "-",
            "runs": f"{whole['runs']:,}",
            "attempts": _attempts(whole),
        }
    )
    lines: list[RenderableType] = [shown, Text(), table(found["jobs"], _JOB_COLUMNS)]
    if found["other_jobs"]:
        lines.append(Text(f"{found['other_jobs']:,} other jobs cost less."))
    if not found["is_complete"]:
        lines.append(Text("There are more jobs than were compared."))
    return Group(*lines)


def stage_table(found: JsonObject) -> RenderableType:
    """Tenants with the costs of their runs, a tenant a line."""
    columns: dict[str, Column] = {
        "tenant": lambda each: plain(each["tenant"]),
        "USD": lambda each: _usd(each["whole"]["usd"]),
        "runs": lambda each: f"{each['whole']['runs']:,}",
        "attempts": lambda each: f"{_sum(each['whole']):,}",
        "target s": lambda each: f"{each['whole']['target_seconds']:,.0f}",
    }
    return listing(found, columns, "No run has been counted in this month.")


_JOB_COLUMNS: dict[str, Column] = {
    "job_id": lambda each: plain(each["job_id"]),
    "name": lambda each: clipped(plain(each["name"])),
    "USD": lambda each: _usd(each["usd"]),
    "runs": lambda each: f"{each['runs']:,}",
    "attempts": lambda each: f"{_sum(each):,}",
    "target s": lambda each: f"{each['target_seconds']:,.0f}",
}


def _usd(usd: float) -> str:
    return f"{usd:,.2f}" if usd >= _CENT or not usd else f"{usd:.6f}"


def _sum(costs: JsonObject) -> int:
    return sum(costs["attempts"].values())


def _attempts(costs: JsonObject) -> str:
    counted = {name: n for name, n in costs["attempts"].items() if n}
    return ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counted.items()) or "0"
