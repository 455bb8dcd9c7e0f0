"""DAGs on the deployed stack: made, run, and waited for."""

from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

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
    """Return the ends of a DAG run's executions, the first first."""
    client = stack.aws("stepfunctions")
    (machine,) = [
        each["stateMachineArn"]
        for each in client.list_state_machines()["stateMachines"]
        if each["name"].endswith("-dag-runs")
    ]
    found = client.list_executions(stateMachineArn=machine)["executions"]
    own = sorted((e["name"], e["status"]) for e in found if e["name"].startswith(dag_run_id))
    return [status for _, status in own]
