"""Bursts beside alternatives: what each did, and what it lacks."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from bench.page.sections import bars, said, table

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


def alternatives(found: Mapping[str, Any]) -> str:
    """Show each contender beside Timegate."""
    contenders = found["contenders"]
    origin = f"{found['rounds']} bursts of {found['jobs']} calls each, in turn, {said(found)}"
    speeds = {name: median(each["runs_a_second"]) for name, each in contenders.items()}
    plot = bars(f"A burst of {found['jobs']} calls", "calls a second", speeds)
    return f"{origin}\n\n{table(_HEAD, _rows(contenders))}\n\n{plot}"


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
