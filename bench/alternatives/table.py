"""The table of ``docs/design/performance.md``, written from results: ``python -m
bench.alternatives.table``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench.sections import rewrite, said

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results" / "alternatives.json"
PAGE = ROOT / "docs" / "design" / "performance.md"
BEGIN, END = "<!-- alternatives -->", "<!-- end of alternatives -->"
OURS = "Timegate"
_HEAD = (
    *("", "calls a second", "against Timegate", "p50, s", "p99, s"),
    *("own processor, ms a call", "emulator's, ms a call", "lacks"),
)
LACKS: Mapping[str, str] = {
    OURS: "",
    "EventBridge Scheduler": (
        "seconds on AWS (a minute's precision), history of runs, overlap, catch-up, freezes,"
        " calendars, DAGs, tenants, limits of rate"
    ),
    "Step Functions": "recurring schedules, overlap, catch-up, freezes, tenants; 25 USD a million",
    "poller on DynamoDB": (
        "leases: a call whose process dies stays `RUNNING` for ever; retries, history, tenants;"
        " it polls while nothing is due"
    ),
    "Dynein's algorithm": (
        "leases: what was marked and not sent is lost until a restart; recurring schedules,"
        " history, tenants; it polls while nothing is due"
    ),
}


def main() -> None:
    """Write the table anew."""
    rewrite(PAGE, BEGIN, END, section(json.loads(RESULTS.read_text())))


def section(results: Mapping[str, Any]) -> str:
    """Return the part of the page between its marks, marks included."""
    origin = f"{results['rounds']} bursts of {results['jobs']} calls each, in turn, {said(results)}"
    return f"{BEGIN}\n{origin}\n\n{_table(_rows(results['contenders']))}\n{END}"


def _rows(found: Mapping[str, Mapping[str, Any]]) -> Iterable[Sequence[str]]:
    ours = median(found[OURS]["runs_a_second"])
    for name, each in found.items():
        speed = median(each["runs_a_second"])
        yield (
            f"**{name}**" if name == OURS else name,
            f"{speed:.0f}",
            "" if name == OURS else f"{speed / ours:.2f}",
            f"{each['p50_seconds']:.2f}",
            f"{each['p99_seconds']:.2f}",
            f"{median(each['own_ms_a_run']):.1f}",
            f"{median(each['emulator_ms_a_run']):.1f}",
            LACKS[name],
        )


def _table(rows: Iterable[Sequence[str]]) -> str:
    lines = [_HEAD, ["---"] * len(_HEAD), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    main()
