"""A simulation, for people: its rows, and what they add up to."""

from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Grid
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import plain, span
from timegate.client import JsonObject

_DECIDED, _DUE = "decided (UTC)", "due (UTC)"
_DEADLINE, _MARGIN = "deadline (UTC)", "margin"
_INTO = "collapsed into (UTC)"
_HEADINGS = (
    *("job", "instants (UTC)", "count", "state", "why"),
    *(_DECIDED, _DUE, "late", "took", _DEADLINE, _MARGIN, _INTO),
)


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
    deadlines = [
        f"{summary[name]} {word}"
        for name, word in (("missed_deadlines", "missed"), ("will_be_late", "will_be_late"))
        if summary[name]
    ]
    ends = f"; deadlines: {', '.join(deadlines)}" if deadlines else ""
    return f"{summary['instants']} instants: {counts}; at most {late} late{ends}."


def _table(value: JsonObject) -> RenderableType:
    """Show rows; instants that were put off or spread get a column of their own."""
    rows, optional = value["rows"], {"job": bool(value["jobs"])}
    optional[_DUE] = any(
        row["type"] == "run" and row["due_at"] != row["scheduled_at"] for row in rows
    )
    has_deadline = any(row["type"] == "run" and row["finish_by"] is not None for row in rows)
    optional |= {_DEADLINE: has_deadline, _MARGIN: has_deadline}
    optional[_INTO] = any(row["type"] == "run" and _into(row) is not None for row in rows)
    headings = [heading for heading in _HEADINGS if optional.get(heading, True)]
    shown = [
        dict(zip(_HEADINGS, _gap(row) if row["type"] == "gap" else _run(row), strict=True))
        for row in rows
    ]
    return Grid({each: [row[each] for row in shown] for each in headings}, (_DECIDED, _MARGIN))


def _gap(row: JsonObject) -> tuple[Any, ...]:
    instants = moment(row["first"])
    if row["count"] > 1:
        instants = f"{instants} to {moment(row['last'])}"
    return (
        plain(row["job"]),
        instants,
        str(row["count"]),
        state(row["state"]),
        row["reason"],
        moment(row["recorded_at"]),
        *("-", "-", "-", "-", "-", "-"),
    )


def _into(row: JsonObject) -> str | None:
    """Return the instant of the trigger whose run stands for that of another."""
    trigger = row["trigger"]
    return None if trigger is None else trigger["collapsed_into"]


def _run(row: JsonObject) -> tuple[Any, ...]:
    finish = row["finish_by"] or {"at": None, "margin_ms": None}
    return (
        plain(row["job"]),
        moment(row["scheduled_at"]),
        "1",
        state(row["state"]),
        plain(row["reason"]),
        moment(row["planned_at"]),
        moment(row["due_at"]),
        span(row["lateness_ms"]),
        span(row["duration_ms"]),
        moment(finish["at"]),
        span(finish["margin_ms"]),
        moment(_into(row)),
    )
