"""Creating, reading and listing jobs."""

import json

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import NOW
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import MAX_INLINE_BYTES, MAX_PAYLOAD_BYTES

CREATED = dict.fromkeys(("key", "payload_marks", "payload_schema")) | {
    "version": 1,
    "status": "active",
    "created_at": "2026-11-21T07:00:00.000Z",
    "updated_at": "2026-11-21T07:00:00.000Z",
    "next_run_at": "2026-11-21T07:01:00.000Z",
    "next_unplanned_at": "2026-11-21T07:11:00.000Z",
    "auto_pause": None,
    "pause_reason": None,
    "name": "send the report",
    "description": "",
    "schedule": {
        "kind": "rate",
        "every_seconds": 60,
        "starts_at": None,
        "ends_at": None,
        "max_runs": None,
        "jitter_seconds": 0,
    },
    "action": {
        "type": "webhook",
        "url": "https://hooks.example.com/report",
        "method": "POST",
        "headers": {},
        "secret_headers": {},
        "signing_secret": None,
        "success_statuses": [],
        "wait": "answer",
        "heartbeat_seconds": None,
    },
    "payload": {"n": [1, None]},
    "payload_size_bytes": 14,
    "priority": "normal",
    "resource_class": "short",
    "precision": "second",
    "timeout_seconds": 30,
    "retry": {
        "max_attempts": 3,
        "backoff": "exponential",
        "initial_delay_seconds": 1.0,
        "max_delay_seconds": 300.0,
        "jitter": True,
        "delays_seconds": [],
        "window_seconds": None,
        "breaker": {"failures": 3, "window_seconds": 60.0},
        "retry_on": [],
        "give_up_on": [],
    },
    "catch_up": {"policy": "all", "limit": 1000, "window_seconds": 86_400, "grace_seconds": 60},
    "calendars": [],
    "overlap": {"policy": "allow", "max_concurrent": 1, "concurrency_key": None, "key_from": None},
    "delivery": "at_least_once",
    "long_run": None,
    "notifications": [],
    "late_after_seconds": None,
    "absent_after_seconds": None,
    "finish_by": None,
    "then": [],
    "rate_limit": None,
    "before": None,
    "pause_after_failures": None,
    "collapse": None,
    "start_within_seconds": None,
    "list_runs": None,
    "tags": {"team": "ops"},
    "metadata": {},
    "advice": [],
}


