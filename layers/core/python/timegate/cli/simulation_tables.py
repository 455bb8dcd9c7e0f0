"""A simulation, for people: its rows, and what they add up to."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from timegate.cli.tables import state
from timegate.cli.wording import moment, plain, span
from timegate.client import JsonObject

_HEADINGS = ("instants (UTC)", "count", "state", "why", "decided (UTC)", "late", "took")


def drawn_simulation(value: JsonObject) -> RenderableType:
    """Rows, sums, and changes that were refused; with several jobs, whose they are."""
    totals = [f"{plain(name)}: {_total(each)}" for name, each in value["jobs"].items()]
    if len(totals) != 1:
        totals.append(_total(value["summary"]))
    refused = [
        f"{plain(one['field'])} is refused at {moment(one['at'])} [{plain(one['code'])}]"
        for one in value["refused"]
    ]
    return Group(_table(value), "", *totals, *refused)


def _total(summary: JsonObject) -> str:
    left_out = [
        f"{count} {name} ({reason})"
        for name in ("skipped", "cancelled")
        for reason, count in summary[name].items()
    ]
    undecided = [f"{summary['undecided']} undecided"] if summary["undecided"] else []
    counts = ", ".join([f"{summary['runs']} run", *left_out, *undecided])
    late = span(summary["max_lateness_ms"])
    return f"{summary['instants']} instants: {counts}; at most {late} late."


def _table(value: JsonObject) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    named = bool(value["jobs"])
    for heading in ("job", *_HEADINGS) if named else _HEADINGS:
        table.add_column(heading, no_wrap=True, justify="right" if heading == "count" else "left")
    for row in value["rows"]:
        cells = _gap(row) if row["type"] == "gap" else _run(row)
        table.add_row(*((plain(row["job"]), *cells) if named else cells))
    return table


def _gap(row: JsonObject) -> tuple[Any, ...]:
    instants = moment(row["first"])
    if row["count"] > 1:
        instants = f"{instants} to {moment(row['last'])}"
    decided = moment(row["recorded_at"])
    return instants, str(row["count"]), state(row["state"]), row["reason"], decided, "-", "-"


def _run(row: JsonObject) -> tuple[Any, ...]:
    return (
        moment(row["scheduled_at"]),
        "1",
        state(row["state"]),
        plain(row["reason"]),
        moment(row["planned_at"]),
        span(row["lateness_ms"]),
        span(row["duration_ms"]),
    )
