"""Parts of pages between two marks, and what they are made of: tables, plots, origins."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

#: Bars whose names fit side by side.
_UPRIGHT = 6


def section(name: str, body: str) -> str:
    """Return a part of a page with its marks."""
    return f"<!-- {name} -->\n{body}\n<!-- end of {name} -->"


def kept(page: str, name: str) -> str:
    """Return the part of a page that has this name, marks included."""
    begin, end = section(name, "").split("\n\n")
    return page[page.index(begin) : page.index(end) + len(end)]


def said(origin: Mapping[str, Any]) -> str:
    """Say where and when something was measured, as ``bench.alternatives.origin`` found it."""
    load = origin["load"]
    loaded = f"load {load} at its end" if load is not None else "with other work"
    return (
        f"on {origin['machine']}, Python {origin['python']}, {loaded};"
        f" commit {origin['commit']}, {origin['date']}."
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    lines = chain([head, ["---"] * len(head)], rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def bars(title: str, unit: str, values: Mapping[str, float]) -> str:
    """Draw a bar for each named value; many bars lie, so that each name has a line."""
    names = ", ".join(f'"{name}"' for name in values)
    series = [f"bar {_listed(values.values())}"]
    chart = _chart(title, f"x-axis [{names}]", unit, series)
    is_wide = len(values) > _UPRIGHT
    return chart.replace("xychart-beta", "xychart-beta horizontal") if is_wide else chart


def lines(title: str, span: str, unit: str, curves: Iterable[Sequence[float]]) -> str:
    """Draw curves over the same span, which is Mermaid's: ``"title" first --> last``."""
    return _chart(title, f"x-axis {span}", unit, [f"line {_listed(each)}" for each in curves])


def _chart(title: str, axis: str, unit: str, series: Iterable[str]) -> str:
    inside = (f'title "{title}"', axis, f'y-axis "{unit}"', *series)
    return "\n".join(["```mermaid", "xychart-beta", *(f"    {each}" for each in inside), "```"])


def _listed(values: Iterable[float]) -> str:
    return f"[{', '.join(f'{each:g}' for each in values)}]"
