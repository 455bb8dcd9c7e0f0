"""Deadlines over HTTP: given, refused, advised on, and shown with runs."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.execution.telling import ALERTS

DAILY = {"kind": "cron", "cron": "0 22 * * *", "timezone": "Europe/Berlin"}
NIGHT = {"within_seconds": None, "time": "06:00", "timezone": None}
SHORT = {"within_seconds": 60, "time": None, "timezone": None}
ONCE = {"max_attempts": 1}


def codes(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """Field and code of each piece of advice."""
    return [(each["field"], each["code"]) for each in answer["advice"]]


def succeed(api: Api, job_id: str, *, runs: int, milliseconds: int) -> None:
    """Runs that took so long."""
    for _ in range(runs):
        api.send("POST", f"/v1/jobs/{job_id}/trigger")
        api.world.call_runner.takes = timedelta(milliseconds=milliseconds)
        api.world.settle()
        api.world.clock.advance(1)


def test_a_job_has_the_deadline_it_was_given(api: Api) -> None:
    """A time of day or a span; changed, left as it is by other changes, and taken back."""
    job = api.create(schedule=DAILY, finish_by={"time": "06:00"})
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    changed = api.send("PATCH", path, {"finish_by": {"within_seconds": "PT1M"}}).body
    read = api.send("GET", path).body
    dropped = api.send("PATCH", path, {"finish_by": None}).body

    assert job["finish_by"] == renamed["finish_by"] == NIGHT
    assert changed["finish_by"] == read["finish_by"] == SHORT
    assert dropped["finish_by"] is None


@pytest.mark.parametrize(
    ("finish_by", "field", "code"),
    [
        pytest.param({"within_seconds": 0}, "within_seconds", "too_small", id="at-once"),
        pytest.param({"within_seconds": 604_801}, "within_seconds", "too_large", id="too-long"),
        pytest.param({"time": "24:00"}, "time", "invalid_format", id="no-time"),
        pytest.param({"time": "6:00"}, "time", "invalid_format", id="no-zero"),
        pytest.param({"time": "06:00", "zone": "UTC"}, "zone", "unknown_field", id="misspelt"),
        pytest.param(
            {"time": "06:00", "timezone": "Mars"}, "timezone", "unknown_timezone", id="no-zone"
        ),
    ],
)
def test_a_deadline_that_is_none_is_refused(
    api: Api, finish_by: dict[str, Any], field: str, code: str
) -> None:
    """At creation, in bulk, at a change and by validation, naming the place."""
    path = f"/v1/jobs/{api.create()['job_id']}"
    new = new_job(finish_by=finish_by)
    answers = [
        api.send("POST", "/v1/jobs", new),
        api.send("PATCH", path, {"finish_by": finish_by}),
    ]
    bulk = api.send("POST", "/v1/jobs/bulk", {"jobs": [new]})

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [(f"finish_by.{field}", code)])
    (item,) = bulk.body["items"]
    assert [each["code"] for each in item["error"]["errors"]] == [code]


@pytest.mark.parametrize("accepted", [1, 604_800])
def test_a_span_has_limits(api: Api, accepted: int) -> None:
    """A second, and a week."""
    job = api.create(finish_by={"within_seconds": accepted})

    assert job["finish_by"]["within_seconds"] == accepted


def test_a_deadline_that_cannot_be_held_is_pointed_out_at_creation(api: Api) -> None:
    """By creating, validating, changing and reading; never by refusing."""
    fields: dict[str, Any] = {
        "finish_by": {"within_seconds": 29},
        "timeout_seconds": 30,
        "retry": ONCE,
    }
    validated = api.send("POST", "/v1/jobs/validate", new_job(**fields)).body
    job = api.create(**fields)
    path = f"/v1/jobs/{job['job_id']}"
    read = api.send("GET", path).body
    enough = api.send("PATCH", path, {"finish_by": {"within_seconds": 30}}).body
    again = api.send("PATCH", path, {"finish_by": {"within_seconds": 29}}).body
    paused = api.send("POST", f"{path}/pause").body
    (row,) = api.send("GET", "/v1/jobs").body["items"]
    found = [("timeout_seconds", "timeout_beyond_deadline")]

    assert codes(validated) == codes(job) == codes(read) == codes(again) == codes(paused) == found
    assert validated["valid"] is True
    assert job["advice"][0]["detail"] == (
        "A run may take 30 s; the shortest time to a deadline is 29 s."
    )
    assert enough["advice"] == []
    assert row["advice"] is None


def test_history_is_read_for_advice(api: Api) -> None:
    """Four runs say nothing yet, five do; a creator of a job like it is told nothing of them."""
    fields: dict[str, Any] = {
        "finish_by": {"within_seconds": 2},
        "timeout_seconds": 30,
        "retry": ONCE,
    }
    job = api.create(schedule=DAILY, **fields)
    path = f"/v1/jobs/{job['job_id']}"
    succeed(api, job["job_id"], runs=4, milliseconds=2_001)
    before = api.send("GET", path).body
    succeed(api, job["job_id"], runs=1, milliseconds=2_001)
    after = api.send("GET", path).body
    changed = api.send("PATCH", path, {"name": "other"}).body
    longer = api.send("PATCH", path, {"finish_by": {"within_seconds": 3}}).body
    twin = api.create(schedule=DAILY, **fields)
    by_definition = [("timeout_seconds", "timeout_beyond_deadline")]
    by_history = [("finish_by", "usually_too_long")]

    assert codes(before) == codes(twin) == codes(longer) == by_definition
    assert codes(after) == codes(changed) == by_history + by_definition


def test_a_hook_of_deadlines_needs_one(api: Api) -> None:
    """A deadline cannot be dropped while a web hook is to hear of it."""
    hooks = [{"url": ALERTS, "on": ["will_be_late", "missed_deadline"]}]
    without = api.send("POST", "/v1/jobs", new_job(notifications=hooks))
    job = api.create(notifications=hooks, finish_by={"within_seconds": 60})
    dropped = api.send("PATCH", f"/v1/jobs/{job['job_id']}", {"finish_by": None})

    for answer in (without, dropped):
        assert (answer.status, answer.fields) == (400, [("notifications.0.on", "no_deadline")])


@pytest.mark.parametrize(
    ("took", "outlook", "margin", "words"),
    [
        pytest.param(60_000, "met", 0, "", id="at-the-deadline"),
        pytest.param(60_001, "missed", -1, "It ended after its deadline", id="a-ms-after"),
    ],
)
def test_a_run_shows_how_it_stood_to_its_deadline(
    api: Api, took: int, outlook: str, margin: int, words: str
) -> None:
    """Read alone, in the listing, in the ledger, and in words."""
    at = "2026-11-21T07:00:00.000Z"
    job = api.create(
        schedule={"kind": "at", "at": at},
        finish_by={"within_seconds": 60},
        timeout_seconds=800,
        resource_class="long",
    )
    path = f"/v1/jobs/{job['job_id']}"
    api.world.call_runner.takes = timedelta(milliseconds=took)
    api.world.settle()
    (listed,) = api.send("GET", f"{path}/runs").body["items"]
    run = api.send("GET", f"/v1/runs/{listed['run_id']}").body
    (row,) = api.send("GET", f"{path}/ledger?from={at}&to=2026-11-21T07:01:00Z").body["items"]
    explained = api.send("GET", f"{path}/explain?at={at}").body["explanation"]

    assert run["finish_by"] == listed["finish_by"] == row["finish_by"]
    assert run["finish_by"] == {
        "at": "2026-11-21T07:01:00.000Z",
        "outlook": outlook,
        "usual_duration_ms": None,
        "expected_at": None,
        "margin_ms": margin,
    }
    assert words in explained
    assert ("deadline" in explained) is (outlook == "missed")


def test_a_run_that_waits_is_forecast_by_explain(api: Api) -> None:
    """Anew at each question; the ledger knows the deadline before the sweeper has looked."""
    at = "2026-11-22T21:00:00.000Z"
    fields: dict[str, Any] = {"finish_by": {"within_seconds": 2}, "retry": ONCE}
    job = api.create(schedule=DAILY, **fields)
    path = f"/v1/jobs/{job['job_id']}"
    succeed(api, job["job_id"], runs=5, milliseconds=1_500)
    api.world.clock.advance(86_400 + 14 * 3600 - 300)
    api.world.tick()
    (row,) = api.send("GET", f"{path}/ledger?from={at}&to=2026-11-22T22:00:00Z").body["items"]
    in_time = api.send("GET", f"{path}/explain?at={at}").body
    api.world.clock.advance(301)
    late = api.send("GET", f"{path}/explain?at={at}").body

    assert row["finish_by"]["at"] == "2026-11-22T21:00:02.000Z"
    assert row["finish_by"]["outlook"] == "unknown"
    assert in_time["record"]["finish_by"]["outlook"] == "in_time"
    assert "deadline" not in in_time["explanation"]
    assert late["record"]["finish_by"]["outlook"] == "will_be_late"
    assert "It is expected to end at" in late["explanation"]