def test_a_job_is_answered_with_everything_it_was_given_and_every_default(api: Api) -> None:
    """Nothing of a definition is hidden, and nothing has to be guessed."""
    answer = api.send("POST", "/v1/jobs", new_job(payload={"n": [1, None]}, tags={"team": "ops"}))
    job_id = answer.body["job_id"]

    assert (answer.status, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == f"/v1/jobs/{job_id}"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.body == {"job_id": job_id, **CREATED}


@pytest.mark.parametrize(
    ("schedule", "next_run_at"),
    [
        pytest.param({"kind": "immediate"}, None, id="immediate"),
        pytest.param(
            {"kind": "at", "at": "2026-12-24T18:00:00+01:00"}, "2026-12-24T17:00:00.000Z", id="at"
        ),
        pytest.param({"kind": "at", "at": rfc3339(NOW)}, None, id="at this instant"),
        pytest.param(
            {"kind": "delay", "delay_seconds": 3600.5}, "2026-11-21T08:00:00.500Z", id="delay"
        ),
        pytest.param(
            {"kind": "cron", "cron": "0 7 * * mon", "timezone": "Europe/Berlin", "gap": "skip"},
            "2026-11-23T06:00:00.000Z",
            id="cron",
        ),
        pytest.param(
            {"kind": "rate", "every_seconds": 86_400, "starts_at": "2026-11-22T00:00:00Z"},
            "2026-11-22T00:00:00.000Z",
            id="anchored rate",
        ),
        pytest.param(
            {"kind": "cron", "cron": "0 7 * * *", "ends_at": "2026-12-01T00:00:00Z", "max_runs": 3},
            "2026-11-22T07:00:00.000Z",
            id="bounded cron",
        ),
        pytest.param(
            {"kind": "cron", "cron": "0 7 * * *", "jitter_seconds": 86_400},
            "2026-11-22T07:00:00.000Z",
            id="spread over a day",
        ),
    ],
)
def test_every_kind_of_schedule_can_be_created_and_read_back(
    api: Api, schedule: dict[str, object], next_run_at: str | None
) -> None:
    """With its next instant, unless its only run is stored already."""
    created = api.create(schedule=schedule)
    read = api.send("GET", f"/v1/jobs/{created['job_id']}")

    assert read.status == 200
    assert read.body == created
    assert created["next_run_at"] == next_run_at
    assert {name: created["schedule"][name] for name in schedule if "at" not in name} == {
        name: value for name, value in schedule.items() if "at" not in name
    }


def test_what_is_due_now_is_published_before_the_answer(api: Api) -> None:
    """An immediate job does not wait for a tick or a stream."""
    created = api.create(schedule={"kind": "immediate"}, priority="critical")
    (sent,) = api.world.publisher.sent

    assert sent.message.queue_key == "critical-short"
    assert sent.message.attempt.run.job_id == created["job_id"]
    assert sent.delay_seconds == 0


def test_a_small_payload_rides_in_the_job(api: Api) -> None:
    """Up to and including a kilobyte, in whatever characters."""
    payload = "é" * (MAX_INLINE_BYTES // 2 - 1)
    created = api.create(payload=payload)

    assert created["payload"] == payload
    assert created["payload_size_bytes"] == MAX_INLINE_BYTES
    assert api.world.blobs.blobs == {}


def test_a_large_payload_lies_in_the_blob_store_and_is_read_with_its_job(api: Api) -> None:
    """The item stays small; no reader of the job notices."""
    payload = {"text": "é" * MAX_INLINE_BYTES}
    created = api.create(payload=payload)
    read = api.send("GET", f"/v1/jobs/{created['job_id']}")
    ((path, text),) = api.world.blobs.blobs.items()

    assert json.loads(text) == payload
    assert path.startswith(f"payloads/acme/{created['job_id']}/")
    assert (created["payload"], read.body["payload"]) == (None, payload)
    assert created["payload_size_bytes"] == len(text.encode())


def test_a_payload_may_have_256_kilobytes(api: Api) -> None:
    """The quotes count; one byte more is refused."""
    largest = "x" * (MAX_PAYLOAD_BYTES - 2)
    refused = api.send("POST", "/v1/jobs", new_job(payload=largest + "x"))

    assert api.create(payload=largest)["payload_size_bytes"] == MAX_PAYLOAD_BYTES
    assert refused.status == 400
    assert refused.fields == [("payload", "payload_too_large")]


def test_jobs_are_listed_newest_first_page_by_page(api: Api) -> None:
    """Each exactly once, also when a job is created between two pages."""
    names = [f"job {number}" for number in range(5)]
    for name in names:
        api.create(name=name)
        api.world.clock.advance(1)
    first = api.send("GET", "/v1/jobs?limit=2").body
    api.create(name="latecomer")
    second = api.send("GET", f"/v1/jobs?limit=2&cursor={first['next_cursor']}").body
    third = api.send("GET", f"/v1/jobs?limit=2&cursor={second['next_cursor']}").body

    pages = [[job["name"] for job in page["items"]] for page in (first, second, third)]
    assert pages == [["job 4", "job 3"], ["job 2", "job 1"], ["job 0"]]
    assert third["next_cursor"] is None


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["nightly", "hourly", "once"]),
        ("status=paused", ["hourly"]),
        ("kind=cron", ["nightly"]),
        ("priority=high", ["nightly", "once"]),
        ("tag=team:ops", ["nightly", "hourly"]),
        ("tag=team:ops&tag=tier:1", ["nightly"]),
        ("tag=team%3Aops,eu", ["once"]),
        ("priority=high&kind=cron&tag=team:ops", ["nightly"]),
        ("priority=low", []),
    ],
)
def test_jobs_are_listed_by_what_they_have_in_common(
    api: Api, query: str, names: list[str]
) -> None:
    """Filters add up; a tag's value may hold what separates values elsewhere."""
    later = "2026-12-01T00:00:00Z"
    api.create(
        name="once",
        schedule={"kind": "at", "at": later},
        priority="high",
        tags={"team": "ops,eu"},
    )
    api.world.clock.advance(1)
    hourly = api.create(name="hourly", tags={"team": "ops"})
    api.send("POST", f"/v1/jobs/{hourly['job_id']}/pause")
    api.world.clock.advance(1)
    api.create(
        name="nightly",
        schedule={"kind": "cron", "cron": "@daily"},
        priority="high",
        tags={"team": "ops", "tier": "1"},
    )
    listed = api.send("GET", f"/v1/jobs?{query}").body

    assert [job["name"] for job in listed["items"]] == names


