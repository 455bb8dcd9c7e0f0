"""Events that a tenant sends to the deployed stack: what they start, and what they end."""

import json
from typing import Any

import httpx

from infra.local.webhook_target import Recorder
from tests.e2e.runs.test_overlap import wait_for_state
from tests.support.deployed.deployed_dags import PATIENCE, ended, hook, run_of, started
from tests.support.deployed.stack import Stack, wait_until

ORDER = {"order": "o-17", "total": 120}


def event(its_id: str, kind: str, data: object, **attributes: str) -> dict[str, Any]:
    """A CloudEvent."""
    fields = {"specversion": "1.0", "id": its_id, "source": "e2e-shop", "type": kind}
    return {**fields, **attributes, "data": data}


def send(api: httpx.Client, sent: object, kind: str = "cloudevents") -> list[dict[str, Any]]:
    """Send an event, or several; what became of each."""
    media = {"content-type": f"application/{kind}+json"}
    answer = api.post("/v1/events", content=json.dumps(sent), headers=media)
    assert answer.is_success, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def manual_job(stack: Stack, recorder: Recorder, name: str) -> str:
    """A job that only events start."""
    action = {"type": "webhook", "url": recorder.url(name)}
    job = stack.create_job(name=name, key=name, schedule={"kind": "manual"}, action=action)
    return str(job["job_id"])


def met(stack: Stack, sent: dict[str, Any]) -> dict[str, Any]:
    """Send an event until the API's processes know the trigger; return its met trigger."""

    def look() -> dict[str, Any] | None:
        (item,) = send(stack.api, sent)
        return item["met"][0] if item["met"] else None

    return wait_until(look, seconds=30, pause=0.5)


def test_an_event_starts_a_job_and_a_dag_once(stack: Stack, recorder: Recorder) -> None:
    """By patterns of their own; sent again it meets the same runs, and another tenant's nothing."""
    job_id = manual_job(stack, recorder, "event-invoice")
    dag = {"name": "event-dag", "tasks": [hook(recorder, "event-task", input=ORDER)]}
    dag_id = stack.api.post("/v1/dags", json=dag).json()["dag_id"]
    large = {"type": ["e2e.paid"], "data": {"total": [{"numeric": [">", 100]}]}}
    payload = {"id": {"$ref": "event.data.order"}}
    starts = {"type": "job", "job_id": "key:event-invoice", "payload": payload}
    for name, trigger in {
        "e2e-invoice": {"pattern": large, "starts": starts},
        "e2e-dag": {
            "pattern": {"type": ["e2e.shipped"]},
            "starts": {"type": "dag_run", "dag_id": dag_id},
        },
    }.items():
        assert stack.api.put(f"/v1/event-triggers/{name}", json=trigger).is_success
    invoice = met(stack, event("e-1", "e2e.paid", ORDER))
    shipment = met(stack, event("e-2", "e2e.shipped", ORDER))
    small = event("e-3", "e2e.paid", {**ORDER, "total": 100})
    again, none = send(stack.api, [event("e-1", "e2e.paid", ORDER), small], "cloudevents-batch")
    (foreign,) = send(stack.other_api, event("e-1", "e2e.paid", ORDER))
    wait_for_state(stack, invoice["run_id"], "succeeded")
    ended(stack, shipment["dag_run_id"], "succeeded")

    assert (invoice["kind"], invoice["name"]) == ("event_trigger", "e2e-invoice")
    assert (again["receipt"], again["met"][0]["run_id"]) == ("repeated", invoice["run_id"])
    assert (none["met"], foreign["receipt"], foreign["met"]) == ([], "new", [])
    assert [each.body for each in recorder.requests("event-invoice")] == [{"id": "o-17"}]
    assert [each.body for each in recorder.requests("event-task")] == [ORDER]
    assert len(stack.runs(job_id)) == 1


def paid(recorder: Recorder, name: str, **event_fields: object) -> dict[str, Any]:
    """A DAG that waits for an event, and gives its data to a task."""
    waited = {"type": "e2e.order", "correlation": {"$ref": "parameters.order"}, **event_fields}
    return {
        "name": name,
        "tasks": [
            {"key": "paid", "wait": {"kind": "event", "event": waited, "seconds": 600}},
            hook(recorder, name, input={"$ref": "tasks.paid.result.amount"}),
        ],
        "edges": [{"source": "paid", "target": name}],
    }


def test_an_event_ends_the_tasks_that_wait_for_it(stack: Stack, recorder: Recorder) -> None:
    """One that came before its task, in binary mode, and one while it waits; each by its key."""
    early = event("e-4", "e2e.order", None, subject="order-early")
    headers = {f"ce-{name}": text for name, text in early.items() if text is not None}
    binary = stack.api.post("/v1/events", json={"amount": 7}, headers=headers)
    assert binary.status_code == 202, binary.text
    before = started(stack, paid(recorder, "event-early", lookback_seconds=60), order="order-early")
    waits = started(stack, paid(recorder, "event-late"), order="order-late")
    wait_until(
        lambda: run_of(stack, waits)["tasks"][0]["state"] == "running" or None,
        seconds=PATIENCE,
        what=lambda: run_of(stack, waits),
    )
    late = event("e-5", "e2e.order", {"amount": 8}, correlationid="order-late")
    (foreign,) = send(stack.other_api, late)
    (item,) = send(stack.api, late)
    states = [ended(stack, each, "succeeded") for each in (before, waits)]

    assert foreign["met"] == []
    assert [(each["kind"], each["dag_run_id"]) for each in item["met"]] == [("task", waits)]
    assert {state for each in states for state in each.values()} == {"succeeded"}
    called = ("event-early", "event-late")
    assert [[each.body for each in recorder.requests(name)] for name in called] == [[7], [8]]
