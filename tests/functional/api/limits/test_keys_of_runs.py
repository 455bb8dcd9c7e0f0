"""Keys of runs: each value in a payload has slots of its own, and calls of its own."""

from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.pools.worker_requests import ACTION, claim, read, say

#: Beyond what rides in a record.
LARGE = "x" * 2000
BY_CUSTOMER = {"policy": "queue", "key_from": "/customer"}


def create(api: Api, overlap: object = BY_CUSTOMER, **fields: Any) -> str:  # noqa: ANN401
    """A job of a pool that callers trigger."""
    given = {"schedule": {"kind": "manual"}, "action": ACTION, "overlap": overlap, **fields}
    return str(api.create(**given)["job_id"])


def trigger(api: Api, job_id: str, payload: Any = None, **body: Any) -> dict[str, Any]:  # noqa: ANN401
    """The run of a trigger."""
    sent = body if payload is None else {"payload": payload, **body}
    answer = api.send("POST", f"/v1/jobs/{job_id}/trigger", sent)
    assert answer.status == 202
    return dict(answer.body)


def held(api: Api) -> list[str]:
    """The ids of the runs that are claimed now."""
    return sorted(run["run_id"] for run in claim(api, max=9))


@pytest.mark.parametrize("more", [pytest.param("", id="small"), pytest.param(LARGE, id="large")])
def test_a_run_waits_for_another_of_its_key_alone(api: Api, more: str) -> None:
    """One whose payload has another value has a slot of its own."""
    job_id = create(api)
    first, second, other = (
        trigger(api, job_id, {"customer": customer, "more": more}) for customer in (7, 7, 8)
    )
    (run,) = [each for each in claim(api, max=9) if each["run_id"] != other["run_id"]]
    waiting = second if run["run_id"] == first["run_id"] else first
    shown = read(api, waiting)
    meanwhile = held(api)
    say(api, "complete", run)

    assert shown["state"] == "waiting"
    assert shown["explanation"] == "It was due, and waits for the slot of its key 7."
    assert meanwhile == []
    assert held(api) == [waiting["run_id"]]


def test_each_key_has_as_many_slots_as_the_job_says(api: Api) -> None:
    """Two of each may work at once."""
    job_id = create(api, {**BY_CUSTOMER, "max_concurrent": 2})
    for customer in "aaabb":
        trigger(api, job_id, {"customer": customer})

    assert sorted(run["payload"]["customer"] for run in claim(api, max=9)) == ["a", "a", "b", "b"]


def test_runs_without_a_value_share_the_slots_of_the_job(api: Api) -> None:
    """A payload without the member, and none at all."""
    job_id = create(api)
    for payload in ({}, {"customer": None}, [1]):
        trigger(api, job_id, payload)

    assert len(claim(api, max=9)) == 1


def test_jobs_that_share_a_key_share_those_of_its_values(api: Api) -> None:
    """The run of one job waits for that of the other with the same value."""
    shared = {**BY_CUSTOMER, "concurrency_key": "crm"}
    jobs = [create(api, shared), create(api, shared), create(api)]
    for job_id in jobs:
        trigger(api, job_id, {"customer": "a"})

    assert len(claim(api, max=9)) == 2


def test_a_trigger_may_name_the_key(api: Api) -> None:
    """It counts whatever the payload says, and where the job reads no payload."""
    named, plain = create(api), create(api, {"policy": "queue"})
    run = trigger(api, named, {"customer": "a"}, concurrency_key="b")
    trigger(api, named, {"customer": "b"})
    for key in "cd":
        trigger(api, plain, concurrency_key=key)

    assert run["concurrency_key"] == "b"
    assert len(claim(api, max=9)) == 3


@pytest.mark.parametrize("more", ["", LARGE])
def test_the_job_s_own_payload_has_a_key_as_well(api: Api, more: str) -> None:
    """A trigger without a payload meets those that bring the same value."""
    job_id = create(api, payload={"customer": "a", "more": more})
    trigger(api, job_id)
    trigger(api, job_id, payload_patch={"more": 1})
    trigger(api, job_id, {"customer": "b"})

    assert sorted(run["payload"]["customer"] for run in claim(api, max=9)) == ["a", "b"]


