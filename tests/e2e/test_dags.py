"""DAG runs on the deployed stack: pipelines that run, fail under a policy, and are repaired."""

from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.stack import Stack, wait_until

PATIENCE = 120.0


def hook(recorder: Recorder, name: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """A task that calls the target on this machine once."""
    action = {"type": "webhook", "url": recorder.url(name)}
    return {"key": name, "job": {"action": action, "retry": {"max_attempts": 1}}, **fields}


def started(stack: Stack, dag: dict[str, Any], **parameters: Any) -> str:  # noqa: ANN401 - JSON
    """A run of a new DAG; its id."""
    created = stack.api.post("/v1/dags", json=dag)
    assert created.status_code == 201, created.text
    path = f"/v1/dags/{created.json()['dag_id']}/runs"
    headers = {"Idempotency-Key": "first"}
    answers = [
        stack.api.post(path, json={"parameters": parameters}, headers=headers) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [202, 200]
    assert answers[0].json()["dag_run_id"] == answers[1].json()["dag_run_id"]
    return str(answers[0].json()["dag_run_id"])


def run_of(stack: Stack, dag_run_id: str) -> dict[str, Any]:
    """A DAG run with its tasks."""
    read: dict[str, Any] = stack.api.get(f"/v1/dag-runs/{dag_run_id}").json()
    return read


def ended(stack: Stack, dag_run_id: str, status: str) -> dict[str, str]:
    """The states of its tasks, once it has ended like this."""

    def look() -> dict[str, Any] | None:
        run = run_of(stack, dag_run_id)
        return run if run["status"] == status else None

    run = wait_until(look, seconds=PATIENCE, what=lambda: run_of(stack, dag_run_id))
    return {task["key"]: task["state"] for task in run["tasks"]}


def executions(stack: Stack, dag_run_id: str) -> list[str]:
    """How the executions of a DAG run ended, the first first."""
    client = stack.aws("stepfunctions")
    (machine,) = [
        each["stateMachineArn"]
        for each in client.list_state_machines()["stateMachines"]
        if each["name"].endswith("-dag-runs")
    ]
    found = client.list_executions(stateMachineArn=machine)["executions"]
    own = sorted((e["name"], e["status"]) for e in found if e["name"].startswith(dag_run_id))
    return [status for _, status in own]


def diamond(recorder: Recorder) -> dict[str, object]:
    """Two loads beside each other, and a report after both."""
    return {
        "name": "diamond",
        "tasks": [
            hook(recorder, "extract"),
            hook(recorder, "load_dim", input={"day": {"$ref": "parameters.day"}}),
            hook(recorder, "load_fact"),
            hook(recorder, "report"),
        ],
        "edges": [
            {"source": "extract", "target": "load_dim"},
            {"source": "extract", "target": "load_fact"},
            {"source": "load_dim", "target": "report"},
            {"source": "load_fact", "target": "report"},
        ],
        "failure_policy": {"policy": "continue"},
    }


def wide(recorder: Recorder) -> dict[str, object]:
    """A task for each part, and one after all of them."""
    return {
        "name": "wide",
        "tasks": [
            hook(recorder, "part", fan_out={"over": "parameters.parts"}),
            hook(recorder, "joined"),
        ],
        "edges": [{"source": "part", "target": "joined"}],
    }


def endless(recorder: Recorder) -> dict[str, object]:
    """A task that waits, and one that waits for it."""
    return {
        "name": "endless",
        "tasks": [hook(recorder, "endless"), hook(recorder, "never")],
        "edges": [{"source": "endless", "target": "never"}],
    }


def test_a_diamond_runs_fails_and_is_repaired(stack: Stack, recorder: Recorder) -> None:
    """Beside a run of it with a fan-out in it, and one that is cancelled."""
    recorder.answer("load_fact", 410)
    released = recorder.hold("endless")
    first = started(stack, diamond(recorder), day="2026-11-21")
    second = started(stack, wide(recorder), parts=[1, 2, 3, 4, 5])
    third = started(stack, endless(recorder))
    recorder.wait_for("endless", 1, seconds=PATIENCE)
    cancelled = stack.api.post(f"/v1/dag-runs/{third}/cancel")
    failed = ended(stack, first, "failed")
    joined = ended(stack, second, "succeeded")
    recorder.answer("load_fact", 200)
    retried = stack.api.post(f"/v1/dag-runs/{first}/retry")
    repaired = ended(stack, first, "succeeded")
    released.set()
    stopped = ended(stack, third, "cancelled")

    assert (cancelled.status_code, retried.status_code) == (200, 202)
    assert failed == {
        "extract": "succeeded",
        "load_dim": "succeeded",
        "load_fact": "failed",
        "report": "skipped",
    }
    assert set(repaired.values()) == set(joined.values()) == {"succeeded"}
    assert stopped["never"] == "cancelled"
    called = {name: len(recorder.requests(name)) for name in ("extract", "load_fact", "report")}
    assert called == {"extract": 1, "load_fact": 2, "report": 1}
    assert [each.body for each in recorder.requests("load_dim")] == [{"day": "2026-11-21"}]
    assert sorted(each.body for each in recorder.requests("part")) == [1, 2, 3, 4, 5]
    assert len(recorder.requests("joined")) == 1
    assert recorder.requests("never") == []
    wait_until(
        lambda: executions(stack, first) == ["FAILED", "SUCCEEDED"] or None,
        seconds=PATIENCE,
        what=lambda: executions(stack, first),
    )
