"""The model beside the local stack: the same burst on both, with the emulator's times put in.

    python -m bench.scale.calibration

What the stack did is in ``bench/results/alternatives.json``. Put in are, burst by burst, the
processor time of a run in Timegate's functions and in the emulator, which is one process, and the
share of a core that a program got meanwhile; the lane's most batches, and the emulator's looks at a
queue. Compared are starts a second.
"""

import json
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from bench.scale import costs, facts
from bench.scale.model.stage import Choices, Stage
from bench.scale.scenarios import FIRST, spread
from infra.stage.settings import STAGES

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "bench" / "results" / "alternatives.json"
RESULTS = ROOT / "bench" / "results" / "calibration.json"
#: Between two looks of the emulator at its queues, and what it takes to hand a batch over.
_LOOK_SECONDS = 0.01
#: Write units of a run from its claim on: the emulator's time is spread over them.
_UNITS = 2
_PATIENCE = 3_600.0


def main() -> None:
    """Play and write."""
    results = json.loads(MEASURED.read_text())
    RESULTS.write_text(f"{json.dumps(compared(results), indent=1)}\n")


def compared(results: dict[str, Any]) -> dict[str, Any]:
    """Return measured and modelled starts a second of each burst, and the factors between them."""
    ours = results["contenders"]["Timegate"]
    names = ("own_ms_a_run", "emulator_ms_a_run", "core_share")
    bursts = []
    for number, measured in enumerate(ours["runs_a_second"]):
        given = {name: ours[name][number] for name in names}
        modelled = _played(results["jobs"], **given)
        factor = round(modelled / measured, 2)
        bursts.append({**given, "measured": measured, "modelled": modelled, "factor": factor})
    origin = {name: results[name] for name in ("machine", "commit", "date", "jobs")}
    return {**origin, "bursts": bursts, "factor": median(each["factor"] for each in bursts)}


def _played(jobs: int, own_ms_a_run: float, emulator_ms_a_run: float, core_share: float) -> float:
    """Play the burst where every call waits for the emulator, which serves one at a time."""
    settings = STAGES["dev"]
    choices = Choices(
        settings=settings,
        table_units=_UNITS * 1000 * core_share / emulator_ms_a_run,
        warm=jobs,
    )
    looks = facts.Latency(((0.0, 0.0), (1.0, _LOOK_SECONDS)), "queue_signal.py of infra/local")
    working = own_ms_a_run / 1000 * facts.processors(1024) / core_share
    with (
        patch.object(facts, "QUEUE_TO_FUNCTION", looks),
        patch.object(costs, "EXECUTE_CPU", working),
        patch.object(costs, "CALL", emulator_ms_a_run / 1000 / core_share),
        patch("bench.scale.model.executors.PATIENCE_SECONDS", _PATIENCE),
        patch("bench.scale.model.planner.PATIENCE_SECONDS", _PATIENCE),
    ):
        stage = Stage(choices, work_seconds=0.0)
        for each in spread(jobs, seconds=1):
            stage.register(each)
        course = stage.run(until=FIRST + 600, runs=jobs)
    (last,) = course.lateness.percentiles([100])
    assert last is not None
    return round(course.begun / last, 1)


if __name__ == "__main__":
    main()
