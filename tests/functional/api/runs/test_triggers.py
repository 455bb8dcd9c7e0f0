"""Triggers with data of their own: payload, instant, priority, tags, and idempotency keys."""

import json
from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.support.api import Api, new_job
from tests.support.factories import OTHER_TENANT
from timegate.domain.values.payload import MAX_INLINE_BYTES, MAX_PAYLOAD_BYTES
from timegate.domain.values.written_instants import read_instant

DAILY = {"kind": "rate", "every_seconds": 86_400}
KEY = {"Idempotency_Key": "one"}
OWN = {"page": 1, "filter": {"state": "open", "team": "a"}}


@pytest.fixture
def job_id(api: Api) -> str:
    """A job with a payload."""
    return str(api.create(schedule=DAILY, payload=OWN)["job_id"])


def given(api: Api) -> list[Any]:
    """The payloads that the target was called with, in order, once all has run."""
    api.world.settle()
    return [None if c.payload is None else json.loads(c.payload) for c in api.world.target.calls]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(None, OWN, id="nothing"),
        pytest.param({}, OWN, id="an-empty-request"),
        pytest.param({"payload": {"page": 2}}, {"page": 2}, id="another"),
        pytest.param({"payload": [1]}, [1], id="no-object"),
        pytest.param({"payload": None}, None, id="none"),
        pytest.param({"payload_patch": {}}, OWN, id="an-empty-patch"),
        pytest.param({"payload_patch": None}, OWN, id="no-patch"),
        pytest.param(
            {"payload_patch": {"page": None, "filter": {"team": "b"}}},
            {"filter": {"state": "open", "team": "b"}},
            id="merged",
        ),
    ],
)
def test_a_run_is_given_the_payload_of_its_trigger(
    api: Api,
    job_id: str,
    body: object,
    expected: object,
) -> None:
    """The job keeps its own."""
    api.trigger(job_id, body)

    assert given(api) == [expected]
    assert api.send("GET", f"/v1/jobs/{job_id}").body["payload"] == OWN


def test_a_run_shows_what_its_trigger_said(api: Api, job_id: str) -> None:
    """Its payload, tags and priority; the audit trail has a digest of the payload."""
    body = {"payload": {"to": "ann"}, "tags": {"team": "billing"}, "priority": "high"}
    answer = api.trigger(job_id, body)
    shown = api.send("GET", f"/v1/runs/{answer.body['run_id']}").body
    listed = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"][0]
    told = api.send("GET", f"/v1/audit?resource=run/{answer.body['run_id']}").body["items"][0][
        "changes"
    ]

    assert answer.status == 202
    assert (shown["payload_from"], shown["payload"]) == ("run", {"to": "ann"})
    assert (shown["tags"], shown["priority"]) == ({"team": "billing"}, "high")
    assert (listed["tags"], listed["priority"]) == ({"team": "billing"}, "high")
    assert [sent.message.queue_key for sent in api.world.publisher.sent] == ["high-short"]
    assert [each["after"]["size_bytes"] for each in told if each["field"] == "payload"] == [12]
    assert "ann" not in str(told)


def test_a_large_payload_is_shown_whole_and_arrives(api: Api, job_id: str) -> None:
    """It lies beside the run; a listing says how large it is."""
    large = {"text": "x" * 2000}
    answer = api.trigger(job_id, {"payload": large})
    shown = api.send("GET", f"/v1/runs/{answer.body['run_id']}").body

    assert (answer.body["payload"], answer.body["payload_size_bytes"]) == (None, 2011)
    assert shown["payload"] == large
    assert given(api) == [large]


def test_many_triggers_of_one_moment_are_runs_of_their_own(api: Api, job_id: str) -> None:
    """One definition, many payloads."""
    runs = {api.trigger(job_id, {"payload": page}).body["run_id"] for page in range(3)}

    assert len(runs) == 3
    assert sorted(given(api)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param({"at": "2026-11-21T08:00:00Z"}, "2026-11-21T08:00:00.000Z", id="at"),
        pytest.param({"delay_seconds": 3600}, "2026-11-21T08:00:00.000Z", id="delay"),
        pytest.param({"delay_seconds": "PT1H"}, "2026-11-21T08:00:00.000Z", id="duration"),
        pytest.param({"at": "2026-11-21T07:00:00Z"}, "2026-11-21T07:00:00.000Z", id="now"),
    ],
)
def test_a_run_may_be_due_later(api: Api, job_id: str, body: object, due: str) -> None:
    """It is on record at once, and starts then."""
    run = api.trigger(job_id, body).body
    state = "queued" if due.startswith("2026-11-21T07") else "waiting"
    assert (run["due_at"], run["scheduled_at"], run["state"]) == (due, due, state)

    while api.world.clock.now() < read_instant(due):
        api.world.clock.advance(60)
        api.world.sweep()
        api.world.stream()
    api.world.settle()
    shown = api.send("GET", f"/v1/runs/{run['run_id']}").body
    assert (shown["state"], shown["lateness_ms"]) == ("succeeded", 0)


