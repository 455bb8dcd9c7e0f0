"""A scenario on the stack fails on any difference: each rule that is broken shows in a row."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import yaml
from typer.testing import CliRunner

from tests.support.simulation.scenario_player import Player, Surroundings
from tests.support.simulation.scenario_rows import hold_ledgers
from tests.support.simulation.scenario_timeline import Document, jobs_of
from timegate.cli.main import app
from timegate.domain.values.identity import JobId

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
Item = dict[str, Any]
#: Between them: runs that begin, are skipped and replaced, gaps of several reasons, and two jobs.
NAMES = [
    "replaced",
    "paused-within-the-look-ahead",
    "christmas",
    "shared-key",
    "bounded-and-edited",
]
OTHER = "2026-11-21T07:00:00.001Z"


@cache
def printed(name: str) -> str:
    """The simulation of an example, as the command prints it."""
    path = EXAMPLES / f"{name}.yaml"
    return CliRunner().invoke(app, ["simulate", "-f", str(path), "--json"]).stdout


def simulated(name: str) -> tuple[Document, list[Item]]:
    """A scenario, and the rows of its simulation."""
    rows: list[Item] = json.loads(printed(name))["rows"]
    return yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text()), rows


def as_answered(number: int, row: Item) -> Item:
    """A simulated row as the API's ledger answers it."""
    if row["type"] == "gap":
        return row | {"kind": "gap"}
    return row | {"kind": "run", "run_id": f"run-{number}", "instant": row["scheduled_at"]}


def ledger_of(name: str, document: Document, number: int, items: list[Item]) -> Any:  # noqa: ANN401
    """Read what a stack with these records answers, as a player of scenarios reads it."""

    def answer(request: httpx.Request) -> httpx.Response:
        runs = [item for item in items if item["kind"] == "run"]
        wanted = runs if request.url.path.endswith("/runs") else items
        return httpx.Response(200, json={"items": wanted, "next_cursor": None})

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="https://stack.test")
    around = cast("Surroundings", _Around(client))
    player = Player(name, document, (0,), around, jobs={number: JobId("job")})
    return player.ledger(number)


class _Around:
    """All that reading a ledger takes."""

    def __init__(self, client: httpx.Client) -> None:
        self.api = lambda: client


def compare(name: str, change: Callable[[list[Item]], None]) -> None:
    """Compare a scenario with a stack whose first job's records are changed."""
    document, rows = simulated(name)
    ledgers = {}
    for number, job in enumerate(jobs_of(document)):
        own = [row for row in rows if row["job"] == job.get("name")]
        items = [as_answered(place, row) for place, row in enumerate(own)]
        if number == 0:
            change(items)
        ledgers[number] = ledger_of(name, document, number, items)
    hold_ledgers(document, rows, ledgers)


def of_a_run(**changes: object) -> Callable[[list[Item]], None]:
    """Another field of the last run."""

    def change(items: list[Item]) -> None:
        run = [item for item in items if item["kind"] == "run"][-1]
        assert all(run[field] != value for field, value in changes.items())
        run |= changes

    return change


def of_a_gap(**changes: object) -> Callable[[list[Item]], None]:
    """Another field of the last gap."""

    def change(items: list[Item]) -> None:
        gap = [item for item in items if item["kind"] == "gap"][-1]
        assert all(gap[field] != value for field, value in changes.items())
        gap |= changes

    return change


def missing(items: list[Item]) -> None:
    """The last record is lost."""
    del items[-1]


def extra(items: list[Item]) -> None:
    """The last instant has another record."""
    items.append(items[-1] | {"run_id": "another"})


def swapped(items: list[Item]) -> None:
    """Two runs stand in the wrong order."""
    items[0], items[-1] = items[-1], items[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_stack_that_keeps_the_rules_passes(name: str) -> None:
    """Its answers hold exactly what is simulated."""
    compare(name, lambda _: None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(missing, id="missing"),
        pytest.param(extra, id="twice"),
        pytest.param(swapped, id="in another order"),
        pytest.param(of_a_run(state="failed"), id="state"),
        pytest.param(of_a_run(reason="late"), id="reason"),
        pytest.param(of_a_run(instant=OTHER), id="instant"),
        pytest.param(of_a_run(due_at=OTHER), id="due"),
        pytest.param(of_a_run(started_at=OTHER), id="start"),
        pytest.param(of_a_run(ended_at=OTHER), id="end"),
    ],
)
def test_a_stack_that_breaks_a_rule_fails(name: str, change: Callable[[list[Item]], None]) -> None:
    """A run changed in any field, one too few or too many; the message is a table."""
    with pytest.raises(AssertionError, match=r"instants +count +state"):
        compare(name, change)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(of_a_gap(reason="missed_window"), id="reason"),
        pytest.param(of_a_gap(first=OTHER), id="first"),
        pytest.param(of_a_gap(last=OTHER), id="last"),
        pytest.param(of_a_gap(count=99), id="count"),
        pytest.param(of_a_gap(rolled_to=OTHER), id="rolled to"),
    ],
)
def test_a_stack_with_another_gap_fails(change: Callable[[list[Item]], None]) -> None:
    """A gap with another reason, span or number is a difference."""
    with pytest.raises(AssertionError, match=r"instants +count +state"):
        compare("christmas", change)
