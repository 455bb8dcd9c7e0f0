"""Scenarios as they are written: what is accepted, and what is refused where."""

import re
from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.simulation.simulating import simulated
from tests.unit.domain.simulation.refused_documents import (
    MINUTELY,
    RANGE,
    REFUSED,
    REFUSED_JOBS,
    document,
)
from tests.unit.domain.simulation.refused_restrictions import REFUSED_CALENDARS, REFUSED_FREEZES
from timegate.contracts.simulation.reading import read_document
from timegate.contracts.values.refused_values import CODES
from timegate.domain.calendars.calendar import WEEK
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.simulation import Scenario, SimulatedJob, simulate
from timegate.domain.values.errors import InvalidInput

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


#: Entries of every kind.
CLOSED = {
    "timezone": "Europe/Berlin",
    "days": [{"first": "2026-12-24", "last": "2026-12-26"}, {"first": "2027-01-01"}],
    "weekdays": ["sat", "sun"],
    "windows": [{"opens": "22:00", "closes": "06:00:30"}],
    "periods": [{"start": "2026-11-21T07:00:00Z", "end": "2026-11-21T08:00:00Z"}],
    "edits": [{"at": "2026-11-21T07:30:00Z", "calendar": None}],
}
TEN_MINUTES = {"from": "2026-11-21T07:10:00Z", "to": "2026-11-21T07:20:00Z"}


def test_calendars_are_read_as_the_api_takes_them() -> None:
    """The rules of the job, the calendars of its tenant and what becomes of them."""
    rules = [{"calendar": "closed", "mode": "only", "action": "defer"}]
    scenario = read(calendar_rules=rules, calendars={"closed": CLOSED})
    (only,), (calendar,) = scenario.jobs, scenario.calendars
    rule = CalendarRule(calendar="closed", mode=CalendarMode.ONLY, action=CalendarAction.DEFER)

    assert only.calendar_rules == (rule,)
    assert (calendar.name, calendar.timezone, calendar.entries) == ("closed", "Europe/Berlin", 6)
    assert (calendar.windows[0].weekdays, calendar.windows[0].closes) == (WEEK, time(6, 0, 30))
    assert [(edit.name, edit.calendar) for edit in scenario.calendar_edits] == [("closed", None)]


def test_freezes_are_read_with_their_scope() -> None:
    """Known from the beginning, and thawing as the job says, unless told otherwise."""
    tag = {"scope": {"kind": "tag", "key": "team", "value": "billing"}, **TEN_MINUTES}
    own = {
        "scope": {"kind": "job"},
        **TEN_MINUTES,
        "thaw": "skip",
        "created_at": TEN_MINUTES["from"],
        "lifted_at": "2026-11-21T07:15:00Z",
    }
    scenario = read(tags={"team": "billing"}, freezes=[tag, own])
    (only,), (by_tag, of_job) = scenario.jobs, scenario.freezes
    lifted_at = scenario.start + timedelta(minutes=15)

    assert only.tags == {"team": "billing"}
    assert (by_tag.scope.value, by_tag.thaw) == ("team=billing", ThawPolicy.JOB)
    assert (by_tag.created_at, by_tag.lifted_at) == (scenario.start, None)
    assert (of_job.scope.value, of_job.thaw) == (only.job_id, ThawPolicy.SKIP)
    assert (of_job.created_at, of_job.lifted_at) == (of_job.starts_at, lifted_at)


@pytest.mark.parametrize("scope", [{"job": "b"}, {"job_id": "b" * 26}], ids=["name", "id"])
def test_a_freeze_may_be_that_of_one_of_several_jobs(scope: dict[str, str]) -> None:
    """By its name in the scenario, or by its id."""
    jobs = [{"name": name, "schedule": {"kind": "immediate"}, "job_id": name * 26} for name in "ab"]
    freezes = [{"scope": {"kind": "job", **scope}, **RANGE}]
    scenario = read_document({**RANGE, "jobs": jobs, "freezes": freezes}).scenario

    assert scenario.freezes[0].scope.value == "b" * 26


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


@pytest.mark.parametrize(
    ("changes", "field", "code"), [*REFUSED, *REFUSED_CALENDARS, *REFUSED_FREEZES]
)
def test_what_cannot_be_accepted_names_its_field(
    changes: dict[str, Any], field: str, code: str
) -> None:
    """By its whole path, with a stable code."""
    with pytest.raises(InvalidInput) as refused:
        simulate(read(**changes))

    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}])
def test_what_json_cannot_hold_is_refused_as_a_whole(value: object) -> None:
    """YAML knows numbers and sets that no request can carry."""
    with pytest.raises(InvalidInput) as refused:
        read(run_seconds=value)

    assert (refused.value.field, refused.value.code) == ("scenario", "wrong_type")


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
    """The page lists the codes of the code; another page lists those of schedules."""
    page = (ROOT / "docs" / "guides" / "simulate.md").read_text()
    package = ROOT / "layers/core/python/timegate"
    sources = [
        path.read_text()
        for room in ("domain/simulation", "contracts/simulation")
        for path in (package / room).rglob("*.py")
    ]
    others = (
        *("cli/simulation/simulate.py", "usecases/simulation/simulate_scenario.py"),
        *("domain/values/durations.py", "domain/values/written_instants.py"),
    )
    sources += [(ROOT / "layers/core/python/timegate" / name).read_text() for name in others]
    named = r'(?:InvalidInput|_refuse)\(\s*[^,()]+(?:\([^()]*\))?,\s*"(\w+)"'
    codes = {code for source in sources for code in re.findall(named, source)}
    # Rules that a scenario shares with a job.
    codes |= set(CODES.values()) | {"not_for_this_policy", "not_for_this_schedule"}
    listed = {
        code
        for row in re.findall(
            r"^\| (`\w+`(?:, `\w+`)*) \| ", page.partition("## Refusals")[2], re.MULTILINE
        )
        for code in re.findall(r"\w+", row)
    }
    elsewhere = {"ends_before_start", "out_of_range", "no_utc_offset"}

    # ``required``: a field of a contract is missing.
    assert codes - elsewhere - {"required"} == listed
    assert all(
        f"`{code}`" in (ROOT / "docs/concepts/schedules.md").read_text() for code in elsewhere
    )
