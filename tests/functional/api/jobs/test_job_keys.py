"""Jobs by their keys: ``key:nightly`` stands where a path or a filter takes the id of a job."""

from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import OTHER_TENANT

NIGHTLY: dict[str, Any] = {"key": "nightly", "schedule": {"kind": "cron", "cron": "0 7 * * *"}}
PATH = "/v1/jobs/key:nightly"
SPAN = "from=2026-11-21T07:00:00Z&to=2026-11-22T07:00:00Z"


@pytest.fixture
def job_id(api: Api) -> str:
    """A job with a key."""
    return str(api.create(**NIGHTLY)["job_id"])


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "", None, 200),
        ("PATCH", "", {"description": "d"}, 200),
        ("POST", "/preview", {"timeout_seconds": 3}, 200),
        ("POST", "/pause", None, 200),
        ("POST", "/resume", None, 200),
        ("POST", "/trigger", None, 202),
        ("GET", "/runs", None, 200),
        ("GET", f"/ledger?{SPAN}", None, 200),
        ("GET", "/explain?at=2026-11-21T07:00:00Z", None, 200),
        ("GET", "/audit", None, 200),
        ("GET", "/statistics", None, 200),
        ("POST", "/backfill", {"from": "2026-11-19T07:00:00Z", "to": "2026-11-20T07:00:00Z"}, 202),
        ("DELETE", "", None, 200),
    ],
)
def test_every_operation_of_a_job_takes_its_key(
    api: Api, job_id: str, method: str, path: str, body: object, status: int
) -> None:
    """It answers as for the id; an unknown key is an unknown job."""
    answer = api.send(method, f"{PATH}{path}", body)
    unknown = api.send(method, f"/v1/jobs/key:weekly{path}", body)

    assert answer.status == status, answer.body
    assert answer.body.get("job_id", job_id) == job_id
    assert (unknown.status, unknown.body["code"]) == (404, "job_not_found")
    assert "key:weekly" in unknown.body["detail"]


def test_a_job_shows_its_key(api: Api, job_id: str) -> None:
    """So does a list of jobs, and a change to another key is one version."""
    listed = api.send("GET", "/v1/jobs").body["items"]
    renamed = api.send("PATCH", PATH, {"key": "daily"})

    assert [(each["job_id"], each["key"]) for each in listed] == [(job_id, "nightly")]
    assert (renamed.body["key"], renamed.body["version"]) == ("daily", 2)
    assert api.send("GET", PATH).status == 404
    assert api.send("GET", "/v1/jobs/key:daily").body["job_id"] == job_id


def test_a_second_job_with_a_key_is_a_conflict(api: Api, job_id: str) -> None:
    """Created, in bulk or changed: the answer names the holder."""
    other = api.create()["job_id"]
    refused = [
        api.send("POST", "/v1/jobs", new_job(**NIGHTLY)),
        api.send("PATCH", f"/v1/jobs/{other}", {"key": "nightly"}),
    ]
    asked = api.send("POST", "/v1/jobs/validate", new_job(**NIGHTLY)).body
    free = api.send("POST", "/v1/jobs/validate", new_job(key="daily")).body
    many = [new_job(key="one"), new_job(**NIGHTLY), new_job(key="one")]
    items = api.send("POST", "/v1/jobs/bulk", {"jobs": many}).body["items"]

    assert [(each.status, each.body["code"]) for each in refused] == [(409, "job_key_taken")] * 2
    assert all(job_id in each.body["detail"] for each in refused)
    assert sorted(each["status"] for each in items) == [201, 409, 409]
    assert items[1]["error"]["code"] == "job_key_taken"
    assert [(each["field"], each["code"]) for each in asked["errors"]] == [("key", "job_key_taken")]
    assert job_id in asked["errors"][0]["detail"]
    assert (asked["cost"], free["valid"]) == (None, True)


@pytest.mark.parametrize("schedule", [{"kind": "immediate"}, NIGHTLY["schedule"]])
def test_a_job_that_is_refused_for_its_key_runs_never(
    api: Api, schedule: object, job_id: str
) -> None:
    """Also one that is stored with its first run."""
    refused = api.send("POST", "/v1/jobs", new_job(key="nightly", schedule=schedule))

    assert (refused.status, refused.body["code"]) == (409, "job_key_taken")
    assert job_id in refused.body["detail"]
    assert api.world.publisher.sent == []
    assert len(api.send("GET", "/v1/jobs").body["items"]) == 1


