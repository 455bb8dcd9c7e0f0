"""Simulating through the API: scenarios as they are written to files, and jobs that exist."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.api import Api, new_job
from tests.support.factories import OTHER_TENANT, job_id
from tests.unit.domain.simulation.refused_documents import RANGE, REFUSED, REFUSED_JOBS, document
from tests.unit.domain.simulation.refused_restrictions import REFUSED_CALENDARS, REFUSED_FREEZES
from timegate.contracts.simulation.reading import read_document
from timegate.domain.simulation import report, simulate

PATH = "/v1/simulate"
ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = sorted([*ROOT.glob("docs/examples/*"), *ROOT.glob("examples/scenarios/*")])
HOUR = {"from": "2026-11-21T09:00:00Z", "to": "2026-11-21T10:00:00Z"}


def instants(body: dict[str, Any]) -> list[str]:
    """Return the first instant of each row."""
    return [row.get("scheduled_at") or row["first"] for row in body["rows"]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_file_is_simulated_as_it_is_offline(api: Api, path: Path) -> None:
    """To the last field."""
    text = json.dumps(yaml.safe_load(path.read_text()), default=lambda value: value.isoformat())
    value = json.loads(text)
    offline = read_document(value)
    answer = api.send("POST", PATH, value)

    assert (answer.status, answer.body["unmet"]) == (200, [])
    assert answer.body == report(simulate(offline.scenario), offline.expectations)


def test_what_is_not_as_expected_is_listed(api: Api) -> None:
    """Each number by its field, for a pipeline to show."""
    expect = {"runs": 58, "skipped": {"late": 1}}
    answer = api.send("POST", PATH, document(expect=expect))

    assert answer.status == 200
    assert answer.body["unmet"] == [
        {"job": None, "field": "runs", "expected": 58, "actual": 59},
        {"job": None, "field": "skipped.late", "expected": 1, "actual": 0},
    ]


@pytest.mark.parametrize(
    ("changes", "field", "code"), [*REFUSED, *REFUSED_CALENDARS, *REFUSED_FREEZES]
)
def test_a_scenario_is_refused_as_it_is_offline(
    api: Api, changes: dict[str, Any], field: str, code: str
) -> None:
    """With the same field and code."""
    body = document(**changes)
    answer = api.send("POST", PATH, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize(("changes", "field", "code"), REFUSED_JOBS)
def test_several_jobs_are_refused_as_they_are_offline(
    api: Api, changes: dict[str, Any], field: str, code: str
) -> None:
    """With the number of the job."""
    answer = api.send("POST", PATH, RANGE | changes)

    assert (answer.status, answer.fields) == (400, [(field, code)])


@pytest.mark.parametrize("body", [[], "text", 7])
def test_a_scenario_is_an_object(api: Api, body: object) -> None:
    """Every body is an object."""
    assert api.send("POST", PATH, body).fields == [("body", "wrong_type")]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        pytest.param({"to": "2026-11-24T18:21:00Z"}, None, None, id="5000-instants"),
        pytest.param(
            {"to": "2026-11-24T18:21:01Z"}, "to", "simulation_too_large", id="5001-instants"
        ),
        pytest.param(
            {"schedule": {"kind": "cron", "cron": "0 9 * * *"}, "to": "2027-11-22T07:00:00Z"},
            None,
            None,
            id="366-days",
        ),
        pytest.param(
            {"schedule": {"kind": "cron", "cron": "0 9 * * *"}, "to": "2027-11-22T07:00:00.001Z"},
            "to",
            "range_too_long",
            id="a-millisecond-more",
        ),
    ],
)
def test_an_answer_has_its_limits(
    api: Api, changes: dict[str, Any], field: str | None, code: str | None
) -> None:
    """5,000 instants and 366 days; offline there is room for more."""
    answer = api.send("POST", PATH, document(**changes))

    if field is None:
        assert answer.status == 200
    else:
        assert (answer.status, answer.fields) == (400, [(field, code)])


def test_a_job_is_simulated_as_it_stands(api: Api) -> None:
    """Its schedule, its policies and its version; nothing of the job is touched."""
    job = api.create(
        schedule={"kind": "cron", "cron": "*/20 * * * *", "timezone": "Europe/Berlin"},
        catch_up={"policy": "skip"},
    )
    api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"start_within_seconds": 30})
    before = api.send("GET", f"/v1/jobs/{job['job_id']}").body
    outage = {"from": "2026-11-21T09:10:00Z", "to": "2026-11-21T09:50:00Z"}
    body = {"job_id": job["job_id"], **HOUR}
    calm = api.send("POST", PATH, body).body
    troubled = api.send("POST", PATH, body | {"planner": {"outages": [outage]}}).body

    assert instants(calm) == [f"2026-11-21T09:{minute}:00.000Z" for minute in ("00", "20", "40")]
    assert [row["planned_at"] for row in calm["rows"]] == [
        "2026-11-21T08:50:00.000Z",
        "2026-11-21T09:10:00.000Z",
        "2026-11-21T09:30:00.000Z",
    ]
    assert {row["job_version"] for row in calm["rows"]} == {2}
    assert troubled["summary"]["skipped"] == {"missed_window": 2}
    assert api.send("GET", f"/v1/jobs/{job['job_id']}").body == before


def test_a_scenario_may_change_the_policies_of_a_job(api: Api) -> None:
    """The changed policy is simulated; the other fields stay the job's."""
    job = api.create(catch_up={"policy": "skip"})
    outage = {"from": "2026-11-21T09:00:00Z", "to": "2026-11-21T09:31:00Z"}
    # The planner is back at 09:31: the instant of 09:30 is within the grace, as the next one is.
    body = {"job_id": job["job_id"], **HOUR, "planner": {"outages": [outage]}}
    own = api.send("POST", PATH, body).body["summary"]
    other = api.send("POST", PATH, body | {"catch_up": {"policy": "latest"}}).body["summary"]

    assert (own["runs"], own["skipped"]) == (40, {"missed_window": 20})
    assert (other["runs"], other["skipped"]) == (41, {"missed_window": 19})


