"""``docs/reference/policies.md``: every pair is refused, or accepted, as the page says."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import TENANT
from timegate.domain.jobs.rules.policy_rules import CONTRADICTIONS
from timegate.domain.limits.overlap import Overlap
from timegate.domain.values.identity import JobId

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "reference" / "policies.md").read_text()
RANGE = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-21T08:00:00Z"}
MINUTELY = {"kind": "rate", "every_seconds": 60}
Fields = dict[str, Any]


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `{")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def code_in(cell: str) -> str:
    """Return the code in a cell's backticks."""
    (found,) = re.findall(r"`([^`]+)`", cell)
    return str(found)


CASES = [
    (given, json.loads(code_in(given)), code_in(field), code_in(code))
    for given, field, code, _ in rows("Refused")
]
REFUSED = [pytest.param(*case, id=given) for given, *case in CASES]
ACCEPTED = [pytest.param(json.loads(code_in(given)), id=given) for given, _ in rows("Accepted")]
#: Fields that a scenario has as well.
SIMULATED = {"schedule", "catch_up", "overlap", "precision"}


@pytest.fixture
def tenant(api: Api) -> Api:
    """A caller who has a calendar."""
    days = {"weekdays": ["sun"]}
    for name in ("holidays", "market"):
        assert api.send("PUT", f"/v1/calendars/{name}", days).status == 200
    return api


@pytest.mark.parametrize(("given", "field", "code"), REFUSED)
def test_a_new_job_is_refused(tenant: Api, given: Fields, field: str, code: str) -> None:
    """With the field and the code, and nothing is stored."""
    answer = tenant.send("POST", "/v1/jobs", new_job(**given))

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert tenant.world.tables.jobs == {}


@pytest.mark.parametrize(("given", "field", "code"), REFUSED)
def test_one_of_many_is_refused_and_its_neighbour_is_not(
    tenant: Api, given: Fields, field: str, code: str
) -> None:
    """The problem is that of a single creation, under the job's index."""
    jobs = {"jobs": [new_job(), new_job(**given)]}
    answer = tenant.send("POST", "/v1/jobs/bulk", jobs)
    (problem,) = answer.body["items"][1]["error"]["errors"]

    assert (answer.status, answer.body["created"], answer.body["failed"]) == (207, 1, 1)
    assert (problem["field"], problem["code"]) == (f"jobs.1.{field}", code)


@pytest.mark.parametrize(("given", "field", "code"), REFUSED)
def test_a_change_is_refused(tenant: Api, given: Fields, field: str, code: str) -> None:
    """All of it at once, or field by field: the last one is refused; the job stays as it was."""
    created = tenant.create()
    path = f"/v1/jobs/{created['job_id']}"
    whole = tenant.send("PATCH", path, given)
    *first, last = given
    for name in first:
        assert tenant.send("PATCH", path, {name: given[name]}).status == 200
    before = tenant.send("GET", path).body
    second = tenant.send("PATCH", path, {last: given[last]})

    assert (whole.status, whole.fields) == (400, [(field, code)])
    assert (second.status, second.fields) == (400, [(field, code)])
    assert tenant.send("GET", path).body == before


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [pytest.param(*case, id=given) for given, *case in CASES if set(case[0]) <= SIMULATED],
)
def test_a_simulation_is_refused(tenant: Api, given: Fields, field: str, code: str) -> None:
    """By the same field and code."""
    defaults = {"overlap": {"policy": "allow"}, "catch_up": {"policy": "all"}}
    spoken = {name: whole | given[name] for name, whole in defaults.items() if name in given}
    answer = tenant.send("POST", "/v1/simulate", RANGE | {"schedule": MINUTELY} | given | spoken)

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize("given", ACCEPTED)
def test_what_is_harmless_is_accepted(tenant: Api, given: Fields) -> None:
    """Creation, change and a repeated read value are all accepted."""
    new = tenant.send("POST", "/v1/jobs", new_job(**given))
    path = f"/v1/jobs/{tenant.create()['job_id']}"
    changed = tenant.send("PATCH", path, given)
    again = tenant.send("PATCH", path, {name: changed.body[name] for name in given})

    assert (new.status, changed.status, again.status) == (201, 200, 200)


def test_the_page_has_every_rule() -> None:
    """And each code that a rule gives its field."""
    listed = {(field, code) for _, _, field, code in CASES}

    assert {(each.field, each.code) for each in CONTRADICTIONS} <= listed


def test_an_old_contradiction_hinders_no_other_change(tenant: Api) -> None:
    """It was accepted once; what a change would bring in is refused, and mending is not."""
    job_id = JobId(tenant.create()["job_id"])
    job = tenant.world.tables.jobs[TENANT, job_id]
    tenant.world.tables.put_job(replace(job, overlap=Overlap(max_concurrent=5)))
    path = f"/v1/jobs/{job_id}"
    renamed = tenant.send("PATCH", path, {"name": "renamed"})
    another = tenant.send("PATCH", path, {"overlap": {"max_concurrent": 5, "concurrency_key": "x"}})
    mended = tenant.send("PATCH", path, {"overlap": {"policy": "queue", "max_concurrent": 5}})
    broken = tenant.send("PATCH", path, {"overlap": {"max_concurrent": 5}})

    assert [each.status for each in (renamed, another, mended, broken)] == [200, 400, 200, 400]
    assert another.fields == [("overlap.concurrency_key", "not_for_this_policy")]
