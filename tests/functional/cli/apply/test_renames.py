"""``timegate apply --prune``: nothing ends before what takes its place is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World
from timegate.client import NotReachable
from timegate.declaring.stage import Stage

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
JOB = """
kind: Job
name: {name}
spec: {{schedule: {{kind: manual}}, action: {{type: webhook, url: "https://example.com"}}}}
---
"""


@pytest.fixture
def apply(timegate: Timegate, tmp_path: Path, served: World) -> Callable[..., Outcome]:
    """Apply jobs of these names, and end the others of the set."""

    def applied(*names: str) -> Outcome:
        path = tmp_path / "jobs.yaml"
        path.write_text("".join(JOB.format(name=each) for each in names))
        return timegate("apply", "-f", str(path), "--yes", "--prune", "--replace")

    return applied


def active(timegate: Timegate) -> set[str]:
    """Name the jobs that are there."""
    listed = timegate("jobs", "list", "--status", "active", "--json").json["items"]
    return {each["name"] for each in listed}


def test_a_renamed_job_stays_while_its_successor_cannot_be_made(
    timegate: Timegate, apply: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was ended, and nothing ran in its place; applied again, the rest is done."""
    apply("nightly")
    create = Stage.create

    monkeypatch.setattr(
        Stage, "create", Mock(side_effect=NotReachable("https://api.example.com", "gone"))
    )
    partly = apply("nightly load")
    left = active(timegate)
    monkeypatch.setattr(Stage, "create", create)
    wholly = apply("nightly load")

    assert partly.code == 1
    assert "Job/nightly left out: it ends after Job/nightly load" in partly.out
    assert "2 of 2 could not be done; apply again finishes it." in partly.err
    assert left == {"nightly"}
    assert (wholly.code, active(timegate)) == (0, {"nightly load"})


def test_an_end_that_fails_stops_no_other(
    timegate: Timegate, apply: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing takes the place of what ends."""
    apply("a", "b", "c")
    end = Stage.end

    def lost(stage: Stage, known: Any) -> None:  # noqa: ANN401 - as the method
        if known.name == "a":
            raise NotReachable("https://api.example.com", "gone")
        end(stage, known)

    monkeypatch.setattr(Stage, "end", lost)
    partly = apply("c")

    assert "Job/b pruned" in partly.out
    assert active(timegate) == {"a", "c"}