def test_a_repeated_trigger_is_one_run(api: Api, job_id: str) -> None:
    """200, and the run as it is now, also once it has ended and its job is cancelled."""
    body = {"payload": {"page": 2}, "delay_seconds": 1}
    first = api.trigger(job_id, body, **KEY)
    api.world.clock.advance(5)
    second = api.trigger(job_id, body, **KEY)
    api.world.settle()
    api.send("DELETE", f"/v1/jobs/{job_id}")
    third = api.trigger(job_id, body, **KEY)

    assert [each.status for each in (first, second, third)] == [202, 200, 200]
    assert second.headers["idempotency-replayed"] == "true"
    assert {each.body["run_id"] for each in (first, second, third)} == {first.body["run_id"]}
    assert third.body["state"] == "succeeded"
    assert given(api) == [{"page": 2}]


def test_a_plain_trigger_can_be_repeated_too(api: Api, job_id: str) -> None:
    """Its key alone makes the run one."""
    runs = []
    for _ in range(3):
        runs.append(api.trigger(job_id, **KEY).body["run_id"])
        api.world.clock.advance(60)

    assert len(set(runs)) == 1
    assert given(api) == [OWN]


def test_a_key_of_another_request_is_a_conflict(api: Api, job_id: str) -> None:
    """409, and nothing is begun."""
    api.trigger(job_id, {"payload": 1}, **KEY)
    answer = api.trigger(job_id, {"payload": 2}, **KEY)

    assert (answer.status, answer.code) == (409, "idempotency_conflict")
    assert given(api) == [1]


def test_a_key_belongs_to_its_job_and_tenant(api: Api, job_id: str) -> None:
    """Another job's trigger under it is a run of that job; another tenant finds nothing."""
    first = api.trigger(job_id, **KEY)
    other = api.trigger(api.create(name="other", schedule=DAILY)["job_id"], **KEY)
    foreign = api.send(
        "POST", f"/v1/jobs/{job_id}/trigger", tenant=OTHER_TENANT, Idempotency_Key="one"
    )

    assert (first.status, other.status) == (202, 202)
    assert (foreign.status, foreign.code) == (404, "job_not_found")


def test_a_key_is_remembered_with_its_run_for_a_week(api: Api, job_id: str) -> None:
    """A week, and no longer than a run is kept."""
    api.trigger(job_id, **KEY)
    items = api.world.tables.engine.items("jobs")
    (kept,) = [item for item in items if "trigger#" in str(item["sk"])]

    assert kept["expires_at"] == int(api.world.clock.now().timestamp()) + 7 * 86_400


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"payload": 1, "payload_patch": {}}, "payload_patch", "contradictory"),
        ({"payload": None, "payload_patch": {}}, "payload_patch", "contradictory"),
        (
            {"at": "2026-11-21T08:00:00Z", "delay_seconds": 1},
            "delay_seconds",
            "contradictory",
        ),
        ({"payload_patch": [1]}, "payload_patch", "wrong_type"),
        ({"at": "2026-11-21T06:59:59.999Z"}, "at", "in_the_past"),
        ({"at": "2027-11-22T07:00:00.001Z"}, "at", "out_of_range"),
        ({"delay_seconds": -1}, "delay_seconds", "too_small"),
        ({"delay_seconds": 366 * 86_400 + 1}, "delay_seconds", "too_large"),
        ({"tags": dict.fromkeys("abcd", "x" * 256)}, "tags", "too_long"),
        ({"payload": "x" * (MAX_PAYLOAD_BYTES - 1)}, "payload", "payload_too_large"),
        ({"payload_patch": {"a": "x" * (MAX_PAYLOAD_BYTES - 50)}}, "payload", "payload_too_large"),
    ],
)
def test_a_trigger_that_asks_for_too_much_is_refused(
    api: Api,
    job_id: str,
    body: object,
    field: str,
    code: str,
) -> None:
    """400 with the field, and no run."""
    answer = api.trigger(job_id, body)

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert given(api) == []


