"""Functions have more memory than they were measured to use (``make bench-memory``)."""

import json
from pathlib import Path

from bench.page.memory import MARGIN
from infra.stage.settings import QUEUE_KEYS
from tests.infra.stage_template import StageTemplate

ROOT = Path(__file__).resolve().parents[3]
FOUND = json.loads((ROOT / "bench/results/memory.json").read_text())


def megabytes(template: StageTemplate, name: str) -> int:
    """The memory of a deployed function."""
    return int(template.function(name).properties["MemorySize"])


def test_a_function_has_half_as_much_again_as_it_used(prod: StageTemplate) -> None:
    """A function that ends for want of memory takes every run in it along."""
    used = {name: each["peak_mb"] for name, each in FOUND["functions"].items()}
    # Any executor may have as many long calls, with the largest payloads.
    most = max(each["peak_mb"] for each in FOUND["long"].values())
    used |= {f"executor-{key}": most for key in QUEUE_KEYS}
    short = {name for name, peak in used.items() if megabytes(prod, name) < MARGIN * peak}

    assert {each["most_at_once"] for each in FOUND["long"].values()} == {100}
    assert short == set()
