"""What an operator does with tasks of a DAG run, each read back through the API."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from infra.local.console.people import DEMO
from infra.local.console.site import ConsoleSite
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import visiting
from tests.e2e.console.desk import Desk
from tests.e2e.console.test_actions import read, until
from tests.support.deployed.deployed_dags import hook, started
from tests.support.deployed.stack import Stack


@pytest.fixture(scope="module")
def desk(browser: Browser, site: ConsoleSite) -> Iterator[Desk]:
    """One person does everything; she signs in once."""
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield desk
        assert desk.complaints() == []


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


def test_a_failed_task_is_run_again(stack: Stack, recorder: Recorder, desk: Desk) -> None:
    """In another round, which succeeds."""
    dag_run = failed(stack, recorder, "desk-rerun")
    act(desk, dag_run, "desk-rerun", "Rerun")
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")
    task = task_of(stack, dag_run)

    assert (task["state"], task["round"]) == ("succeeded", 2)
    assert task["intervention"]["kind"] == "rerun"
    assert len(recorder.requests("desk-rerun")) == 2
