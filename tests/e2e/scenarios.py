"""The scenarios of ``docs/examples`` on the deployed stack: as the simulation says.

The stack has a clock of its own, which is set from one instant at which something happens to the
next: a week of a daily job takes seconds.
"""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from infra.local.webhook_target import Recorder
from tests.support.scenario_player import Player, pass_quietly
from tests.support.scenario_rows import rows_of_simulation
from tests.support.scenario_timeline import start_of
from tests.support.stack import Stack, deployed
from timegate.cli.main import app

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
#: Scenarios that the player cannot carry out, each with its reason.
NOT_PLAYED = {
    "shared-key.yaml": "its runs take 25 minutes",
    "too-late.yaml": "it stops executors, which have no switch of their own here",
}


def _documents() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(EXAMPLES.iterdir()):
        if path.name not in NOT_PLAYED:
            yield path.name, yaml.safe_load(path.read_text())


#: In the order of their time: the cloud's clock is never set back.
PLAYED = sorted(_documents(), key=lambda each: start_of(each[1]))


@pytest.fixture(scope="module")
def timeless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack whose clock stands before the first scenario, with no cursor of the present."""
    with deployed(tmp_path_factory.mktemp("timeless"), auth=True, settable=True) as stack:
        assert stack.cloud.clock is not None
        stack.cloud.clock.set(start_of(PLAYED[0][1]) - timedelta(hours=1))
        yield stack


@pytest.fixture
def no_job_outlives_its_test() -> None:
    """Replaces the fixture of the other stack, which is not needed here."""


@pytest.mark.parametrize(("name", "document"), PLAYED, ids=[name for name, _ in PLAYED])
def test_the_stack_does_what_the_simulation_says(
    timeless: Stack, recorder: Recorder, name: str, document: dict[str, Any]
) -> None:
    """Every instant has the same record: a run in the same state, or a gap for the same reason."""
    assert timeless.cloud.clock is not None
    answer = CliRunner().invoke(app, ["simulate", "-f", str(EXAMPLES / name), "--json"])
    simulated = json.loads(answer.stdout)["rows"]
    pass_quietly(timeless, start_of(document))
    player = Player(timeless, timeless.cloud.clock, recorder, document, simulated)
    try:
        found = player.play()
    finally:
        player.clean_up()

    assert rows_of_simulation(simulated) == found
