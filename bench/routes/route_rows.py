"""The table of routes in ``docs/design/performance.md``, written from what was measured: ``python
-m bench.routes.route_rows``.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.sections import rewrite, said

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results" / "api_routes.json"
PAGE = ROOT / "docs" / "design" / "performance.md"
BEGIN, END = "<!-- routes -->", "<!-- end of routes -->"
HEAD = (
    "| operation | own time p50, ms | p99, ms | calls | which |",
    "|---|---|---|---|---|",
)


def main() -> None:
    """Write the table anew."""
    rewrite(PAGE, BEGIN, END, section(json.loads(RESULTS.read_text())))


def section(results: Mapping[str, Any]) -> str:
    """Return the part of the page between its marks, marks included."""
    origin = f"{results['requests']} requests of each, {said(results)}"
    return "\n".join([BEGIN, origin, "", *rows(results), END])


def rows(results: Mapping[str, Any]) -> list[str]:
    """A row for each route, in the order of its table."""
    return [*HEAD, *(_row(name, each) for name, each in results["routes"].items())]


def _row(name: str, each: Mapping[str, Any]) -> str:
    calls: Mapping[str, int] = each["calls"]
    which = ", ".join(f"{n} {call}" if n > 1 else call for call, n in calls.items())
    ms = each["ms"]
    return f"| `{name}` | {ms['p50']:.1f} | {ms['p99']:.1f} | {sum(calls.values())} | {which} |"


if __name__ == "__main__":
    main()
