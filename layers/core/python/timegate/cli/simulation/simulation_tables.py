"""A simulation, for people: its rows, and what they add up to."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import Column, Grid, table
from timegate.cli.showing.instants import moment
from timegate.cli.showing.presentation import presentation
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import plain, span
from timegate.client import JsonObject

_DECIDED, _DUE = "decided (UTC)", "due (UTC)"
_DEADLINE, _MARGIN = "deadline (UTC)", "margin"
_ABOUT = "about (UTC)"
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
    beside = [shown for make in (_notices, _events, _waits) if (shown := make(value)) is not None]
    tables = [part for each in beside for part in (each, "")]
    return Group(_table(value), "", *tables, *totals, *refused)


def _notices(value: JsonObject) -> RenderableType | None:
    """Show what people would be told."""
    columns: dict[str, Column] = {
        "told (UTC)": lambda row: moment(row["at"]),
        "job": lambda row: plain(row["job"]),
        "what": lambda row: plain(row["type"]),
        "rule": lambda row: plain(row["rule"]),
        **({_ABOUT: lambda row: moment(row["scheduled_at"])} if presentation().is_wide else {}),
        "words": lambda row: plain(row["text"]),
    }
    return _beside(value["notices"], columns, has_names=bool(value["jobs"]))


def _events(value: JsonObject) -> RenderableType | None:
    """Show events, a line for each trigger that they meet."""
    rows = [
        {**event, "meeting": met} for event in value["events"] for met in event["met"] or [None]
    ]
    columns: dict[str, Column] = {
        "event (UTC)": lambda row: moment(row["at"]),
        "id": lambda row: plain(row["id"]),
        "type": lambda row: plain(row["type"]),
        "meets": lambda row: plain(_of(row, "name")),
        "job": lambda row: plain(_of(row, "job")),
        "run (UTC)": lambda row: moment(_of(row, "scheduled_at")),
        "refused": lambda row: plain(_of(row, "code")),
    }
    return _beside(rows, columns, has_names=bool(value["jobs"]))


def _waits(value: JsonObject) -> RenderableType | None:
    """Show waits, and the events that end them."""
    columns: dict[str, Column] = {
        "wait": lambda row: plain(row["name"]),
        "for": lambda row: plain(row["type"]),
        "key": lambda row: plain(row["correlation"]),
        "met (UTC)": lambda row: moment(row["met_at"]),
        "by": lambda row: plain(row["event"]),
    }
    return _beside(value["waits"], columns, has_names=True)


def _beside(
    rows: Sequence[JsonObject], columns: dict[str, Column], *, has_names: bool
) -> RenderableType | None:
    shown = {name: draw for name, draw in columns.items() if has_names or name != "job"}
    return table(rows, shown) if rows else None


def _of(row: JsonObject, name: str) -> Any:  # noqa: ANN401 - any JSON
    return None if row["meeting"] is None else row["meeting"][name]


def _total(summary: JsonObject) -> str:
    left_out = [
        f"{count} {name} ({reason})"
        for name in ("skipped", "cancelled")
        for reason, count in summary[name].items()
    ]
    undecided = [f"{summary['undecided']} undecided"] if summary["undecided"] else []
    failed = [f"{summary['failed']} failed"] if summary["failed"] else []
    counts = ", ".join([f"{summary['runs']} run", *failed, *left_out, *undecided])
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
