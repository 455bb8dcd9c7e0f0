"""Many runs at once, notification rules and event triggers, each read back through the API."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from infra.local.console.people import DEMO
from infra.local.console.site import ConsoleSite
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import visiting
from tests.e2e.console.desk import Desk
from tests.e2e.console.test_actions import job, read, until
from tests.support.deployed.stack import Stack, wait_until

_SECONDS = 30_000


@pytest.fixture(scope="module")
def desk(browser: Browser, site: ConsoleSite) -> Iterator[Desk]:
    """One person does everything; she signs in once."""
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield desk
        assert desk.complaints() == []


def runs_that(stack: Stack, job_id: str, count: int, *states: str) -> list[str]:
    """Ids of a job's runs, once so many of them are in one of these states."""

    def look() -> list[str] | None:
        found = [each["run_id"] for each in stack.runs(job_id) if each["state"] in states]
        return found if len(found) == count else None

    return wait_until(look, seconds=60, what=lambda: stack.runs(job_id))


def chosen(desk: Desk, action: str) -> None:
    """Act on every run that is shown, and wait until all of them are done."""
    desk.page.get_by_role("checkbox", name="Choose all that are shown").check()
    dialog: Locator = desk.ask(action)
    dialog.get_by_role("button", name=re.compile(f"^{action} [0-9]+$")).click()
    expect(dialog.get_by_text("Done", exact=True)).to_have_count(2, timeout=_SECONDS)
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(dialog).to_have_count(0, timeout=_SECONDS)


def test_failed_runs_that_match_are_redriven_at_once(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """Permanent failures are no dead letters; a dry run counts them, one operation tries them."""
    recorder.answer("desk-many", 404, 404)
    action = {"type": "webhook", "url": recorder.url("desk-many")}
    job_id = job(stack, name="desk many", schedule={"kind": "immediate"}, action=action)
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    runs_that(stack, job_id, 2, "failed")
    recorder.answer("desk-many", 200, 200)
    desk.go("/runs?since=1h&name=desk+many")
    desk.ask("Redrive all that match")
    desk.confirm("Redrive 2")
    desk.page.wait_for_url("**/operations/**")
    runs_that(stack, job_id, 2, "succeeded")

    assert len(recorder.requests("desk-many")) == 4


def test_chosen_runs_are_rescheduled_and_then_cancelled(stack: Stack, desk: Desk) -> None:
    """Both wait in a pool without workers; the page lists them for their job asks for it."""
    job_id = job(stack, name="desk listed", schedule={"kind": "manual"}, list_runs="all")
    for _ in range(2):
        stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    ids = runs_that(stack, job_id, 2, "waiting", "queued")
    desk.go("/runs/all?since=1h&name=desk+listed")
    desk.visit.picture("all-runs", "light")
    chosen(desk, "Reschedule")
    moved = [read(stack, f"/v1/runs/{each}")["rescheduled_from"] for each in ids]
    chosen(desk, "Cancel")
    cancelled = [until(stack, f"/v1/runs/{each}", state="cancelled")["state"] for each in ids]

    assert None not in moved
    assert cancelled == ["cancelled"] * 2


def test_a_run_is_moved_to_another_instant(stack: Stack, desk: Desk) -> None:
    """By its own page, in minutes from now."""
    job_id = job(stack, schedule={"kind": "manual"})
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    (run_id,) = runs_that(stack, job_id, 1, "waiting", "queued")
    before = read(stack, f"/v1/runs/{run_id}")["due_at"]
    desk.go(f"/runs/{run_id}")
    desk.ask("Reschedule").get_by_label("Minutes from now").fill("90")
    desk.confirm("Reschedule the run")

    assert until(stack, f"/v1/runs/{run_id}", rescheduled_from=before)["due_at"] > before


def test_triggers_by_lines_collapse_and_lead_to_the_run_that_stands_for_them(
    stack: Stack, desk: Desk
) -> None:
    """Two lines are one run: the other says so, with a link."""
    job_id = job(stack, schedule={"kind": "manual"}, collapse={"mode": "last", "span_seconds": 60})
    desk.go(f"/jobs/{job_id}")
    dialog = desk.ask("Trigger many")
    dialog.get_by_label("One trigger a line").fill('{"payload": 1}\n{"payload": 2}\n')
    dialog.get_by_role("button", name="Trigger 2 runs").click()
    desk.says("2 triggered, 0 there before, 0 refused.")
    (skipped,) = runs_that(stack, job_id, 1, "skipped")
    into = read(stack, f"/v1/runs/{skipped}")["collapse"]["into"]
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    desk.go(f"/runs/{skipped}")
    link = desk.page.get_by_role("link", name=f"Open the run {into}, into which it collapsed")

    assert link.get_attribute("href") == f"/runs/{into}"


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
    desk.visit.picture("notification-rule", "light")
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
    desk.visit.picture("trigger", "light")

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
    desk.ask("Pause")
    desk.confirm("Pause the trigger")
    paused: dict[str, Any] = until(stack, "/v1/event-triggers/desk-trigger", status="paused")

    assert made["starts"]["job_id"] == job_id
    assert run["job_id"] == job_id
    assert run["matched_event"]["event_trigger"] == "desk-trigger"
    assert paused["pattern"] == {"type": ["desk.paid"]}
