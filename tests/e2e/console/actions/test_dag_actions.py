"""An operator acts on DAG runs and their tasks; each change is read back through the API."""

from typing import Any

import pytest

from infra.local.console.people import DEMO
from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import read, until
from tests.e2e.console.desk import Desk
from tests.support.deployed.deployed_dags import hook, run_of, started
from tests.support.deployed.stack import Stack


def failed(stack: Stack, recorder: Recorder, name: str) -> str:
    """A DAG run whose only task failed for good."""
    recorder.answer(name, 410, 200)
    dag_run = started(stack, {"name": name, "tasks": [hook(recorder, name)], "edges": []})
    until(stack, f"/v1/dag-runs/{dag_run}", status="failed")
    return dag_run


def act(desk: Desk, dag_run: str, task: str, button: str) -> None:
    """Open a task, and do something with it, for a reason."""
    desk.go(f"/dag-runs/{dag_run}?task={task}")
    dialog = desk.ask(button)
    dialog.get_by_label("Reason").fill("as the desk says")
    if button == "Complete":
        dialog.get_by_label("Result", exact=True).fill('{"rows": 7}')
    desk.confirm(f"{button} the task")


def task_of(stack: Stack, dag_run: str) -> dict[str, Any]:
    """The only task, as the API has it."""
    (task,) = read(stack, f"/v1/dag-runs/{dag_run}")["tasks"]
    found: dict[str, Any] = task
    return found


@pytest.mark.parametrize(
    ("button", "state", "result"),
    [("Complete", "succeeded", '{"rows":7}'), ("Skip", "skipped", None)],
)
@pytest.mark.deep
def test_a_failed_task_is_settled_by_hand(
    stack: Stack, recorder: Recorder, desk: Desk, button: str, state: str, result: str | None
) -> None:
    """The record has who did it, and why."""
    name = f"desk-{button.lower()}"
    dag_run = failed(stack, recorder, name)
    act(desk, dag_run, name, button)
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")
    task = task_of(stack, dag_run)
    done = task["intervention"]

    assert (task["state"], task["result"]) == (state, result)
    assert (done["kind"], done["by"], done["reason"]) == (
        button.lower(),
        DEMO.name,
        "as the desk says",
    )
    assert len(recorder.requests(name)) == 1


@pytest.mark.deep
def test_a_failed_task_is_run_again(stack: Stack, recorder: Recorder, desk: Desk) -> None:
    """In another round, which succeeds."""
    dag_run = failed(stack, recorder, "desk-rerun")
    act(desk, dag_run, "desk-rerun", "Rerun")
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")
    task = task_of(stack, dag_run)

    assert (task["state"], task["round"]) == ("succeeded", 2)
    assert task["intervention"]["kind"] == "rerun"
    assert len(recorder.requests("desk-rerun")) == 2


def test_a_dag_run_is_started_approved_retried_and_cancelled(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """A person decides a task; what failed runs again; another run is called off."""
    recorder.answer("desk-after", 410)
    gate = {"key": "gate", "wait": {"kind": "approval", "seconds": 3600}}
    dag = {
        "name": "of the desk",
        "tasks": [gate, hook(recorder, "desk-after")],
        "edges": [{"source": "gate", "target": "desk-after"}],
    }
    first = started(stack, dag)
    dag_id = run_of(stack, first)["dag_id"]
    desk.go(f"/dag-runs/{first}?task=gate")
    desk.ask("Approve")
    desk.confirm("Approve the task")
    until(stack, f"/v1/dag-runs/{first}", status="failed")
    recorder.answer("desk-after", 200)
    desk.go(f"/dag-runs/{first}")
    desk.ask("Retry what failed")
    desk.confirm("Retry what failed")
    until(stack, f"/v1/dag-runs/{first}", status="succeeded")
    desk.go(f"/dags/{dag_id}")
    desk.ask("Start a run")
    desk.confirm("Start the run")
    desk.page.wait_for_url("**/dag-runs/**")
    second = desk.page.url.rsplit("/", 1)[-1].partition("?")[0]
    desk.ask("Cancel")
    desk.confirm("Cancel the DAG run")
    until(stack, f"/v1/dag-runs/{second}", status="cancelled")

    assert second != first