@pytest.mark.parametrize(
    "body",
    [
        {"at": "2027-11-22T07:00:00Z"},
        {"delay_seconds": 366 * 86_400},
        {"payload": "x" * (MAX_PAYLOAD_BYTES - 2)},
        {"tags": dict.fromkeys("abcd", "x" * 255)},
    ],
)
def test_a_trigger_at_a_limit_is_taken(api: Api, job_id: str, body: object) -> None:
    """Each limit is inclusive."""
    assert api.trigger(job_id, body).status == 202


def test_a_patch_that_completes_a_credential_is_refused(api: Api) -> None:
    """A reader of the run would read it; neither half is one by itself."""
    job_id = api.create(schedule=DAILY, payload={"auth_token": {}})["job_id"]
    answer = api.trigger(job_id, {"payload_patch": {"auth_token": "hunter2hunter2"}})

    assert (answer.status, answer.code) == (422, "plaintext_secret")


def test_nesting_without_end_is_refused(api: Api, job_id: str) -> None:
    """A patch is as deep as a payload may be, and no deeper."""
    deep: Any = 1
    for _ in range(500):
        deep = {"a": deep}
    answer = api.trigger(job_id, {"payload_patch": deep})

    assert (answer.status, answer.code) == (400, "malformed_json")


def test_a_target_refuses_a_trigger_s_payload_as_its_job_s(api: Api) -> None:
    """A DAG takes an object, from either."""
    task = {"key": "a", "job": {"action": new_job()["action"]}}
    dag_id = api.send("POST", "/v1/dags", {"name": "a", "tasks": [task]}).body["dag_id"]
    job_id = api.create(schedule=DAILY, action={"type": "dag", "dag_id": dag_id})["job_id"]
    answers = [api.trigger(job_id, {"payload": payload}) for payload in ([1], {"a": 1})]

    assert [each.status for each in answers] == [400, 202]


def test_retries_and_redrives_keep_what_the_trigger_said(api: Api) -> None:
    """Payload, tags and priority are the run's, whichever attempt."""
    api.world.target.then(BROKEN, BROKEN)
    retry = {"max_attempts": 2, "initial_delay_seconds": 1, "jitter": False}
    job_id = api.create(schedule=DAILY, payload=OWN, retry=retry)["job_id"]
    body = {"payload_patch": {"page": 7}, "tags": {"a": "b"}, "priority": "high"}
    run_id = api.trigger(job_id, body).body["run_id"]
    api.world.settle()
    redriven = api.send("POST", f"/v1/dead-letters/{run_id}/redrive")
    payloads = given(api)
    run = api.send("GET", f"/v1/runs/{run_id}").body

    assert redriven.status == 202
    assert payloads == [{**OWN, "page": 7}] * 3
    assert (run["state"], run["tags"], run["priority"]) == ("succeeded", {"a": "b"}, "high")


def test_a_plain_trigger_stores_what_it_always_did(api: Api, job_id: str) -> None:
    """One attempt without payload or terms, its audit entry, and nothing else."""
    before = len(api.world.tables.engine.items("jobs"))
    api.trigger(job_id)
    (attempt,) = api.world.tables.engine.items("runs")
    told = api.world.tables.engine.items("jobs")[before:]

    assert {"payload", "terms"}.isdisjoint(attempt)
    assert not [item for item in told if str(item["sk"]).startswith("trigger#")]
    assert len(told) == 1


def test_a_large_payload_of_a_run_lies_where_the_bucket_forgets(api: Api, job_id: str) -> None:
    """The payload of the job is needed for ever, and lies elsewhere."""
    large = {"text": "x" * MAX_INLINE_BYTES}
    api.trigger(job_id, {"payload": large})
    api.trigger(job_id, {"payload": large})

    assert given(api) == [large, large]
    assert [path.rpartition("/")[0] for path in api.world.blobs.blobs] == [
        f"payloads/_runs/acme/{job_id}"
    ]