def test_a_job_with_a_schedule_of_the_scenarios_is_none_of_the_tenants(api: Api) -> None:
    """Only its jitter depends on the id, like offline."""
    answer = api.send("POST", PATH, document(job_id=job_id("some job")))

    assert (answer.status, len(answer.body["rows"])) == (200, 59)


@pytest.mark.parametrize(
    ("most", "start", "runs"),
    [
        pytest.param(7, "2026-11-21T07:00:00Z", 7, id="all-planned"),
        pytest.param(7, "2026-11-21T07:05:00Z", 3, id="all-planned-and-some-behind"),
        pytest.param(7, "2026-11-21T07:07:00Z", 1, id="at-the-last-planned"),
        pytest.param(7, "2026-11-21T07:08:00Z", 0, id="behind-the-last-planned"),
        pytest.param(30, "2026-11-21T07:00:00Z", 30, id="from-the-beginning"),
        pytest.param(30, "2026-11-21T07:15:00Z", 16, id="behind-what-is-planned"),
        pytest.param(30, "2026-11-21T07:30:00Z", 1, id="at-the-last"),
        pytest.param(30, "2026-11-21T08:00:00Z", 0, id="behind-the-last"),
    ],
)
def test_runs_that_were_planned_count_against_the_most(
    api: Api, most: int, start: str, runs: int
) -> None:
    """Ten of them are planned as the job is created, wherever the range begins."""
    job = api.create(schedule={"kind": "rate", "every_seconds": 60, "max_runs": most})
    body = {"job_id": job["job_id"], "from": start, "to": "2026-11-21T09:00:00Z"}
    answer = api.send("POST", PATH, body)

    assert len(answer.body.get("rows", [])) == runs


def test_a_paused_job_stays_paused_unless_the_scenario_resumes_it(api: Api) -> None:
    """It is taken up as it is."""
    job = api.create(schedule={"kind": "rate", "every_seconds": 1200})
    api.send("POST", f"/v1/jobs/{job['job_id']}/pause")
    body = {"job_id": job["job_id"], **HOUR}
    paused = api.send("POST", PATH, body).body
    pauses = [{"from": "2026-11-21T08:45:00Z", "to": "2026-11-21T09:30:00Z"}]
    resumed = api.send("POST", PATH, body | {"pauses": pauses}).body

    assert (paused["rows"], paused["summary"]["undecided"]) == ([], 3)
    assert resumed["summary"] | {"max_lateness_ms": 0} == {
        "instants": 3,
        "failed": 0,
        "notices": {},
        "runs": 1,
        "skipped": {"paused": 2},
        "cancelled": {},
        "undecided": 0,
        "max_lateness_ms": 0,
        "missed_deadlines": 0,
        "will_be_late": 0,
    }


