"""Runs of DAGs through the API: started, shown with their tasks, stopped, tried again."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import Answer, Api
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT
from timegate.adapters.step_functions.executions import execution_name
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.tenant import TenantId

WORK = {"action": {"type": "worker", "pool": "etl", "handler": "work"}}
PIPELINE = {
    "name": "pipeline",
    "tasks": [{"key": "extract", "name": "Extract", "job": WORK}, {"key": "load", "job": WORK}],
    "edges": [{"source": "extract", "target": "load"}],
}
UNKNOWN = "a" * 26


@pytest.fixture
def dag_id(api: Api) -> str:
    """A DAG of two tasks."""
    return str(api.send("POST", "/v1/dags", PIPELINE).body["dag_id"])


def start(api: Api, dag_id: str, body: object = None, **headers: str) -> Answer:
    """Ask for a run."""
    return api.send("POST", f"/v1/dags/{dag_id}/runs", body, **headers)


def moved(api: Api, dag_run_id: str) -> tuple[DagWorld, DagRun]:
    """Return the world and DAG run after its execution has opened the run."""
    dag_world = DagWorld(world=api.world, dags=api.world.dags)
    run = api.world.dag_runs.get(TenantId(TENANT), DagRunId(dag_run_id))
    dag_world.open(run)
    return dag_world, run


def test_a_run_is_started_and_shown_with_its_tasks(api: Api, dag_id: str) -> None:
    """Before it is opened, while it runs, and once it has ended."""
    started = start(api, dag_id, {"parameters": {"day": 1}})
    path = started.headers["location"]
    fresh = api.send("GET", path).body
    dag_world, run = moved(api, started.body["dag_run_id"])
    going = api.send("GET", path).body
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    done = api.send("GET", path).body

    assert (started.status, started.body["status"]) == (202, "opening")
    assert fresh["parameters"] == {"day": 1}
    assert [task["state"] for task in fresh["tasks"]] == ["pending", "pending"]
    assert [(t["name"], t["state"]) for t in going["tasks"]] == [
        ("Extract", "running"),
        ("load", "pending"),
    ]
    assert going["tasks"][0]["run_id"].endswith("-1-extract-0")
    assert (done["status"], done["ended_count"], done["failed_count"]) == ("succeeded", 2, 0)
    assert [(t["state"], t["attempts"], t["result"]) for t in done["tasks"]] == [
        ("succeeded", 1, '"extract"'),
        ("succeeded", 1, '"load"'),
    ]


def test_no_channel_is_told_of_the_run_of_a_task(api: Api, dag_id: str) -> None:
    """An empty list, as for a run that no channel heard of: the run exists, and has no job."""
    path = start(api, dag_id).headers["location"]
    moved(api, path.rpartition("/")[2])
    run_id = api.send("GET", path).body["tasks"][0]["run_id"]
    told = api.send("GET", f"/v1/runs/{run_id}/notifications")
    unknown = api.send("GET", f"/v1/runs/{run_id[:-1]}1/notifications")

    assert (told.status, told.body["items"]) == (200, [])
    assert (unknown.status, unknown.code) == (404, "run_not_found")


def test_the_same_key_is_the_same_run(api: Api, dag_id: str) -> None:
    """Another body under it is a conflict; without a key, each is a run of its own."""
    first = start(api, dag_id, Idempotency_Key="day 1".replace(" ", "-"))
    api.world.clock.advance(1)
    again = start(api, dag_id, Idempotency_Key="day-1")
    other = start(api, dag_id, {"parameters": {"a": 1}}, Idempotency_Key="day-1")
    plain = [start(api, dag_id).body["dag_run_id"] for _ in range(2)]
    listed = api.send("GET", f"/v1/dags/{dag_id}/runs").body["items"]

    assert (again.status, again.body) == (200, first.body)
    assert again.headers["idempotency-replayed"] == "true"
    assert (other.status, other.code) == (409, "idempotency_conflict")
    assert sorted(row["dag_run_id"] for row in listed) == sorted([first.body["dag_run_id"], *plain])


def test_a_failed_run_is_tried_again_from_what_failed(api: Api, dag_id: str) -> None:
    """And neither while it goes on, nor when nothing failed."""
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    path = f"/v1/dag-runs/{dag_run_id}/retry"
    early = api.send("POST", path)
    dag_world, run = moved(api, dag_run_id)
    dag_world.play(run, lambda key, *_: RunState.FAILED if key == "load" else RunState.SUCCEEDED)
    retried = api.send("POST", path)
    dag_world.follow()
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    shown = api.send("GET", f"/v1/dag-runs/{dag_run_id}").body
    late = api.send("POST", path)

    assert (early.status, early.code) == (409, "dag_run_unfinished")
    assert (retried.status, retried.body["status"], retried.body["round"]) == (202, "reopening", 2)
    assert (shown["status"], [task["round"] for task in shown["tasks"]]) == ("succeeded", [1, 2])
    assert (late.status, late.code) == (409, "nothing_to_repeat")
    assert dag_world.executions.begun == [
        execution_name(run),
        execution_name(replace(run, opened_as=2)),
    ]
    assert dag_world.executions.awaited == [("extract", "load"), ("load",)]


def test_a_run_is_cancelled_once(api: Api, dag_id: str) -> None:
    """A task that has not started never does; an ended run refuses the cancellation."""
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    path = f"/v1/dag-runs/{dag_run_id}"
    dag_world, run = moved(api, dag_run_id)
    stopping = api.send("POST", f"{path}/cancel")
    dag_world.follow()
    again = api.send("POST", f"{path}/cancel")
    shown = api.send("GET", path).body
    done = start(api, dag_id).body["dag_run_id"]
    dag_world, run = moved(api, done)
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    late = api.send("POST", f"/v1/dag-runs/{done}/cancel")

    assert (stopping.status, stopping.body["status"]) == (200, "stopping")
    assert (again.status, again.body["status"]) == (200, "cancelled")
    assert {task["reason"] for task in shown["tasks"]} == {"dag_cancelled"}
    assert (late.status, late.code) == (409, "dag_run_finished")


REFUSED: dict[str, tuple[str, str, Any, int, str]] = {
    "no such run": ("GET", f"/v1/dag-runs/{UNKNOWN}", None, 404, "dag_run_not_found"),
    "no id": ("POST", "/v1/dag-runs/nothing/cancel", None, 404, "dag_run_not_found"),
    "no such DAG": ("POST", f"/v1/dags/{UNKNOWN}/runs", None, 404, "dag_not_found"),
    "runs of none": ("GET", f"/v1/dags/{UNKNOWN}/runs", None, 404, "dag_not_found"),
    "parameters": (
        "POST",
        f"/v1/dags/{UNKNOWN}/runs",
        {"parameters": [1]},
        400,
        "invalid_request",
    ),
}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"), REFUSED.values(), ids=REFUSED
)
def test_what_is_not_there_or_no_object_is_refused(
    api: Api, method: str, path: str, body: object, status: int, code: str
) -> None:
    """With a stable code."""
    answer = api.send(method, path, body)

    assert (answer.status, answer.code) == (status, code)


def test_a_deleted_dag_starts_nothing_and_other_tenants_see_nothing(api: Api, dag_id: str) -> None:
    """A run that started before stays; a used key answers with its run."""
    first = start(api, dag_id, Idempotency_Key="first").body["dag_run_id"]
    api.send("DELETE", f"/v1/dags/{dag_id}")
    again = start(api, dag_id, Idempotency_Key="first")
    refused = start(api, dag_id)
    foreign = api.send("GET", f"/v1/dag-runs/{first}", tenant="other")

    assert again.body["dag_run_id"] == first
    assert (refused.status, refused.code) == (409, "dag_deleted")
    assert (foreign.status, foreign.code) == (404, "dag_run_not_found")


def test_operators_complete_skip_and_rerun_tasks(api: Api, dag_id: str) -> None:
    """While it runs and when it has ended; repeating a request repeats nothing."""
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    dag_world, run = moved(api, dag_run_id)
    path = f"/v1/dag-runs/{dag_run_id}/tasks"
    said = {"reason": "By hand.", "result": {"rows": 7}}
    done = [api.send("POST", f"{path}/extract/complete", said) for _ in range(2)]
    dag_world.follow()
    skipped = api.send("POST", f"{path}/load/skip")
    dag_world.follow()
    key = {"Idempotency_Key": "once"}
    again = [api.send("POST", f"{path}/load/rerun", {"scope": "task"}, **key) for _ in range(2)]
    dag_world.follow()
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    shown = api.send("GET", f"/v1/dag-runs/{dag_run_id}").body

    assert [answer.status for answer in done] == [202, 200]
    assert done[1].headers["idempotency-replayed"] == "true"
    task = done[0].body["task"]
    assert (task["state"], task["reason"], task["result"]) == ("succeeded", "forced", '{"rows":7}')
    assert task["intervention"] | {"at": ""} == {
        "kind": "complete",
        "by": "acme",
        "at": "",
        "reason": "By hand.",
        "members": None,
    }
    assert (skipped.status, skipped.body["task"]["state"]) == (202, "skipped")
    assert [answer.status for answer in again] == [202, 200]
    assert (again[0].body["status"], again[0].body["round"]) == ("reopening", 2)
    assert [(t["state"], t["round"]) for t in shown["tasks"]] == [
        ("succeeded", 1),
        ("succeeded", 2),
    ]


NOT_TO_BE: dict[str, tuple[str, Any, int, str]] = {
    "no such task": ("nothing/skip", None, 404, "task_not_found"),
    "a task that is pending": ("load/rerun", {}, 409, "task_not_started"),
    "a reason that is none": ("load/skip", {"reason": ""}, 400, "invalid_request"),
    "an unread field": ("load/skip", {"result": 1}, 400, "invalid_request"),
    "a scope that is none": ("extract/rerun", {"scope": "all"}, 400, "invalid_request"),
    "too much": ("extract/complete", {"result": "x" * 300_000}, 400, "invalid_request"),
}


@pytest.mark.parametrize(("what", "body", "status", "code"), NOT_TO_BE.values(), ids=NOT_TO_BE)
def test_what_operators_cannot_do_is_refused(
    api: Api, dag_id: str, what: str, body: object, status: int, code: str
) -> None:
    """With a stable code; and a DAG run that is not open yet is busy, to others it is not there."""
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    path = f"/v1/dag-runs/{dag_run_id}/tasks"
    early = api.send("POST", f"{path}/extract/skip")
    moved(api, dag_run_id)
    answer = api.send("POST", f"{path}/{what}", body)
    foreign = api.send("POST", f"{path}/extract/skip", tenant="other")

    assert (early.status, early.code) == (409, "dag_run_busy")
    assert (answer.status, answer.code) == (status, code)
    assert (foreign.status, foreign.code) == (404, "dag_run_not_found")


def test_a_run_is_drawn(api: Api, dag_id: str) -> None:
    """A run has its graph and its chart in every format; an unknown run has none."""
    dag_run_id = start(api, dag_id).body["dag_run_id"]
    dag_world, _ = moved(api, dag_run_id)
    api.world.clock.advance(10)
    dag_world.hear(dag_world.finish(dag_world.waiting()[0], RunState.SUCCEEDED))
    path = f"/v1/dag-runs/{dag_run_id}"
    data = api.send("GET", f"{path}/gantt").body
    text = api.send("GET", f"{path}/gantt?format=text").body["text"]
    graph = api.send("GET", f"{path}/graph?format=mermaid").body
    missing = [api.send("GET", f"/v1/dag-runs/{UNKNOWN}/{what}") for what in ("graph", "gantt")]
    wrong = api.send("GET", f"{path}/gantt?format=png")

    assert (data["status"], data["format"], data["text"]) == ("running", "json", None)
    assert [(r["title"], [s["kind"] for s in r["spans"]]) for r in data["rows"]] == [
        ("Extract", ["queued", "running"]),
        ("load", ["queued"]),
    ]
    assert "Extract" in text
    assert "class t0 succeeded" in graph["text"]
    assert [node["state"] for node in graph["nodes"]] == ["succeeded", "running"]
    assert [(each.status, each.code) for each in missing] == [(404, "dag_run_not_found")] * 2
    assert (wrong.status, wrong.code) == (400, "invalid_request")


def test_a_key_keeps_its_parameters_when_its_dag_is_deleted(api: Api, dag_id: str) -> None:
    """The same request meets its run; another one under the key is a conflict as before."""
    asked = [{"parameters": {"day": day}} for day in (1, 2)]
    started = start(api, dag_id, asked[0], Idempotency_Key="k")
    api.send("DELETE", f"/v1/dags/{dag_id}")
    again, other = (start(api, dag_id, each, Idempotency_Key="k") for each in asked)

    assert again.body["dag_run_id"] == started.body["dag_run_id"]
    assert (other.status, other.code) == (409, "idempotency_conflict")
