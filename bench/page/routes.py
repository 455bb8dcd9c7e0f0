"""Routes of the API: a handler's own time and its calls to AWS."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bench.page.sections import lines, said, table

_HEAD = ("operation", "own time p50, ms", "p99, ms", "calls", "which")
#: Milliseconds that the plot shows; slower routes are named in the text.
_SHOWN_MS = 10


def routes(found: Mapping[str, Any]) -> str:
    """Show each route, in the order of the API's table."""
    origin = f"{found['requests']} requests of each, {said(found)}"
    measured = found["routes"]
    rows = [_row(name, each) for name, each in measured.items()]
    return f"{origin}\n\n{_plot(measured.values())}\n\n{table(_HEAD, rows)}"


def _row(name: str, each: Mapping[str, Any]) -> Sequence[str]:
    calls, ms = each["calls"], each["ms"]
    times = f"{ms['p50']:.1f}", f"{ms['p99']:.1f}"
    return f"`{name}`", *times, f"{sum(calls.values())}", _listed(calls)


def _listed(calls: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {call}" if n > 1 else call for call, n in calls.items())


def _plot(measured: Collection[Mapping[str, Any]]) -> str:
    """Draw the sorted times of all routes that take no longer than is shown."""
    curves = [
        sorted(ms for each in measured if (ms := each["ms"][name]) <= _SHOWN_MS)
        for name in ("p50", "p99")
    ]
    span = f'"routes, the fastest first" 1 --> {len(curves[0])}'
    title = f"Own time of a route, p50 and p99, of those below {_SHOWN_MS} ms"
    return lines(title, span, "ms", curves)


#: Rows of the page, by part and row of the answer.
_KEYS = {
    ("function", "known"): "function, key known to the process",
    ("function", "new"): "function, tenant and key new to the process",
    ("stack", "known"): "local stack, key known to the process",
    ("stack", "new"): "local stack, key new to the process",
}


def keys(found: Mapping[str, Any]) -> str:
    """Show requests by key beside requests by token."""
    origin = f"Up to {found['requests']} requests of each, in turns, {said(found)}"
    rows = [(name, *_compared(found[part][row])) for (part, row), name in _KEYS.items()]
    head = (
        *("", "by token p50, ms", "p99, ms", "by key p50, ms", "p99, ms"),
        *("ratio p50", "p99", "noise p50", "p99"),
    )
    return f"{origin}\n\n{table(head, rows)}"


def _compared(row: Mapping[str, Any]) -> Sequence[str]:
    sides = ("token", "key", "ratio", "noise")
    return [f"{row[side][name]:.2f}" for side in sides for name in ("p50", "p99")]


def creation(found: Mapping[str, Any]) -> str:
    """Show creations beside the calls that they make."""
    each = f"{found['turns']} turns of {found['creations']} creations"
    rows = [
        (
            name,
            f"{kind['ms']:.2f}",
            f"{kind['calls_ms']:.2f}",
            f"{kind['ratio']:.2f}",
            _listed(kind["calls"]),
        )
        for name, kind in found["kinds"].items()
    ]
    head = ("job", "creation, ms", "its calls by botocore, ms", "ratio", "which")
    return f"Medians of {each}, {said(found)}\n\n{table(head, rows)}"
