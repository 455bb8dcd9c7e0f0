"""Play every course, and write its results and the page: ``python -m bench.scale``.

It takes ten minutes of one processor. ``python -m bench.scale midnight peak`` plays these anew
and keeps the results of the others; ``none`` writes the page alone.
"""

import json
import sys
from pathlib import Path
from typing import Any

from bench.scale.courses import courses
from bench.scale.report import page
from bench.scale.results import result

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results" / "scale.json"
PAGE = ROOT / "docs" / "design" / "scale.md"


def main() -> None:
    """Play, print and write."""
    wanted = sys.argv[1:]
    kept = json.loads(RESULTS.read_text()) if wanted else []
    found: list[dict[str, Any]] = []
    for scenario in courses():
        if wanted and scenario.name not in wanted:
            found += [each for each in kept if each["scenario"] == scenario.name]
            continue
        for label in scenario.choices:
            found.append(result(scenario, label, scenario.play(label)))
            sys.stdout.write(f"{json.dumps(found[-1])}\n")
            sys.stdout.flush()
    RESULTS.write_text(f"{json.dumps(found, indent=1)}\n")
    PAGE.write_text(page(found))


if __name__ == "__main__":
    main()
