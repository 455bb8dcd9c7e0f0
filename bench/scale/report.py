"""The page of the simulator: tables and charts of ``page.md``."""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

from bench.scale import costs, facts

Result = Mapping[str, Any]
CALIBRATION = Path(__file__).parents[1] / "results" / "calibration.json"
_VERDICTS = {True: "**holds**", False: "does not hold", None: ""}


def page(results: Sequence[Result]) -> str:
    """Return ``docs/design/scale.md``."""
    return Template((Path(__file__).parent / "page.md").read_text()).substitute(
        summary=_summary(results),
        charts="\n\n".join(_chart(each) for each in results if _is_drawn(each)),
        flood=_flood(results),
        execute_cpu=f"{costs.EXECUTE_CPU * 1000:.1f}",
        plan_cpu=f"{costs.PLAN_CPU * 1000:.2f}",
        relay_cpu=f"{costs.RELAY_CPU * 1000:.2f}",
        cold=f"{costs.COLD_START:.0f}",
        calibration=_calibration(json.loads(CALIBRATION.read_text())),
        queue_source=facts.QUEUE_TO_FUNCTION.source,
    )


def _summary(results: Sequence[Result]) -> str:
    blocks = []
    for title, group in groupby(results, key=lambda each: (each["title"], each["promise"])):
        rows = [_row(each) for each in group]
        name, promise = title
        heading = f"### {name}" + (f"\n\nPromise {promise}." if promise else "")
        blocks.append(f"{heading}\n\n{_table(rows)}")
    return "\n\n".join(blocks)


_HEAD = (
    *("stage", "begun", "p50, s", "p99, s", "latest, s", "environments"),
    *("saturates first", "of starts", "USD a million", ""),
)


def _row(each: Result) -> Sequence[str]:
    late = each["late_seconds"]
    million = each["usd_a_million"]
    return (
        each["stage"],
        f"{each['runs']:,}",
        *(f"{late[name]:,.2f}" if name in late else "" for name in ("p50", "p99", "max")),
        f"{each['most_environments']:,}",
        _component(each["first_to_wait"]),
        _component(each["first_to_wait_when_due"]),
        f"{million:.2f}" if million else "",
        _VERDICTS[each["holds"]],
    )


def _component(found: Mapping[str, Any] | None) -> str:
    return f"{found['component']}, {found['at_seconds']:+} s" if found else "nothing"


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = [_HEAD, ["---"] * len(_HEAD), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _is_drawn(each: Result) -> bool:
    return len(each["starts_a_second"]) > 1 and each["scenario"] in {"peak", "midnight"}


def _chart(each: Result) -> str:
    bars = each["starts_a_second"]
    last = each["last_start_seconds"]
    title = f"{each['title']}: {each['stage']}".replace('"', "'")
    return "\n".join(
        (
            "```mermaid",
            "xychart-beta",
            f'    title "{title}"',
            f'    x-axis "seconds after the first instant" 0 --> {max(round(last), 1)}',
            '    y-axis "starts a second"',
            f"    bar [{', '.join(map(str, bars))}]",
            "```",
        )
    )


def _flood(results: Sequence[Result]) -> str:
    rows = [
        (each["stage"], tenant, *(f"{late[name]:.2f}" for name in ("p50", "p99", "max")))
        for each in results
        for tenant, late in each["by_tenant"].items()
    ]
    head = ("stage", "tenant", "p50, s", "p99, s", "max, s")
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _calibration(found: Mapping[str, Any]) -> str:
    head = ("own processor, ms a run", "emulator's, ms a run", "share of a core")
    names = ("own_ms_a_run", "emulator_ms_a_run", "core_share", "measured", "modelled", "factor")
    rows = [[f"{each[name]:g}" for name in names] for each in found["bursts"]]
    all_of = [*head, "measured, starts a second", "modelled", "factor"]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in [all_of, ["---"] * 6, *rows])
    origin = (
        f"{found['jobs']} runs due in one second, {found['machine']}, commit {found['commit']},"
        f" {found['date']}; median factor {found['factor']:.1f}."
    )
    return f"{origin}\n\n{table}"