def test_a_filter_that_matches_little_answers_before_it_has_seen_everything(api: Api) -> None:
    """An empty page with a cursor says: go on from there."""
    wanted = api.create(priority="low")["job_id"]
    for _ in range(11):
        api.world.clock.advance(1)
        api.create()
    first = api.send("GET", "/v1/jobs?priority=low&limit=1").body
    second = api.send("GET", f"/v1/jobs?priority=low&limit=1&cursor={first['next_cursor']}").body

    assert first["items"] == []
    assert [job["job_id"] for job in second["items"]] == [wanted]


def test_a_filtered_page_is_never_longer_than_asked(api: Api) -> None:
    """Also where it was gathered from several pages of the store; nothing is passed over."""
    for priority in ("low", "low", "normal", "low"):
        api.create(priority=priority)
        api.world.clock.advance(1)
    first = api.send("GET", "/v1/jobs?priority=low&limit=2").body
    second = api.send("GET", f"/v1/jobs?priority=low&limit=2&cursor={first['next_cursor']}").body

    assert [len(page["items"]) for page in (first, second)] == [2, 1]


def test_every_request_is_measured(api: Api) -> None:
    """Also the refused ones: the alarm on latency sees them all."""
    api.create()
    api.send("GET", "/v1/nothing")

    assert len(api.world.telemetry.measures["ApiMs"]) == 2
    assert api.world.telemetry.named("job_created")[0].fields["tenant_id"] == "acme"


def test_a_job_that_is_validated_is_shown_whole_and_not_stored(api: Api) -> None:
    """With what was left out, as creating it would have it; what is found later is not there."""
    job = new_job(payload={"a": 1}, tags={"team": "ops"})
    found = api.send("POST", "/v1/jobs/validate", job)
    listed = api.send("GET", "/v1/jobs").body["items"]
    created = api.create(payload={"a": 1}, tags={"team": "ops"})

    assert (found.status, found.body["valid"], found.body["errors"], listed) == (200, True, [], [])
    assert found.body["cost"]["description"].endswith(" USD a month: 43,200 runs")
    assert found.body["definition"] == {
        name: created[name] for name in created if name in found.body["definition"]
    }
    assert created.keys() - found.body["definition"].keys() == {
        *("job_id", "version", "status", "created_at", "updated_at", "next_run_at"),
        *("next_unplanned_at", "auto_pause", "pause_reason", "payload_size_bytes", "advice"),
    }


def test_what_is_wrong_with_a_job_is_said_of_it(api: Api) -> None:
    """The answer holds the problems of a creation, and the definition too."""
    body = new_job(action={"type": "webhook", "url": "http://169.254.169.254/"})
    refused, creating = (api.send("POST", f"/v1/jobs{to}", body) for to in ("/validate", ""))

    assert (refused.status, refused.body["valid"]) == (200, False)
    assert (refused.body["cost"], refused.body["errors"]) == (None, creating.body["errors"])
    assert refused.body["definition"]["action"]["url"] == "http://169.254.169.254/"
    assert api.send("POST", "/v1/jobs/validate", {"name": 3}).status == 400