def test_a_repeated_creation_is_no_conflict(api: Api) -> None:
    """The same Idempotency-Key gives the same job."""
    first = api.send("POST", "/v1/jobs", new_job(**NIGHTLY), Idempotency_Key="a")
    api.world.clock.advance(1)
    second = api.send("POST", "/v1/jobs", new_job(**NIGHTLY), Idempotency_Key="a")

    assert (first.status, second.status) == (201, 200)
    assert first.body["job_id"] == second.body["job_id"]


def test_a_cancelled_job_leaves_its_key_to_another(api: Api, job_id: str) -> None:
    """Alone or in bulk; its id still finds the old job."""
    api.send("DELETE", PATH)
    second = api.create(**NIGHTLY)["job_id"]

    assert api.send("GET", PATH).body["job_id"] == second != job_id
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "cancelled"


@pytest.mark.parametrize(
    "key",
    ["", "Nightly", "-a", ".a", "a b", "a:b", "a/b", "é", "a" * 65, "wr3yhndwd4n2aifoevtherqsl2"],
)
def test_a_text_that_is_no_key_is_refused(api: Api, key: str) -> None:
    """An id would be taken for the job of that id."""
    refused = api.send("POST", "/v1/jobs", new_job(key=key))

    assert (refused.status, refused.body["errors"][0]["field"]) == (400, "key")


@pytest.mark.parametrize("key", ["a", "0", "a" * 64, "a.b_c-d", "wr3yhndwd4n2aifoevtherqsl1"])
def test_a_key_of_every_form_is_taken(api: Api, key: str) -> None:
    """One to 64 characters."""
    job_id = api.create(key=key)["job_id"]

    assert api.send("GET", f"/v1/jobs/key:{key}").body["job_id"] == job_id


def test_lists_of_runs_take_a_key(api: Api, job_id: str) -> None:
    """Failed runs and dead letters; a key of no job is no empty list."""
    run_id = api.send("POST", f"{PATH}/trigger", {"expires_after_seconds": 1}).body["run_id"]
    api.world.clock.advance(5)
    api.world.settle()
    found = api.send("GET", "/v1/runs?job_id=key:nightly")
    letters = api.send("GET", "/v1/dead-letters?job_id=key:nightly")
    unknown = [
        api.send("GET", f"/v1/{each}?job_id=key:weekly") for each in ("runs", "dead-letters")
    ]
    wrong = api.send("GET", "/v1/runs?job_id=nightly")

    assert [each["run_id"] for each in found.body["items"]] == [run_id]
    assert (letters.status, letters.body["items"]) == (200, [])
    assert [each.status for each in unknown] == [404, 404]
    assert (wrong.status, wrong.body["errors"][0]["field"]) == (400, "job_id")


def test_operations_on_dead_letters_take_a_key(api: Api, job_id: str) -> None:
    """They keep the id: a key that goes to another job meanwhile changes nothing."""
    body: dict[str, Any] = {"filter": {"job_id": "key:nightly"}}
    sent = [api.send("POST", f"/v1/dead-letters/{each}", body) for each in ("redrive", "discard")]

    assert [each.status for each in sent] == [202, 202]
    assert [each.body["parameters"]["filter"]["job_id"] for each in sent] == [job_id, job_id]


def test_no_tenant_finds_a_job_of_another_by_its_key(api: Api, job_id: str) -> None:
    """Both may use the same key."""
    unseen = api.send("GET", PATH, tenant=OTHER_TENANT)
    own = api.send("POST", "/v1/jobs", new_job(**NIGHTLY), tenant=OTHER_TENANT)

    assert unseen.status == 404
    assert own.status == 201
    assert api.send("GET", PATH).body["job_id"] == job_id
    assert api.send("GET", PATH, tenant=OTHER_TENANT).body["job_id"] == own.body["job_id"]


TASK = {"key": "a", "job_id": "key:nightly"}
AFTER = {"job_id": "key:nightly", "on": ["failed"]}
FROZEN = {
    "scope": {"kind": "job", "job_id": "key:nightly"},
    "starts_at": "2026-11-22T07:00:00Z",
    "ends_at": "2026-11-23T07:00:00Z",
}


