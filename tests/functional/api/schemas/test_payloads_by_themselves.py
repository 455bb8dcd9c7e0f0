"""Payloads that no caller gives are held to the schema too, and a record says why none ran."""

from typing import Any

from tests.functional.api.dag_runs.test_dag_runs import moved
from tests.functional.api.schemas.test_payload_schemas import FAULTS, GOOD, MANUAL, SCHEMA, held
from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event
from tests.support.pools.worker_requests import claim, read, say

BAD = {"rows": "1", "more": True}


def put_trigger(api: Api, job_id: str, **starts: Any) -> None:  # noqa: ANN401 - any field
    """An event trigger of the job, that every event matches."""
    body = {"pattern": {}, "starts": {"type": "job", "job_id": job_id, **starts}}
    assert api.send("PUT", "/v1/event-triggers/any", body).status == 200


def met_by(api: Api, data: object, **event: Any) -> Any:  # noqa: ANN401 - any JSON
    """Send an event with this data; return what it met."""
    answer = api.send("POST", "/v1/events", cloud_event(data=data, **event))
    return answer.body["items"][0]["met"][0]


def test_an_event_whose_data_does_not_fit_leaves_its_refusal(api: Api) -> None:
    """In the answer to its sender, and in the log of the stage."""
    job_id = held(api)
    put_trigger(api, job_id, payload={"$ref": "event.data"})
    met = met_by(api, BAD)
    told = [e.fields for e in api.world.telemetry.events if e.name == "event_trigger_refused"]

    assert met["run_id"] is None
    assert met["code"] == "payload_mismatch"
    assert met["detail"].startswith("At payload/rows: The schema asks for an integer")
    assert met_by(api, {"rows": "1"}, id="other")["code"] == "payload_mismatch"
    assert [(each["event_trigger"], each["code"]) for each in told] == [("any", "payload_mismatch")]
    assert claim(api) == []


def test_an_event_whose_data_fits_starts_a_run(api: Api) -> None:
    """Whole, and merged into the payload of the job."""
    job_id = held(api, payload=GOOD)
    put_trigger(api, job_id, payload_patch={"day": {"$ref": "event.data.day"}})

    assert met_by(api, {"day": "2026-11-30"})["run_id"] is not None
    assert [each["payload"] for each in claim(api)] == [{**GOOD, "day": "2026-11-30"}]


def test_trying_an_event_says_that_it_would_be_refused(api: Api) -> None:
    """Nothing starts, and nothing is stored."""
    put_trigger(api, held(api), payload={"$ref": "event.data"})
    path = "/v1/event-triggers/any/try"
    bad = api.send("POST", path, {"event": cloud_event(data=BAD)})
    good = api.send("POST", path, {"event": cloud_event(data=GOOD)})

    assert (bad.status, bad.code, bad.fields) == (422, "payload_mismatch", FAULTS)
    assert (good.status, good.body["matches"]) == (200, True)
    assert claim(api) == []


def test_a_follow_up_whose_parents_payload_does_not_fit_fails_and_says_so(api: Api) -> None:
    """Its target is not called; trying again would not help."""
    second = held(api)
    then = [{"job_id": second, "on": ["succeeded"], "payload": "parent"}]
    first = api.create(**MANUAL, then=then)["job_id"]
    for payload in (BAD, GOOD):
        api.trigger(first, {"payload": payload})
        (run,) = claim(api, max=9)
        say(api, "complete", run)
        api.world.settle()
    handed = claim(api, max=9)
    followers = api.send("GET", f"/v1/jobs/{second}/runs").body["items"]
    (failed,) = [each for each in followers if each["state"] == "failed"]

    assert [each["payload"] for each in handed] == [GOOD]
    assert failed["reason"] == "permanent"
    assert read(api, failed)["error"]["code"] == "payload_mismatch"
    assert "payload/rows" in read(api, failed)["error"]["message"]


def test_a_follow_up_with_its_own_payload_is_not_looked_at_again(api: Api) -> None:
    """It was, when its job was stored; one without any is given null."""
    own, bare = held(api, payload=GOOD), held(api)
    then = [{"job_id": job_id, "on": ["succeeded"]} for job_id in (own, bare)]
    api.trigger(api.create(**MANUAL, then=then)["job_id"])
    (run,) = claim(api)
    say(api, "complete", run)
    api.world.settle()
    handed = claim(api, max=9)
    (refused,) = api.send("GET", f"/v1/jobs/{bare}/runs").body["items"]

    assert [each["payload"] for each in handed] == [GOOD]
    assert refused["error"]["code"] == "payload_mismatch"


def dag_run(api: Api, task: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """The only task of a run of a DAG, once the run is open."""
    body = {"name": "all", "tasks": [{"key": "a", **task}], "edges": []}
    dag_id = api.send("POST", "/v1/dags", body).body["dag_id"]
    run = api.send("POST", f"/v1/dags/{dag_id}/runs", {"parameters": parameters}).body
    moved(api, run["dag_run_id"])
    path = f"/v1/dag-runs/{run['dag_run_id']}"
    task_now: dict[str, Any] = api.send("GET", path).body["tasks"][0]
    return task_now


def test_a_task_that_names_the_job_is_held_to_it(api: Api) -> None:
    """It fails before it starts, with the places in its error; what fits starts."""
    job_id = held(api)
    task = {"job_id": job_id, "input": {"$ref": "parameters"}}
    refused = dag_run(api, task, BAD)
    bare = dag_run(api, {"job_id": job_id}, {})
    started = dag_run(api, task, GOOD)

    assert (refused["state"], refused["reason"]) == ("failed", "invalid_input")
    assert refused["error"]["code"] == bare["error"]["code"] == "payload_mismatch"
    assert "payload/rows" in refused["error"]["message"]
    assert started["state"] == "running"


def test_each_member_of_a_fan_out_is_held_to_it(api: Api) -> None:
    """The task fails as a whole, and names the first member that does not fit."""
    job_id = held(api)
    task = {"job_id": job_id, "fan_out": {"over": "parameters.parts", "max_width": 9}}
    refused = dag_run(api, task, {"parts": [GOOD, BAD]})
    started = dag_run(api, task, {"parts": [GOOD, GOOD]})

    assert refused["error"]["code"] == "payload_mismatch"
    assert refused["error"]["message"].startswith("Member 1: ")
    assert started["state"] == "running"


def test_a_backfill_runs_what_the_job_has(api: Api) -> None:
    """Its payload fits: the job would not have been stored."""
    schedule = {"kind": "cron", "cron": "0 3 * * *"}
    job_id = api.create(
        schedule=schedule, action=MANUAL["action"], payload=GOOD, payload_schema=SCHEMA
    )["job_id"]
    span = {"from": "2026-11-19T00:00:00Z", "to": "2026-11-19T23:00:00Z"}
    answer = api.send("POST", f"/v1/jobs/{job_id}/backfill", span)
    api.world.settle()

    assert answer.status == 202
    assert [each["payload"] for each in claim(api)] == [GOOD]
