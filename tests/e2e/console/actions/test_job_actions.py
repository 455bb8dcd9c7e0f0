"""A person changes jobs; each change is read back through the API by another caller."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from infra.local.console.people import DEMO
from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, read, runs_that, until
from tests.e2e.console.desk import Desk
from tests.e2e.console.reading import counted, facts_of
from tests.support.deployed.stack import Stack


def test_a_job_is_created_by_the_form_and_edited(stack: Stack, desk: Desk) -> None:
    """The page that follows is the job's, and the edit says what it changes before it is saved."""
    desk.go("/jobs/new")
    desk.page.get_by_label("Name", exact=True).fill("made at the desk")
    desk.page.get_by_label(re.compile("^Url", re.IGNORECASE)).first.fill(
        "https://hooks.example.com/desk"
    )
    desk.button("Create the job").click()
    desk.page.wait_for_url(re.compile(r"/jobs/[a-z2-7]{26}"))
    job_id = desk.page.url.rsplit("/", 1)[-1].partition("?")[0]
    made = read(stack, f"/v1/jobs/{job_id}")
    desk.go(f"/jobs/{job_id}/edit")
    desk.page.get_by_label("Name", exact=True).fill("renamed at the desk")
    desk.button("Show what changes").click()
    desk.confirm("Save the changes")
    edited = until(stack, f"/v1/jobs/{job_id}", version=2)

    assert (made["name"], made["action"]["url"]) == (
        "made at the desk",
        "https://hooks.example.com/desk",
    )
    assert edited["name"] == "renamed at the desk"
    assert made["schedule"] == edited["schedule"]


@pytest.mark.deep
def test_an_edit_shows_what_it_changes_before_it_is_saved(stack: Stack, desk: Desk) -> None:
    """The field with both values, and how many instants the API says are gained and lost."""
    job_id = job(stack)
    desk.go(f"/jobs/{job_id}/edit")
    desk.page.get_by_label("Every seconds", exact=True).fill("5400")
    with desk.page.expect_response(f"**/v1/jobs/{job_id}/preview?**") as previewed:
        dialog = desk.ask("Show what changes")
    preview = previewed.value.json()
    expect(dialog.get_by_text("Gained", exact=True)).to_be_visible()
    shown, changed = facts_of(dialog), dialog.locator(".tg-changes").inner_text()
    untouched = read(stack, f"/v1/jobs/{job_id}")
    desk.confirm("Save the changes")
    saved = until(stack, f"/v1/jobs/{job_id}", version=2)

    assert shown["Instants"] == " → ".join(
        counted(preview["instants"][each]) for each in ("before", "after")
    )
    assert [int(shown[each.title()].replace(",", "")) for each in ("gained", "lost", "moved")] == [
        preview[each]["count"] for each in ("gained", "lost", "moved")
    ]
    assert preview["gained"]["count"] > 0
    assert all(each in changed for each in ("3600", "5400"))
    assert (untouched["version"], untouched["schedule"]["every_seconds"]) == (1, 3600)
    assert saved["schedule"]["every_seconds"] == 5400


def test_a_job_is_paused_resumed_and_cancelled(stack: Stack, desk: Desk) -> None:
    """Each after a question, and the trail names the person."""
    job_id = job(stack)
    desk.go(f"/jobs/{job_id}")
    seen = []
    reason = "<b>The ledger</b> moves."
    for button, status in [("Pause", "paused"), ("Resume", "active"), ("Cancel", "cancelled")]:
        dialog = desk.ask(button)
        if button == "Pause":
            dialog.get_by_label("Reason").fill(reason)
        desk.confirm(f"{button} the job")
        seen.append(until(stack, f"/v1/jobs/{job_id}", status=status)["pause_reason"])
    trail = read(stack, f"/v1/jobs/{job_id}/audit")["items"]

    assert seen == [reason, None, None]
    assert [each["actor"].get("subject") for each in trail[:3]] == [DEMO.name] * 3


def test_a_job_is_triggered_with_another_payload(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """The run's page opens, and the target gets what was written."""
    recorder.answer("desk-trigger", 200)
    action = {"type": "webhook", "url": recorder.url("desk-trigger")}
    job_id = job(stack, action=action, payload={"day": "monday"})
    desk.go(f"/jobs/{job_id}")
    dialog = desk.ask("Trigger")
    dialog.get_by_label("Another one").check()
    dialog.get_by_label("JSON", exact=True).fill('{"day": "<b>sunday</b>"}')
    desk.confirm("Trigger a run")
    desk.page.wait_for_url("**/runs/**")
    (request,) = recorder.wait_for("desk-trigger", 1)

    assert request.body == {"day": "<b>sunday</b>"}
    assert request.run_id in desk.page.url


@pytest.mark.deep
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


WHY = "<b>The ledger</b> moves."


def operated(stack: Stack, desk: Desk, verb: str) -> dict[str, Any]:
    """The operation that a person has begun on every job that the page lists, once it is done."""
    dialog = desk.ask(f"{verb} all that match")
    desk.says("As things are now, 3 jobs match.")
    if verb == "Pause":
        dialog.get_by_label("Reason").fill(WHY)
    desk.confirm(f"{verb} them")
    desk.page.wait_for_url("**/operations/**")
    operation = desk.page.url.rsplit("/", 1)[-1]
    return until(stack, f"/v1/operations/{operation}", status="succeeded")


@pytest.mark.deep
def test_jobs_that_match_are_paused_resumed_and_cancelled_at_once(stack: Stack, desk: Desk) -> None:
    """Each by an operation that the console opens, for a reason; others are left alone."""
    jobs = [job(stack, name=f"desk bulk {n}", tags={"desk": "bulk"}) for n in range(3)]
    other = job(stack, name="desk other")
    course: list[tuple[str, int, set[tuple[str, str | None]]]] = []
    for verb in ("Pause", "Resume", "Cancel"):
        desk.go("/jobs?tag=desk%3Abulk")
        ended = operated(stack, desk, verb)
        found = [read(stack, f"/v1/jobs/{each}") for each in jobs]
        states = {(each["status"], each["pause_reason"]) for each in found}
        course.append((ended["kind"], ended["counts"]["done"], states))

    assert course == [
        ("pause", 3, {("paused", WHY)}),
        ("resume", 3, {("active", None)}),
        ("cancel", 3, {("cancelled", None)}),
    ]
    assert read(stack, f"/v1/jobs/{other}")["status"] == "active"
