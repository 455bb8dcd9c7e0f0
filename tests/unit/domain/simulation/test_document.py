"""Scenarios as they are written: what is accepted, and what is refused where."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.simulating import simulated
from tests.unit.domain.simulation.refused_documents import (
    MINUTELY,
    RANGE,
    REFUSED,
    REFUSED_JOBS,
    document,
)
from timegate.domain.errors import InvalidInput
from timegate.domain.job import CatchUp, CatchUpPolicy
from timegate.domain.overlap import Overlap, OverlapPolicy
from timegate.domain.simulation import Scenario, SimulatedJob, read_document, simulate

ROOT = Path(__file__).resolve().parents[4]


def read(**changes: Any) -> Scenario:  # noqa: ANN401 - any JSON
    """The scenario that a document tells."""
    return read_document(document(**changes)).scenario


def job(**changes: Any) -> SimulatedJob:  # noqa: ANN401 - any JSON
    """The only job of a document."""
    (only,) = read(**changes).jobs
    return only


def test_what_is_left_out_gets_the_schedulers_defaults() -> None:
    """A scenario of three fields is a job without troubles."""
    scenario = read()

    (job,) = scenario.jobs

    assert job.created_at == job.anchored_at == scenario.start
    assert (job.catch_up, job.overlap, job.name) == (CatchUp(), Overlap(), None)
    assert [*scenario.planner_outages, *job.pauses, *job.edits] == []
    assert len(simulated(scenario).rows) == 59


def test_a_policy_is_read_with_its_fields() -> None:
    """And the others keep their defaults."""
    assert job(catch_up={"policy": "all", "limit": 3}).catch_up == CatchUp(limit=3)
    assert job(catch_up={"policy": "latest", "window_seconds": 9}).catch_up == CatchUp(
        policy=CatchUpPolicy.LATEST, window_seconds=9
    )


def test_an_overlap_policy_is_read_with_its_fields() -> None:
    """And the others keep their defaults."""
    assert job(overlap={"policy": "forbid"}).overlap == Overlap(policy=OverlapPolicy.FORBID)
    assert job(
        overlap={"policy": "queue", "max_concurrent": 3, "concurrency_key": "db"}
    ).overlap == Overlap(policy=OverlapPolicy.QUEUE, max_concurrent=3, concurrency_key="db")


def test_several_jobs_have_names() -> None:
    """And ids of their own, unless they say which."""
    first = {"name": "a", "schedule": {"kind": "immediate"}}
    second = {"name": "b", "schedule": MINUTELY["schedule"], "expect": {"runs": 1}}
    document = read_document(RANGE | {"jobs": [first, second], "expect": {"runs": 2}})
    jobs = document.scenario.jobs

    assert [(each.name, each.path) for each in jobs] == [("a", "jobs.0."), ("b", "jobs.1.")]
    assert jobs[0].job_id != jobs[1].job_id
    assert {name: each.numbers for name, each in document.expectations.items()} == {
        "a": {},
        "b": {"runs": 1},
        None: {"runs": 2},
    }


@pytest.mark.parametrize(("changes", "field", "code"), REFUSED_JOBS)
def test_what_one_of_several_jobs_cannot_be_names_the_job(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its number, from 0."""
    with pytest.raises(InvalidInput) as refused:
        simulate(read_document(RANGE | changes).scenario)

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize(("changes", "field", "code"), REFUSED)
def test_what_cannot_be_accepted_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its whole path, with a stable code."""
    with pytest.raises(InvalidInput) as refused:
        simulate(read(**changes))

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize(
    ("to", "refused"),
    [
        pytest.param("2026-11-21T12:33:21Z", False, id="20000"),
        pytest.param("2026-11-21T12:33:22Z", True, id="20001"),
        pytest.param("8000-01-01T00:00:00Z", True, id="much-more"),
    ],
)
def test_a_simulation_has_at_most_twenty_thousand_instants(to: str, *, refused: bool) -> None:
    """More is refused before anything is computed."""
    scenario = read(schedule={"kind": "rate", "every_seconds": 1}, to=to)
    if not refused:
        assert len(simulated(scenario).rows) == 20_000
        return

    with pytest.raises(InvalidInput) as error:
        simulate(scenario)
    assert (error.value.field, error.value.code) == ("to", "simulation_too_large")


def test_the_page_knows_every_code() -> None:
    """As the code writes them; those of schedules have a page of their own."""
    page = (ROOT / "docs" / "simulate.md").read_text()
    package = ROOT / "layers/core/python/timegate/domain/simulation"
    sources = [path.read_text() for path in package.glob("*.py")]
    others = ("cli/simulate.py", "usecases/simulate_scenario.py")
    sources += [(ROOT / "layers/core/python/timegate" / name).read_text() for name in others]
    named = r'(?:InvalidInput|_refuse)\(\s*[^,()]+(?:\([^()]*\))?,\s*"(\w+)"'
    codes = {code for source in sources for code in re.findall(named, source)}
    listed = {
        code
        for row in re.findall(
            r"^\| (`\w+`(?:, `\w+`)*) \| ", page.partition("## Refusals")[2], re.MULTILINE
        )
        for code in re.findall(r"\w+", row)
    }
    elsewhere = {"ends_before_start", "out_of_range", "no_utc_offset"}

    assert codes - elsewhere == listed
    assert all(f"`{code}`" in (ROOT / "docs/schedules.md").read_text() for code in elsewhere)
