"""DAG runs whose texts or records are lost: shown without, or refused by a code of their own."""

from typing import Any

import pytest

from api.http.table import ROUTES
from tests.functional.api.dag_runs.test_dag_runs import WORK, moved, start
from tests.support.api import Api
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.stores.records import RUNS_TABLE
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK, Key
from timegate.adapters.dynamo.tables.reading import LATEST_SHAPE, SHAPE
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.runs.run import RunState

LARGE = {"text": "x" * 5_000, "parts": ["a", "b"], "order": "o-1"}
TASKS: list[dict[str, Any]] = [
    {"key": "first", "job": WORK, "input": {"$ref": "parameters"}},
    {"key": "plain", "job": WORK, "input": {"run": {"$ref": "run.dag_run_id"}}},
    {"key": "parts", "job": WORK, "fan_out": {"over": "parameters.parts"}},
    {
        "key": "paid",
        "wait": {
            "kind": "event",
            "event": {
                "type": "order.paid",
                "correlation": {"$ref": "parameters.order"},
            },
        },
    },
]
READS = [route.path for route in ROUTES if route.method == "GET" and "<dag_run_id>" in route.path]


def lost(api: Api, state: RunState) -> tuple[str, DagWorld, DagRun]:
    """A DAG run whose runs ended so; then all that lies in the blob store is lost."""
    gate = {"key": "gate", "wait": {"kind": "approval"}}
    edges = [{"source": "gate", "target": task["key"]} for task in TASKS]
    body = {
        "name": "all",
        "tasks": [gate, *TASKS],
        "edges": edges,
        "failure_policy": {"policy": "continue"},
    }
    dag_id = api.send("POST", "/v1/dags", body).body["dag_id"]
    dag_run_id = start(api, dag_id, {"parameters": LARGE}).body["dag_run_id"]
    dag_world, run = moved(api, dag_run_id)
    if state is not RunState.WAITING:
        decide(api, dag_run_id, dag_world)
        dag_world.play(run, lambda *_: state)
    api.world.blobs.blobs.clear()
    # No other region's copy comes any more.
    api.world.clock.advance(15 * 60)
    return f"/v1/dag-runs/{dag_run_id}", dag_world, run


def decide(api: Api, dag_run_id: str, dag_world: DagWorld) -> None:
    """Approve the gate, and let what follows follow."""
    path = f"/v1/dag-runs/{dag_run_id}/tasks/gate/decide"
    assert api.send("POST", path, {"decision": "approve"}).status == 202
    dag_world.follow()


def errors_of(body: Any) -> dict[str, str | None]:  # noqa: ANN401 - any JSON
    """The code of each task's error."""
    return {task["key"]: (task["error"] or {}).get("code") for task in body["tasks"]}


@pytest.mark.parametrize("state", [RunState.WAITING, RunState.SUCCEEDED, RunState.FAILED])
def test_every_route_of_a_dag_run_answers_without_its_texts(api: Api, state: RunState) -> None:
    """Its parameters are null, as the payload of a run is."""
    path, _, run = lost(api, state)
    answers = [api.send("GET", each.replace("<dag_run_id>", run.dag_run_id)) for each in READS]
    shown = api.send("GET", path)

    assert READS
    assert {answer.status for answer in answers} == {200}
    assert (shown.status, shown.body["parameters"]) == (200, None)


def test_tasks_that_ask_for_lost_parameters_fail_and_others_run(api: Api) -> None:
    """The DAG run stood still until its deadline, with all of its tasks."""
    path, dag_world, run = lost(api, RunState.WAITING)
    decide(api, run.dag_run_id, dag_world)
    going = api.send("GET", path).body
    ended = dag_world.play(run, lambda *_: RunState.SUCCEEDED)

    assert errors_of(going) == {
        "gate": None,
        "first": "parameters_expired",
        "plain": None,
        "parts": "parameters_expired",
        "paid": "parameters_expired",
    }
    assert {task["key"]: task["state"] for task in going["tasks"]}["plain"] == "running"
    assert ended.status == "failed"


def test_a_retry_of_a_dag_run_without_its_parameters_ends(api: Api) -> None:
    """Months later, when they have expired."""
    path, dag_world, run = lost(api, RunState.FAILED)
    assert api.send("POST", f"{path}/tasks/paid/skip", {}).status == 202
    dag_world.follow()
    assert api.send("POST", f"{path}/retry").status == 202
    dag_world.follow()
    ended = dag_world.play(run, lambda *_: RunState.SUCCEEDED)

    assert ended.status == "failed"
    assert errors_of(api.send("GET", path).body)["first"] == "parameters_expired"


@pytest.mark.parametrize("part", [DAG_RUN_SK, "task#first"])
def test_a_record_that_cannot_be_read_is_refused_by_its_code(api: Api, part: str) -> None:
    """A caller learns that repeating the request does not help."""
    path, _, run = lost(api, RunState.WAITING)
    keys = [
        Key(pk=str(item["pk"]), sk=str(item["sk"]))
        for item in api.world.tables.engine.items(RUNS_TABLE)
        if run.dag_run_id in str(item["pk"]) and item["sk"] == part
    ]
    for key in keys:
        api.world.tables.edit(RUNS_TABLE, key, {SHAPE: LATEST_SHAPE + 1})
    answer = api.send("GET", path)

    assert keys
    assert (answer.status, answer.body["code"]) == (500, "dag_run_damaged")
    assert run.dag_run_id in answer.body["detail"]
