"""The table of routes in ``docs/design/performance.md``, from what ``bench.routes`` measured.

python -m bench.routes.route_rows bench/results/api_routes.json
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HEAD = (
    "| operation | own time p50, ms | p99, ms | calls | which |",
    "|---|---|---|---|---|",
)


def rows(results: Mapping[str, Any]) -> list[str]:
    """A row for each route, in the order of its table."""
    return [*HEAD, *(_row(name, each) for name, each in results["routes"].items())]


def _row(name: str, each: Mapping[str, Any]) -> str:
    calls: Mapping[str, int] = each["calls"]
    which = ", ".join(f"{n} {call}" if n > 1 else call for call, n in calls.items())
    ms = each["ms"]
    return f"| `{name}` | {ms['p50']:.1f} | {ms['p99']:.1f} | {sum(calls.values())} | {which} |"


if __name__ == "__main__":
    print("\n".join(rows(json.loads(Path(sys.argv[1]).read_text()))))
