"""The demonstration as a table that is redrawn while it happens."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from infra.local.demo.scenes import Scene

_COLOURS = {
    "succeeded": "green",
    "dead_lettered": "magenta",
    "failed": "red",
    "running": "cyan",
    "queued": "yellow",
}
_COLUMNS = ("job", "kind", "priority", "target", "due", "started", "late ms", "tries", "outcome")
_NUMBERS = frozenset({"late ms", "tries"})
_CLOCK = slice(len("2026-01-01T"), len("2026-01-01T00:00:00.000"))

Runs = Mapping[str, list[Mapping[str, Any]]]


def table(scenes: Iterable[Scene], runs: Runs) -> Table:
    """Every run known so far, each job's in the order of their instants."""
    drawn = Table(
        title="Timegate, live (times in UTC)", title_justify="left", box=SIMPLE_HEAD, pad_edge=False
    )
    for column in _COLUMNS:
        drawn.add_column(column, justify="right" if column in _NUMBERS else "left", no_wrap=True)
    for scene in scenes:
        for row in _rows(scene, runs[scene.name]):
            drawn.add_row(*row)
    return drawn


def _rows(scene: Scene, runs: list[Mapping[str, Any]]) -> list[list[str]]:
    definition = scene.definition
    job = [scene.name, definition["schedule"]["kind"], definition["priority"], scene.target]
    return [
        [*(job if first else [""] * len(job)), *_run(run)]
        for first, run in zip([True, *[False] * len(runs)], reversed(runs), strict=False)
    ] or [[*job, "", "", "", "", "planned"]]


def _run(run: Mapping[str, Any]) -> list[str]:
    late, state = run["lateness_ms"], run["state"]
    colour = _COLOURS.get(state, "white")
    return [
        run["due_at"][_CLOCK],
        (run["started_at"] or "")[_CLOCK],
        "" if late is None else f"{late:.0f}",
        str(run["attempt"]),
        f"[{colour}]{state}[/{colour}]",
    ]