def _job(api: Api, what: str) -> str:
    """A job that cannot be simulated, and its id."""
    tenant = OTHER_TENANT if what == "foreign" else "acme"
    schedule = {"kind": "immediate"} if what == "done" else {"kind": "rate", "every_seconds": 60}
    job = api.create(schedule=schedule, timeout_seconds=30, tenant=tenant)
    if what == "cancelled":
        api.send("DELETE", f"/v1/jobs/{job['job_id']}")
    api.world.execute(api.world.receive())
    api.world.stream()
    return job_id("unknown") if what == "unknown" else str(job["job_id"])


@pytest.mark.parametrize(
    ("what", "changes", "field", "code"),
    [
        pytest.param("unknown", {}, "job_id", "unknown_job", id="unknown"),
        pytest.param("foreign", {}, "job_id", "unknown_job", id="another-tenants"),
        pytest.param("cancelled", {}, "job_id", "job_cancelled", id="cancelled"),
        pytest.param("done", {}, "job_id", "job_completed", id="completed"),
        pytest.param("", {"job_id": "7"}, "job_id", "invalid_format", id="no-id"),
        pytest.param("", {"job_id": None}, "schedule", "missing", id="null"),
        pytest.param("", {"from": "2026-11-21T06:59:59Z"}, "from", "before_schedule", id="early"),
        pytest.param(
            "", {"anchored_at": HOUR["from"]}, "anchored_at", "not_for_this_job", id="anchored"
        ),
        pytest.param("", {"created_at": HOUR["to"]}, "created_at", "out_of_range", id="later"),
        pytest.param("", {"run_seconds": 30}, "run_seconds", "exceeds_timeout", id="at-its-limit"),
    ],
)
def test_a_job_that_cannot_be_simulated_is_said_to_be_so(
    api: Api, what: str, changes: dict[str, object], field: str, code: str
) -> None:
    """By the field that names it, or does not go with it."""
    body = {"job_id": _job(api, what), **HOUR, "run_seconds": 29.9} | changes
    answer = api.send("POST", PATH, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])


def test_a_range_behind_the_last_instant_of_a_job_is_refused(api: Api) -> None:
    """The document has no field ``schedule``: the error names the one it has."""
    job = api.send(
        "POST", "/v1/jobs", new_job(schedule={"kind": "at", "at": "2026-11-21T08:00:00Z"})
    ).body
    answer = api.send("POST", PATH, {"job_id": job["job_id"], **HOUR})

    assert (answer.status, answer.fields) == (400, [("job_id", "in_the_past")])


def test_jobs_that_exist_contend_as_they_would(api: Api) -> None:
    """Their policies and their key are their own; their names those of the scenario."""
    overlap = {"policy": "queue", "concurrency_key": "db"}
    jobs = [
        api.create(schedule={"kind": "cron", "cron": "30 * * * *"}, overlap=overlap, name=name)
        for name in ("a", "b")
    ]
    named = [{"name": job["name"], "job_id": job["job_id"], "run_seconds": 20} for job in jobs]
    answer = api.send("POST", PATH, {**HOUR, "jobs": named, "expect": {"runs": 2}})

    assert sorted(row["lateness_ms"] for row in answer.body["rows"]) == [0, 20_000]
    assert {name: each["runs"] for name, each in answer.body["jobs"].items()} == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        pytest.param({"job_id": job_id("none")}, "jobs.1.job_id", "unknown_job", id="unknown"),
        pytest.param(
            {"anchored_at": HOUR["from"]}, "jobs.1.anchored_at", "not_for_this_job", id="anchored"
        ),
        pytest.param({"run_seconds": 30}, "jobs.1.run_seconds", "exceeds_timeout", id="too-long"),
        pytest.param(
            {"created_at": "2026-11-21T08:30:00Z"}, "jobs.1.job_id", "in_the_past", id="too-late"
        ),
    ],
)
def test_one_of_several_jobs_that_cannot_be_simulated_is_named(
    api: Api, changes: dict[str, object], field: str, code: str
) -> None:
    """By its number."""
    job = api.create(schedule={"kind": "at", "at": "2026-11-21T08:00:00Z"})
    first = {"name": "first", "schedule": {"kind": "rate", "every_seconds": 60}}
    second = {"name": "second", "job_id": job["job_id"]} | changes
    body = {"from": "2026-11-21T08:40:00Z", "to": HOUR["to"], "jobs": [first, second]}
    if "created_at" not in changes:
        body["from"] = "2026-11-21T07:50:00Z"
    answer = api.send("POST", PATH, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])
