"""Tasks of DAGs that wait for a person or an event, and DAGs that a person writes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from infra.local.console.people import DEMO
from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import read, until
from tests.e2e.console.desk import Desk
from tests.support.deployed.deployed_dags import hook, started
from tests.support.deployed.stack import Stack, wait_until
from tests.support.values.signing import SIGNING_KEY

pytestmark = pytest.mark.deep


def waiting(stack: Stack, name: str, wait: dict[str, Any], *behind: dict[str, Any]) -> str:
    """A DAG run whose first task waits, with tasks behind it."""
    gate = {"key": "gate", "wait": {"seconds": 3600, **wait}}
    edges = [{"source": "gate", "target": each["key"]} for each in behind]
    dag_run = started(stack, {"name": name, "tasks": [gate, *behind], "edges": edges})
    wait_until(
        lambda: gate_of(stack, dag_run)["state"] == "running" or None,
        seconds=60,
        what=lambda: gate_of(stack, dag_run),
    )
    return dag_run


def gate_of(stack: Stack, dag_run: str) -> dict[str, Any]:
    """The task that waits, as the API has it."""
    tasks = read(stack, f"/v1/dag-runs/{dag_run}")["tasks"]
    (gate,) = (each for each in tasks if each["key"] == "gate")
    found: dict[str, Any] = gate
    return found


@pytest.fixture
def link_secret(stack: Stack) -> dict[str, str]:
    """Store the key that signs links, and return its place."""
    parameter = f"/timegate-target/{stack.tenant('first')}/desk-links"
    stack.aws("ssm").put_parameter(
        Name=parameter, Value=SIGNING_KEY, Type="SecureString", Overwrite=True
    )
    return {"ssm_parameter": parameter}


def test_an_approval_is_decided_on_the_page_of_a_link(
    stack: Stack, recorder: Recorder, desk: Desk, browser: Browser, link_secret: dict[str, str]
) -> None:
    """A person who signs in nowhere decides on it; the record has the name that it is for."""
    approval = {"kind": "approval", "link_secret": link_secret}
    dag_run = waiting(stack, "desk link", approval, hook(recorder, "desk-linked"))
    desk.go(f"/dag-runs/{dag_run}?task=gate")
    dialog = desk.ask("Make a link")
    dialog.get_by_label("For", exact=True).fill("ann")
    with desk.page.expect_response("**/approval-link") as made:
        dialog.get_by_role("button", name="Make the link", exact=True).click()
    path = made.value.json()["path"]
    shown = dialog.get_by_text(path)
    expect(shown).to_be_visible()
    address = shown.inner_text()
    with browser.new_context() as stranger:
        page = stranger.new_page()
        page.goto(address)
        early = gate_of(stack, dag_run)["state"]
        page.get_by_label("Comment").fill("<b>Go</b>")
        page.get_by_role("button", name="Approve").click()
        expect(page.get_by_text("Thank you. It is approved.")).to_be_visible()
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")
    gate = gate_of(stack, dag_run)

    assert early == "running"
    assert (gate["reason"], gate["intervention"]["reason"]) == ("approved", "<b>Go</b>")
    assert gate["intervention"]["by"] == "link/ann"
    assert len(recorder.requests("desk-linked")) == 1


def test_an_approval_is_rejected_with_a_note(stack: Stack, desk: Desk) -> None:
    """The DAG run fails, and the record says by whom and why."""
    dag_run = waiting(stack, "desk reject", {"kind": "approval"})
    desk.go(f"/dag-runs/{dag_run}?task=gate")
    desk.ask("Reject").get_by_label("Note").fill("not on a Friday")
    desk.confirm("Reject the task")
    until(stack, f"/v1/dag-runs/{dag_run}", status="failed")
    gate = gate_of(stack, dag_run)

    assert (gate["state"], gate["reason"]) == ("failed", "rejected")
    assert (gate["intervention"]["by"], gate["intervention"]["reason"]) == (
        DEMO.name,
        "not on a Friday",
    )


def test_a_task_is_answered_in_the_place_of_its_event(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """The data is its result, which the task behind it is called with."""
    event = {"type": "desk.shipped", "correlation": "order-1"}
    behind = hook(recorder, "desk-signal", input={"$ref": "tasks.gate.result.amount"})
    dag_run = waiting(stack, "desk signal", {"kind": "event", "event": event}, behind)
    desk.go(f"/dag-runs/{dag_run}?task=gate")
    dialog = desk.ask("Answer in its place")
    dialog.get_by_label("Data", exact=True).fill('{"amount": 12}')
    dialog.get_by_label("Note").fill("told by telephone")
    desk.confirm("Give it this")
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")
    done = gate_of(stack, dag_run)["intervention"]

    assert (done["by"], done["reason"]) == (DEMO.name, "told by telephone")
    assert [each.body for each in recorder.requests("desk-signal")] == [12]


def test_a_task_is_sent_its_event_by_the_page_that_it_leads_to(stack: Stack, desk: Desk) -> None:
    """The link names type and key; what the event met is the task."""
    event = {"type": "desk.arrived", "correlation": "order-2"}
    dag_run = waiting(stack, "desk event", {"kind": "event", "event": event})
    desk.go(f"/dag-runs/{dag_run}?task=gate")
    desk.page.get_by_role("link", name="Send this event").click()
    desk.page.wait_for_url("**/event-triggers/+send?**")
    desk.arrive()
    desk.button("Send the event").click()
    desk.says("What it met")
    until(stack, f"/v1/dag-runs/{dag_run}", status="succeeded")

    assert gate_of(stack, dag_run)["intervention"] is None


def test_a_dag_is_created_by_the_form_and_edited_into_another_version(
    stack: Stack, desk: Desk
) -> None:
    """The first version stays as it was, and can be read."""
    desk.go("/dags/+new")
    desk.page.get_by_label("Name", exact=True).first.fill("written at the desk")
    desk.button("Create the DAG").click()
    desk.page.wait_for_url(re.compile(r"/dags/[a-z2-7]{26}$"))
    desk.arrive()
    path = f"/v1{desk.page.evaluate('location.pathname')}"
    made = read(stack, path)
    desk.button("Edit").click()
    desk.page.wait_for_url("**/edit")
    desk.page.get_by_label("Description", exact=True).first.fill("<b>twice</b> a day")
    desk.says("Changed: description")
    desk.button("Save as version 2").click()
    edited = until(stack, path, version=2)
    desk.says("<b>twice</b> a day")
    first = read(stack, f"{path}/versions/1")

    assert (made["version"], made["task_count"], made["edge_count"]) == (1, 2, 1)
    assert (edited["name"], edited["description"]) == ("written at the desk", "<b>twice</b> a day")
    assert (first["description"], first["tasks"]) == (made["description"], edited["tasks"])
