"""``docs/concepts/schedules.md``: the API refuses each example with the code beside it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "concepts" / "schedules.md").read_text()
RANGE = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-22T07:00:00Z"}
REFUSALS = PAGE.partition("\n## Refusals\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| `(\w+)` \| [^\n]* \| `(\{[^`]*\})` \|$", REFUSALS, re.MULTILINE)


@pytest.mark.parametrize(("code", "given"), ROWS, ids=[code for code, _ in ROWS])
def test_an_example_is_refused_as_the_page_says(api: Api, code: str, given: str) -> None:
    """In a simulation, as it is offline, and where a job is created."""
    schedule: dict[str, Any] = json.loads(given)
    simulated = api.send("POST", "/v1/simulate", {**RANGE, "schedule": schedule})
    action = {"type": "webhook", "url": "https://hooks.example.com/"}
    created = api.send("POST", "/v1/jobs", {"name": "job", "schedule": schedule, "action": action})

    assert (simulated.status, [found for _, found in simulated.fields]) == (400, [code])
    assert (created.status, [found for _, found in created.fields]) == (400, [code])
    assert simulated.fields[0][0].startswith("schedule.")


def test_every_row_has_an_example() -> None:
    """One with a typing error would be sent by no caller."""
    assert len(ROWS) == REFUSALS.count("\n| `") > 8
