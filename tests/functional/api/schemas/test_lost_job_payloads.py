"""Jobs and DAG runs whose large payload is lost: what needs it is refused, and nothing else."""

from typing import Any

import pytest

from tests.support.api import Api

LARGE = {"text": "x" * 2_000, "customer": 7}
MANUAL = {"kind": "manual"}
SCHEMA = {"type": "object", "required": ["text"]}
COLLAPSE = {"span_seconds": 10, "key_from": "/customer"}
QUEUE_BY = {"policy": "queue", "max_concurrent": 1, "key_from": "/customer"}


def job_without(api: Api) -> str:
    """A job whose stored payload is lost; its id."""
    job_id = str(api.create(schedule=MANUAL, payload=LARGE)["job_id"])
    api.world.blobs.blobs.clear()
    return job_id


def test_a_job_is_read_without_it_and_says_that_it_is_lost(api: Api) -> None:
    """Reading was answered 500, and so no owner could mend the job in the console."""
    job_id = job_without(api)
    found = api.send("GET", f"/v1/jobs/{job_id}")
    (advice,) = found.body["advice"]

    assert (found.status, found.body["payload"]) == (200, None)
    assert found.body["payload_size_bytes"] > 2_000
    assert (advice["field"], advice["code"]) == ("payload", "payload_lost")


def test_the_payload_that_is_given_anew_mends_the_job(api: Api) -> None:
    """The same text, too: it is stored again."""
    job_id = job_without(api)
    assert api.send("PATCH", f"/v1/jobs/{job_id}", {"payload": LARGE}).status == 200
    found = api.send("GET", f"/v1/jobs/{job_id}").body

    assert (found["payload"], found["advice"]) == (LARGE, [])


@pytest.mark.parametrize(
    ("method", "place", "body"),
    [
        ("POST", "/trigger", {"payload_patch": {"page": 2}}),
        ("POST", "/trigger", {"collapse": COLLAPSE}),
        ("PATCH", "", {"payload_schema": SCHEMA}),
        ("PATCH", "", {"payload_marks": {}}),
        ("PATCH", "", {"overlap": QUEUE_BY}),
        ("POST", "/preview", {"payload_schema": SCHEMA}),
    ],
)
def test_a_request_that_needs_it_is_refused(
    api: Api, method: str, place: str, body: dict[str, Any]
) -> None:
    """By a code that says what to do; each was answered 500."""
    job_id = job_without(api)
    refused = api.send(method, f"/v1/jobs/{job_id}{place}", body)

    assert (refused.status, refused.code) == (409, "payload_lost")
    assert job_id not in refused.body["detail"]


@pytest.mark.parametrize(
    ("method", "place", "body"),
    [
        ("POST", "/trigger", {"payload": {"page": 2}}),
        ("POST", "/trigger", {"payload": {"customer": 8}, "collapse": COLLAPSE}),
        ("PATCH", "", {"payload": LARGE, "payload_schema": SCHEMA}),
        ("PATCH", "", {"name": "another"}),
        ("DELETE", "", None),
    ],
)
def test_a_request_that_does_not_need_it_is_accepted(
    api: Api, method: str, place: str, body: dict[str, Any] | None
) -> None:
    """A payload in the request stands for it."""
    job_id = job_without(api)

    assert api.send(method, f"/v1/jobs/{job_id}{place}", body).status < 300


def test_one_trigger_of_a_batch_is_refused_alone(api: Api) -> None:
    """The others start their runs: one patch among them refused all."""
    job_id = job_without(api)
    triggers = [{"payload_patch": {"page": 1}}, {"payload": {"page": 2}}, {"payload_patch": {}}]
    batch = api.send("POST", f"/v1/jobs/{job_id}/trigger/batch", {"triggers": triggers})
    items = batch.body["items"]

    assert [each["status"] for each in items] == [409, 202, 409]
    assert items[0]["error"]["code"] == "payload_lost"


def test_a_run_like_one_whose_payload_is_lost_is_refused(api: Api) -> None:
    """Unless the trigger has a payload of its own."""
    job_id = str(api.create(schedule=MANUAL)["job_id"])
    run_id = api.trigger(job_id, {"payload": LARGE}).body["run_id"]
    api.world.blobs.blobs.clear()
    alike = api.trigger(job_id, {"like_run_id": run_id})
    given = api.trigger(job_id, {"like_run_id": run_id, "payload": {"page": 2}})

    assert (alike.status, alike.code) == (409, "payload_lost")
    assert given.status == 202


def test_an_event_says_which_trigger_could_not_patch_it(api: Api) -> None:
    """The trigger that sends the event whole starts its run."""
    job_id = job_without(api)
    patch = {"payload_patch": {"order": {"$ref": "event.data"}}}
    for name, data in (("patching", patch), ("whole", {})):
        starts = {"type": "job", "job_id": job_id, **data}
        put = {"pattern": {"type": ["order"]}, "starts": starts}
        assert api.send("PUT", f"/v1/event-triggers/{name}", put).status < 300
    event = {"specversion": "1.0", "id": "1", "source": "shop", "type": "order", "data": {"n": 1}}
    (item,) = api.send("POST", "/v1/events", event).body["items"]
    met = {each["name"]: each for each in item["met"]}

    assert met["patching"]["code"] == "payload_lost"
    assert met["whole"]["run_id"] is not None


def test_a_dag_run_is_read_without_its_parameters(api: Api) -> None:
    """Its tasks and its state are shown; they were answered 500."""
    task = {"key": "a", "job": {"action": {"type": "webhook", "url": "https://hooks.example.com/"}}}
    dag = api.send("POST", "/v1/dags", {"name": "pipeline", "tasks": [task]}).body
    run = api.send("POST", f"/v1/dags/{dag['dag_id']}/runs", {"parameters": LARGE}).body
    api.world.blobs.blobs.clear()
    found = api.send("GET", f"/v1/dag-runs/{run['dag_run_id']}")

    assert (found.status, found.body["parameters"]) == (200, None)
    assert [each["key"] for each in found.body["tasks"]] == ["a"]
