"""Play the study, and write its results and its page: ``python -m bench.scale.wheels``."""

import json

from bench.scale.wheels.report import ROOT, page, played

RESULTS = ROOT / "bench" / "results" / "wheels.json"
PAGE = ROOT / "docs" / "design" / "wheels.md"


def main() -> None:
    """Play and write."""
    results = played()
    RESULTS.write_text(f"{json.dumps(results, indent=1)}\n")
    PAGE.write_text(page(results))


if __name__ == "__main__":
    main()
