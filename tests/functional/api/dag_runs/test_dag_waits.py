"""Approvals through the API: shown while they wait, decided by whom they name, and on record."""

import json
from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.support.api import SCOPES, Answer, Api, gateway_event
from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.runs.run import RunState

GATE = {"kind": "approval", "seconds": "PT1H", "on_expiry": "skip"}


def define(api: Api, **wait: object) -> str:
    """A run of a DAG whose first task waits; its path."""
    own = {
        "name": "release",
        "tasks": [{"key": "gate", "wait": {**GATE, **wait}}, {"key": "publish", "job": WORK}],
        "edges": [{"source": "gate", "target": "publish"}],
    }
    dag_id = str(api.send("POST", "/v1/dags", own).body["dag_id"])
    return str(start(api, dag_id).headers["location"])


def task_of(api: Api, path: str) -> dict[str, Any]:
    """The task that waits, as it is shown."""
    shown: dict[str, Any] = api.send("GET", path).body["tasks"][0]
    return shown


def test_an_approval_is_shown_decided_and_told(api: Api) -> None:
    """Its kind and end while it waits, in the list, the graph and the chart; then who decided."""
    path = define(api)
    fresh = task_of(api, path)
    dag_world, run = moved(api, path.rpartition("/")[2])
    waits = task_of(api, path)
    graph = api.send("GET", f"{path}/graph").body["nodes"][0]
    body = {"decision": "approve", "note": "Checked."}
    done = api.send("POST", f"{path}/tasks/gate/decide", body)
    again = api.send("POST", f"{path}/tasks/gate/decide", body)
    other = api.send("POST", f"{path}/tasks/gate/decide", {"decision": "reject"})
    dag_world.follow()
    after = dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    (bar, _) = api.send("GET", f"{path}/gantt").body["rows"]
    shown = task_of(api, path)

    nothing = {"event_type": None, "correlation": None, "event": None}
    assert fresh["wait"] == {"kind": "approval", "until": None, "approvers": [], **nothing}
    assert (waits["state"], waits["run_id"]) == ("running", None)
    assert waits["wait"]["until"] == "2026-11-21T08:00:00.000Z"
    assert (graph["runs"], graph["state"]) == ("approval", "running")
    assert (done.status, done.body["task"]["state"]) == (202, "succeeded")
    assert (again.status, again.headers["idempotency-replayed"]) == (200, "true")
    assert (other.status, other.code) == (409, "task_ended")
    assert after.status == "succeeded"
    assert (bar["key"], bar["is_complete"], len(bar["spans"])) == ("gate", True, 1)
    assert shown["reason"] == "approved"
    assert shown["intervention"]["reason"] == "Checked."
    assert shown["result"] == f'{{"approved":true,"by":"{shown["intervention"]["by"]}"}}'


def test_a_caller_who_is_no_approver_is_refused(api: Api) -> None:
    """And so is one who would complete it instead; nothing changes."""
    path = define(api, approvers=["another-person"])
    moved(api, path.rpartition("/")[2])
    asked = [
        api.send("POST", f"{path}/tasks/gate/decide", {"decision": "approve"}),
        api.send("POST", f"{path}/tasks/gate/complete"),
    ]

    assert [(each.status, each.code) for each in asked] == [(403, "not_an_approver")] * 2
    assert task_of(api, path)["state"] == "running"


def test_a_decision_is_repeated_by_its_approvers_alone(api: Api) -> None:
    """Another caller who says the same is refused, with the key of the first request as well."""
    path = define(api, approvers=["ann", "bob"])
    moved(api, path.rpartition("/")[2])

    def decide(caller: str, **headers: str) -> Answer:
        claims = {"sub": caller, "client_id": TENANT, "scope": SCOPES}
        named = {"Content-Type": "application/json", **headers}
        body = json.dumps({"decision": "approve"})
        place = f"{path}/tasks/gate/decide"
        return api.deliver(gateway_event("POST", place, body=body, headers=named, claims=claims))

    key = {"Idempotency-Key": "release-1"}
    asked = [decide(each, **key) for each in ("ann", "bob", "eve")] + [decide("eve")]

    assert [each.status for each in asked] == [202, 200, 403, 403]
    assert [each.code for each in asked[2:]] == ["not_an_approver"] * 2
    assert "task" not in asked[2].body


def test_an_approval_is_its_tenants_own(api: Api) -> None:
    """Another tenant finds no such DAG run."""
    path = define(api)
    moved(api, path.rpartition("/")[2])
    foreign = api.send(
        "POST", f"{path}/tasks/gate/decide", {"decision": "approve"}, tenant=OTHER_TENANT
    )

    assert (foreign.status, foreign.code) == (404, "dag_run_not_found")
    assert task_of(api, path)["state"] == "running"


def test_what_is_defined_is_shown_as_it_was_written(api: Api) -> None:
    """A wait reads back as it would be sent again."""
    path = define(api, approvers=["ann"])
    dag_id = api.send("GET", path).body["dag_id"]
    shown = api.send("GET", f"/v1/dags/{dag_id}").body
    again = {name: shown[name] for name in ("name", "tasks", "edges")}
    stored = api.send("POST", "/v1/dags", again)

    assert shown["tasks"][0]["wait"]["approvers"] == ["ann"]
    assert (shown["tasks"][0]["job"], shown["tasks"][1]["wait"]) == (None, None)
    assert (stored.status, stored.body["tasks"]) == (201, shown["tasks"])


@pytest.mark.parametrize(
    ("task", "field", "code"),
    [
        ({"wait": GATE, "job": WORK}, "tasks.0", "contradictory"),
        ({}, "tasks.0", "required"),
        ({"wait": {"kind": "nap"}}, "tasks.0.wait.kind", "invalid_choice"),
        ({"wait": {"kind": "sleep", "time": "6:00"}}, "tasks.0.wait.time", "invalid_format"),
    ],
)
def test_a_task_waits_or_runs(api: Api, task: dict[str, Any], field: str, code: str) -> None:
    """It says one of the two."""
    refused = api.send("POST", "/v1/dags", {"name": "x", "tasks": [{"key": "a", **task}]})

    assert refused.status == 400
    assert (refused.body["errors"][0]["field"], refused.body["errors"][0]["code"]) == (field, code)
