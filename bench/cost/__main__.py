"""Write the page of costs, and the figures of estimates, anew: ``python -m bench.cost``."""

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path

from aws_cdk import App

from app import build
from bench.cost.flows import measured
from bench.cost.idle import idle_month
from bench.cost.page import module, page
from bench.cost.quotas import priced

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "design" / "cost.md"
MODULE = ROOT / "layers/core/python/timegate/domain/metering/measured_flows.py"
STAGES = ("dev", "prod")


def main() -> None:
    """Measure flows and quotas, synthesise the stages, and write the page."""
    with contextlib.redirect_stdout(io.StringIO()):
        flows, quotas = measured(), priced()
    with tempfile.TemporaryDirectory() as folder:
        idle = {stage: idle_month(_synthesised(stage, Path(folder) / stage)) for stage in STAGES}
    text = page(flows, quotas, idle)
    PAGE.write_text(text)
    MODULE.write_text(module(flows))
    sys.stdout.write(text)


def _synthesised(stage: str, outdir: Path) -> Path:
    pinned = json.loads((ROOT / "cdk.json").read_text())["context"]
    build(App(outdir=str(outdir), context={**pinned, "stage": stage})).synth()
    return outdir


if __name__ == "__main__":
    main()