@pytest.mark.parametrize("more", ["", LARGE])
def test_another_pointer_counts_for_the_job_s_own_payload(api: Api, more: str) -> None:
    """Also where that is too large for the job's record."""
    job_id = create(api, payload={"customer": "a", "region": "eu", "more": more})
    changed = {"overlap": {**BY_CUSTOMER, "key_from": "/region"}}
    assert api.send("PATCH", f"/v1/jobs/{job_id}", changed).status == 200
    trigger(api, job_id)
    trigger(api, job_id, {"region": "eu"})

    assert len(claim(api, max=9)) == 1


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(["a b", "a", "b"], id="a-blank"),
        pytest.param(["ä" * 300, "ä" * 299], id="long"),
        pytest.param(["~x", "x", ""], id="marks"),
        pytest.param([{"a": 1}, {"a": 2}, [1], 1, True], id="no-texts"),
    ],
)
def test_any_value_is_a_key_of_its_own(api: Api, values: list[Any]) -> None:
    """However long or unusual."""
    job_id = create(api)
    for value in [*values, *values]:
        trigger(api, job_id, {"customer": value})

    assert len(claim(api, max=10)) == len(values)


def test_a_retry_and_a_repeated_run_keep_the_key(api: Api) -> None:
    """Both wait for a run of the key that works meanwhile."""
    job_id = create(api, {"policy": "queue"})
    trigger(api, job_id, concurrency_key="a")
    (run,) = claim(api)
    say(api, "fail", run, error={"code": "x"}, retry_after_seconds=1)
    trigger(api, job_id, concurrency_key="a")
    assert len(claim(api)) == 1
    again = trigger(api, job_id, like_run_id=run["run_id"])
    api.world.clock.advance(5)

    assert again["concurrency_key"] == "a"
    assert held(api) == []


def test_a_run_that_is_moved_leaves_the_line_of_its_key(api: Api) -> None:
    """The one behind it is called when the slot is free."""
    job_id = create(api)
    runs = [trigger(api, job_id, {"customer": "a"}) for _ in range(3)]
    (held_run,) = claim(api, max=9)
    moved, behind = [each["run_id"] for each in runs if each["run_id"] != held_run["run_id"]]
    later = {"delay_seconds": 3600}
    assert api.send("POST", f"/v1/runs/{moved}/reschedule", later).status == 200
    say(api, "complete", held_run)

    assert held(api) == [behind]


def test_each_key_is_called_as_often_as_the_limit_says(api: Api) -> None:
    """The second run of a key waits for its turn, the first of another one does not."""
    limit = {"per_minute": 1, "key_from": "/customer"}
    job = api.create(schedule={"kind": "manual"}, rate_limit=limit)
    runs = [trigger(api, str(job["job_id"]), {"customer": customer}) for customer in "aab"]
    api.world.settle()
    paced = [read(api, run)["rate_limited"] for run in runs]

    assert job["rate_limit"]["key_from"] == "/customer"
    (turn,) = [each for each in paced if each is not None]
    assert turn["key"] == "webhook:hooks.example.com a"
    told = [event.fields for event in api.world.telemetry.events if event.name == "run_paced"]
    assert [each["key"] for each in told] == ["webhook:hooks.example.com"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"overlap": {"key_from": "/a"}}, "overlap.key_from", "not_for_this_policy"),
        ({"overlap": {**BY_CUSTOMER, "key_from": "a"}}, "overlap.key_from", "invalid_format"),
        ({"overlap": {**BY_CUSTOMER, "key_from": "/" * 129}}, "overlap.key_from", "too_long"),
        ({"rate_limit": {"per_hour": 1, "key_from": "a"}}, "rate_limit.key_from", "invalid_format"),
    ],
)
def test_what_is_no_pointer_is_refused(
    api: Api, fields: dict[str, Any], field: str, code: str
) -> None:
    """And one where there are no slots."""
    answer = api.send("POST", "/v1/jobs", new_job(**fields))

    assert [(each["field"], each["code"]) for each in answer.body["errors"]] == [(field, code)]


@pytest.mark.parametrize(
    ("overlap", "key", "code"),
    [
        pytest.param({"policy": "allow"}, "a", "without_effect", id="no-slots"),
        pytest.param(BY_CUSTOMER, "", "too_short", id="empty"),
        pytest.param(BY_CUSTOMER, "a" * 257, "too_long", id="long"),
    ],
)
def test_what_is_no_key_is_refused(api: Api, overlap: object, key: str, code: str) -> None:
    """By itself, and in a batch."""
    path = f"/v1/jobs/{create(api, overlap)}/trigger"
    body = {"concurrency_key": key}
    answer = api.send("POST", path, body)
    batch = api.send("POST", f"{path}/batch", {"triggers": [body]})

    assert [(each["field"], each["code"]) for each in answer.body["errors"]] == [
        ("concurrency_key", code)
    ]
    assert batch.body["failed"] == 1
