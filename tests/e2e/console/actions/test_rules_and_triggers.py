"""Notification rules and event triggers that a person makes, read back through the API."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, read, until
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep


def test_a_rule_is_created_by_the_form_turned_off_and_deleted(stack: Stack, desk: Desk) -> None:
    """Each step is read back; the name is taken once."""
    path = "/v1/notification-rules/desk-rule"
    desk.go("/rules/+new")
    desk.page.get_by_label("Name", exact=True).first.fill("desk-rule")
    desk.page.get_by_label("URL", exact=True).fill("https://alerts.example.com/desk")
    desk.button("Create the rule").click()
    desk.page.wait_for_url("**/rules/desk-rule")
    made = read(stack, path)
    desk.says("3 runs failed in a row")
    desk.ask("Turn off")
    desk.confirm("Turn off the rule")
    off = until(stack, path, enabled=False)
    desk.go("/rules")
    desk.says("desk-rule")
    desk.go("/rules/desk-rule")
    desk.ask("Delete")
    desk.confirm("Delete the rule")
    desk.page.wait_for_url("**/rules")

    assert (made["when"]["failures_in_a_row"], made["when"]["recovered"]) == (3, True)
    assert [each["url"] for each in made["channels"]] == ["https://alerts.example.com/desk"]
    assert off["channels"] == made["channels"]
    assert stack.api.get(path).status_code == 404


def test_an_event_that_is_sent_by_hand_starts_what_a_trigger_says(stack: Stack, desk: Desk) -> None:
    """The trigger is made by the form; what the event met leads to the run."""
    job_id = job(stack, schedule={"kind": "manual"})
    desk.go("/event-triggers/+new")
    desk.page.get_by_label("Name", exact=True).first.fill("desk-trigger")
    desk.page.get_by_label("Pattern", exact=True).fill('{"type": ["desk.paid"]}')
    desk.page.get_by_label("Job ID", exact=True).fill(job_id)
    desk.button("Create the trigger").click()
    desk.page.wait_for_url("**/event-triggers/desk-trigger")
    made = read(stack, "/v1/event-triggers/desk-trigger")
    desk.says("Try an event")

    def started() -> str | None:
        desk.go(f"/event-triggers/+send?type=desk.paid&key={len(desk.visit.asked)}")
        desk.button("Give it another id").click()
        desk.button("Send the event").click()
        desk.says("What it met")
        link = desk.page.get_by_role("link", name=re.compile(f"^{job_id}[.]"))
        return str(link.first.inner_text()) if link.count() else None

    # Processes keep the triggers of a tenant for ten seconds.
    run_id = wait_until(started, seconds=60, what=lambda: None)
    run = read(stack, f"/v1/runs/{run_id}")
    desk.go("/event-triggers/desk-trigger")
    matches = desk.page.get_by_role("table", name="Recent matches").get_by_role("row")
    expect(matches.filter(has_text=run_id)).to_contain_text(run["matched_event"]["id"])
    assert made["starts"]["job_id"] == job_id
    assert run["job_id"] == job_id
    assert run["matched_event"]["event_trigger"] == "desk-trigger"


def test_a_trigger_is_paused_resumed_edited_and_deleted(stack: Stack, desk: Desk) -> None:
    """Its pattern stays until it is edited, which is another version."""
    path, page = "/v1/event-triggers/desk-kept", "/event-triggers/desk-kept"
    starts = {"type": "job", "job_id": job(stack, schedule={"kind": "manual"})}
    trigger = {"pattern": {"type": ["desk.kept"]}, "starts": starts}
    made = stack.api.put(path, json=trigger).raise_for_status().json()
    desk.go(page)
    seen: list[dict[str, Any]] = []
    for button, status in [("Pause", "paused"), ("Resume", "active")]:
        desk.ask(button)
        desk.confirm(f"{button} the trigger")
        seen.append(until(stack, path, status=status))
    desk.button("Edit").click()
    desk.page.wait_for_url(f"**{page}/edit")
    desk.page.get_by_label("Pattern", exact=True).fill('{"type": ["<b>other</b>"]}')
    desk.button("Save the trigger").click()
    desk.page.wait_for_url(f"**{page}")
    edited = read(stack, path)
    desk.arrive()
    desk.ask("Delete")
    desk.confirm("Delete the trigger")
    desk.page.wait_for_url("**/event-triggers")

    assert [each["pattern"] for each in seen] == [made["pattern"]] * 2
    assert (edited["pattern"], edited["starts"]) == ({"type": ["<b>other</b>"]}, made["starts"])
    assert edited["version"] > made["version"]
    assert stack.api.get(path).status_code == 404


def test_a_rule_is_edited_and_tells_its_channel_of_a_test(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """The message comes though nothing has happened, and the page lists it."""
    path = "/v1/notification-rules/desk-told"
    channels = [{"url": recorder.url("desk-told")}]
    rule = {"when": {"failures_in_a_row": 3}, "channels": channels}
    stack.api.put(path, json=rule).raise_for_status()
    desk.go("/rules/desk-told/edit")
    desk.page.get_by_label("Failures in a row", exact=True).fill("5")
    desk.button("Save the rule").click()
    desk.page.wait_for_url("**/rules/desk-told")
    edited = read(stack, path)
    desk.arrive()
    desk.ask("Send a test")
    desk.confirm("Send it")
    (message,) = recorder.wait_for("desk-told", 1, seconds=60)
    stack.api.delete(path).raise_for_status()

    assert edited["when"]["failures_in_a_row"] == 5
    assert [each["url"] for each in edited["channels"]] == [each["url"] for each in channels]
    assert message.body["rule"]["name"] == "desk-told"