@pytest.mark.parametrize(
    ("path", "body", "place"),
    [
        ("/v1/jobs", new_job(then=[AFTER]), ("then", 0)),
        ("/v1/dags", {"name": "d", "tasks": [TASK]}, ("tasks", 0)),
        ("/v1/dags", {"name": "d", "tasks": [TASK], "then": [AFTER]}, ("then", 0)),
        ("/v1/freezes", FROZEN, ("scope",)),
    ],
)
def test_a_body_names_a_job_by_its_key(
    api: Api, job_id: str, path: str, body: dict[str, Any], place: tuple[str | int, ...]
) -> None:
    """It is stored by its id; a key of no job, or of another tenant's, is refused at its place."""
    found: Any = api.send("POST", path, body).body
    for part in place:
        found = found[part]
    refused = api.send("POST", path, body, tenant=OTHER_TENANT)
    field = ".".join(str(part) for part in (*place, "job_id"))

    assert found["job_id"] == job_id
    assert refused.status == (422 if path == "/v1/dags" else 400)
    assert (field, "unknown_job") in refused.fields


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/jobs", new_job(then=[AFTER])),
        ("/v1/dags", {"name": "d", "tasks": [TASK], "then": [AFTER]}),
    ],
)
def test_a_repeated_creation_is_answered_once_the_named_job_is_gone(
    api: Api, job_id: str, path: str, body: dict[str, Any]
) -> None:
    """Its answer may have been lost; under another key it is a new request, and is refused."""
    first = api.send("POST", path, body, Idempotency_Key="a")
    api.send("DELETE", PATH)
    api.world.clock.advance(1)
    again = api.send("POST", path, body, Idempotency_Key="a")
    new = api.send("POST", path, body, Idempotency_Key="b")

    assert (first.status, again.status) == (201, 200)
    assert first.headers["location"] == again.headers["location"]
    assert "unknown_job" in {each["code"] for each in new.body["errors"]}


def test_validation_says_where_a_key_is_of_no_job(api: Api) -> None:
    """The list of problems has it, as it has an unknown id."""
    answer = api.send("POST", "/v1/jobs/validate", new_job(then=[AFTER]))

    assert answer.status == 200
    assert [(each["field"], each["code"], each["detail"]) for each in answer.body["errors"]] == [
        ("then.0.job_id", "unknown_job", "There is no job key:nightly.")
    ]


def test_a_rule_names_its_job_by_its_key(api: Api, job_id: str) -> None:
    """It is stored by its id, so that the rule stays that job's; a text that is neither says so."""
    told = {
        "when": {"failures_in_a_row": 2},
        "channels": [{"url": "https://example.com/told"}],
    }
    path = "/v1/notification-rules/late"
    put = api.send("PUT", path, {**told, "jobs": {"job_id": "key:nightly"}})
    unknown = api.send("PUT", path, {**told, "jobs": {"job_id": "key:other"}})
    neither = api.send("PUT", path, {**told, "jobs": {"job_id": "Nightly"}})

    assert put.body["jobs"]["job_id"] == job_id
    assert [e["code"] for e in unknown.body["errors"]] == ["unknown_job"]
    assert [(e["field"], e["detail"]) for e in neither.body["errors"]] == [
        ("jobs.job_id", "It names no job: give the id of one, or key: and its key.")
    ]


def test_a_payload_is_no_reference(api: Api, job_id: str) -> None:
    """A target's own data is sent as it is."""
    payload = {"then": [{"job_id": "key:nightly"}]}

    assert api.create(payload=payload)["payload"] == payload
    assert job_id


def test_a_body_names_ten_jobs_by_key(api: Api) -> None:
    """Each is a read; the eleventh is refused at its place."""
    for number in range(11):
        api.create(key=f"job-{number}")
    tasks = [{"key": f"t{n}", "job_id": f"key:job-{n}"} for n in range(11)]
    taken = api.send("POST", "/v1/dags", {"name": "d", "tasks": tasks[:10]})
    refused = api.send("POST", "/v1/dags", {"name": "d", "tasks": tasks})

    assert taken.status == 201
    assert refused.fields == [("tasks.10.job_id", "too_many")]
