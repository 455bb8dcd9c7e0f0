"""The page of costs says what the code does and what the templates have."""

import re
from pathlib import Path

import pytest

from bench.cost.flows import measured
from bench.cost.idle import idle_month
from bench.cost.meter import MEMORY_MB
from bench.cost.page import module, page
from bench.cost.quotas import priced
from tests.infra.stage_template import StageTemplate

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def stages(dev: StageTemplate, prod: StageTemplate) -> dict[str, StageTemplate]:
    """The stages that the page has."""
    return {"dev": dev, "prod": prod}


def test_the_page_is_what_is_counted_today(stages: dict[str, StageTemplate]) -> None:
    """``make bench-cost`` writes it anew."""
    idle = {stage: idle_month(template.assembly) for stage, template in stages.items()}
    flows = measured()
    metering = ROOT / "layers/core/python/timegate/domain/metering"

    assert (ROOT / "docs/design/cost.md").read_text() == page(flows, priced(), idle)
    assert (metering / "measured_flows.py").read_text() == module(flows)


def test_the_readme_names_the_price_of_an_idle_stage(stages: dict[str, StageTemplate]) -> None:
    """Rounded to a dollar."""
    said = re.search(r"about (\d+) USD a month \(`dev`\), (\d+) in `prod`", _readme())
    month = [sum(line.usd for line in idle_month(each.assembly)) for each in stages.values()]

    assert said is not None
    assert [int(said[1]), int(said[2])] == [round(usd) for usd in month]


def test_functions_have_the_memory_that_they_are_billed_for(dev: StageTemplate) -> None:
    """The executor is that of the ordinary lane."""
    names = {name: "executor-normal-short" if name == "executor" else name for name in MEMORY_MB}
    deployed = {
        name: dev.function(physical).properties["MemorySize"] for name, physical in names.items()
    }

    assert deployed == MEMORY_MB


def _readme() -> str:
    return " ".join((ROOT / "README.md").read_text().split())
