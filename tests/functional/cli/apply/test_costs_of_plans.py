"""Plans name the costs of their jobs."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

MINUTELY = """
kind: Job
name: often
spec:
  schedule: {kind: cron, cron: "* * * * *"}
  action: {type: webhook, url: https://example.com/often}
"""


def test_a_plan_names_the_cost_of_its_jobs(timegate: Timegate, tmp_path: Path) -> None:
    """A new job, a changed one and the month's whole bill are shown."""
    path = tmp_path / "often.yaml"
    path.write_text(MINUTELY)
    new = timegate("diff", "-f", str(path)).out
    timegate("apply", "-f", str(path), "--yes")
    path.write_text(MINUTELY.replace("* * * * *", "0 9 * * *"))
    changed = timegate("diff", "-f", str(path)).out
    costs = timegate("diff", "-f", str(path), "--json").json["steps"][0]["cost"]
    path.write_text(MINUTELY.replace("often", "other"))
    pruned = timegate("diff", "-f", str(path), "--prune").out

    assert re.search(r"    cost: about \d\.\d\d to \d\.\d\d USD a month: 43,200 runs\n", new)
    assert re.search(r"Runs would cost \+\d\.\d\d to \+\d\.\d\d USD a month\.\n", new)
    assert re.search(
        r"    cost: about .*: 43,200 runs → 0.01 USD or less a month: 30 runs\n", changed
    )
    assert re.search(r"Runs would cost -\d\.\d\d to -\d\.\d\d USD a month\.\n", changed)
    assert costs["runs"] == 30
    assert "Runs would cost" not in pruned


def test_a_plan_without_a_change_names_no_cost(timegate: Timegate, tmp_path: Path) -> None:
    """Its bill stays as it is."""
    path = tmp_path / "often.yaml"
    path.write_text(MINUTELY)
    timegate("apply", "-f", str(path), "--yes")

    assert "cost" not in timegate("diff", "-f", str(path)).out
