"""The parts of ``docs/design/performance.md`` that stored answers fill, by their marks."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.page.alternatives import alternatives
from bench.page.meetings import contention, slots
from bench.page.memory import memory
from bench.page.planning import fairness, planning, registered
from bench.page.routes import creation, keys, routes
from bench.page.sections import kept, section
from bench.page.starts import answers, dags, imports, lateness

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "design" / "performance.md"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of the page: its answer, by the name of the file, and its text."""

    answer: str
    text: Callable[[Mapping[str, Any]], str]

    def read(self) -> Mapping[str, Any]:
        """Return the stored answer."""
        stored = ROOT / "bench" / "results" / f"{self.answer}.json"
        found: Mapping[str, Any] = json.loads(stored.read_text())
        return found


#: By the name in the marks.
PARTS: Mapping[str, Part] = {
    "lateness": Part(answer="lateness", text=lateness),
    "planning": Part(answer="planner_tick", text=planning),
    "registered": Part(answer="registered", text=registered),
    "contention": Part(answer="contention", text=contention),
    "slots": Part(answer="slots", text=slots),
    "fairness": Part(answer="fairness", text=fairness),
    "alternatives": Part(answer="alternatives", text=alternatives),
    "dags": Part(answer="dag_overhead", text=dags),
    "routes": Part(answer="api_routes", text=routes),
    "creation": Part(answer="creation", text=creation),
    "keys": Part(answer="api_keys", text=keys),
    "answers": Part(answer="isolation_timing", text=answers),
    "imports": Part(answer="cold_imports", text=imports),
    "memory": Part(answer="memory", text=memory),
}


def written(page: str) -> str:
    """Return the page with each part made anew."""
    for name, part in PARTS.items():
        page = page.replace(kept(page, name), section(name, part.text(part.read())))
    return page
