"""The scenarios of ``docs/examples`` on the deployed stack: as the simulation says.

The stack has a clock of its own, which stands at each instant until nothing happens any more. All
scenarios are played together along one line of time.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, deployed
from tests.support.deployed.timing.stack_clockwork import Clockwork
from tests.support.simulation.scenario_course import Course, Ledgers
from tests.support.simulation.scenario_rows import hold_ledgers
from tests.support.simulation.scenario_timeline import outages_of
from timegate.cli.main import app

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
DOCUMENTS = {path.name: yaml.safe_load(path.read_text()) for path in sorted(EXAMPLES.iterdir())}


def simulated(name: str) -> list[dict[str, Any]]:
    """The rows that the command prints for an example."""
    answer = CliRunner().invoke(app, ["simulate", "-f", str(EXAMPLES / name), "--json"])
    rows: list[dict[str, Any]] = json.loads(answer.stdout)["rows"]
    return rows


@pytest.fixture(scope="module")
def settable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack whose clock can be set, and which enforces IAM."""
    with deployed(tmp_path_factory.mktemp("settable"), auth=True, settable=True) as stack:
        yield stack


@pytest.fixture(scope="module")
def course(settable: Stack, recorder: Recorder) -> Iterator[Course]:
    """The stack, stood still."""
    clock = settable.cloud.clock
    assert clock is not None
    with closing(Course(settable, recorder, Clockwork(settable, clock))) as played:
        yield played


@pytest.fixture(scope="module")
def ledgers(course: Course, request: pytest.FixtureRequest) -> Ledgers:
    """Return the stack's ledgers of the scenarios that this session asks for."""
    items = request.session.items
    asked = [name for name in DOCUMENTS if any(f"[{name}]" in item.name for item in items)]
    asked = asked or list(DOCUMENTS)
    return course.play(
        {name.partition(".")[0]: (DOCUMENTS[name], simulated(name)) for name in asked}
    )


@pytest.fixture
def no_job_outlives_its_test() -> None:
    """Replaces the fixture of the other stack, which is not needed here."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_stack_does_what_the_simulation_says(ledgers: Ledgers, name: str) -> None:
    """Every instant has the same record: a run that began and ended then, or a gap."""
    hold_ledgers(DOCUMENTS[name], simulated(name), ledgers[name.partition(".")[0]])


def test_the_auditor_misses_no_record(course: Course, ledgers: Ledgers) -> None:
    """Edits, pauses, rolls and bounds raise no alarm; outages do, for what is overdue meanwhile."""
    down = {name for name in ledgers if outages_of(course.documents[name], "planner")}
    audited = sum(found["instants"] for found in course.audits.values())

    assert course.findings() <= {(name, "instant_overdue") for name in down}
    assert audited >= sum(len(rows) for jobs in ledgers.values() for rows in jobs.values())
