"""Starts: lateness by lane, imports of a cold start, and tasks of a DAG."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench.page.sections import bars, lines, said, table

_LANES = {"subsecond": "sub-second", "second": "ordinary"}


def lateness(found: Mapping[str, Any]) -> str:
    """Show how late jobs of both lanes start, and their calls arrive."""
    origin = (
        f"{found['jobs']} jobs of each lane, spread over {found['spread_seconds']:.0f} s,"
        f" {said(found)}"
    )
    rows = [
        (
            _LANES[lane],
            what,
            *(f"{each[name]:.0f}" for name in ("p50_ms", "p95_ms", "p99_ms", "max_ms")),
            f"{each['early']}",
        )
        for lane, kinds in found["lanes"].items()
        for what, each in kinds.items()
    ]
    head = ("lane", "of", "p50, ms", "p95, ms", "p99, ms", "latest, ms", "early")
    plots = "\n\n".join(_curve(lane, kinds["start"]) for lane, kinds in found["lanes"].items())
    return f"{origin}\n\n{table(head, rows)}\n\n{plots}"


def _curve(lane: str, starts: Mapping[str, Any]) -> str:
    title = f"Starts of {_LANES[lane]} jobs"
    span = '"percent of the runs are no later" 5 --> 100'
    return lines(title, span, "ms late", [starts["curve_ms"]])


def imports(found: Mapping[str, Any]) -> str:
    """Show what each function imports beside a bare client, the largest first."""
    functions: dict[str, Mapping[str, Any]] = {
        "`api`, and its first `GET /v1/jobs`": found["first_request"],
        **{f"`{name}`": each for name, each in found["functions"].items()},
    }
    ordered = sorted(functions.items(), key=lambda each: -each[1]["ratio"])
    rows = [_imported(name, each) for name, each in ordered]
    head = (
        *("function", "times a bare client", "processor time, ms", "a bare client's, ms"),
        *("own modules", "all modules"),
    )
    names = {name.replace("`", "").replace("api, and", "api and"): each for name, each in ordered}
    plot = bars(
        "Imports of a cold start",
        "times a bare client",
        {name: each["ratio"] for name, each in names.items()},
    )
    origin = f"Medians of {found['repetitions']} pairs, {said(found)}"
    return f"{origin}\n\n{table(head, rows)}\n\n{plot}"


def _imported(name: str, each: Mapping[str, Any]) -> Sequence[str]:
    return (
        name,
        f"{each['ratio']:.2f}",
        *(f"{each[ms]:.0f}" for ms in ("ms", "client_ms")),
        *(f"{each[modules]:.0f}" for modules in ("own_modules", "modules")),
    )


#: Measures of a line of tasks: its whole time by tasks, and the time between two ends.
_MEASURES = {
    "ms_per_task": "a task, its share of the start included",
    "ms_between": "from the end of a task to that of the next",
}


def dags(found: Mapping[str, Any]) -> str:
    """Show a line of tasks by Timegate and by Step Functions alone."""
    origin = (
        f"{found['repetitions']} courses of {found['tasks']} tasks by each, in turn, {said(found)}"
    )
    columns = {"Timegate": "timegate", "Step Functions alone": "plain", "added": "added"}
    rows = [
        (f"{p}, ms {words}", *(f"{found[f'{key}_{m}'][f'{p}_ms']:.0f}" for key in columns.values()))
        for m, words in _MEASURES.items()
        for p in ("p50", "p95")
    ]
    counted = found["transitions"]
    transitions = [" or ".join(map(str, counted[key])) for key in ("timegate", "plain")]
    rows.append(("state transitions of a course", *transitions, ""))
    medians = {
        name: found[f"{columns[name]}_ms_per_task"]["p50_ms"]
        for name in ("Timegate", "Step Functions alone")
    }
    plot = bars("A task of a line, median", "ms", medians)
    return f"{origin}\n\n{table(('', *columns), rows)}\n\n{plot}"


def answers(found: Mapping[str, Any]) -> str:
    """Show the ratios of times of answers about foreign and unknown ids."""
    between = found["between"]
    rows = [
        (what, f"{lowest:.3f}", f"{highest:.3f}")
        for what, (lowest, highest) in (
            ("a foreign id beside an unknown one", between["ratio"]),
            ("two halves of the unknown ones", between["noise"]),
        )
    ]
    origin = (
        f"{len(found['routes'])} routes that take an id, {found['requests']} requests of each,"
        f" {said(found)}"
    )
    head = ("medians of a handler's time, divided", "lowest of the routes", "highest")
    return f"{origin}\n\n{table(head, rows)}"
