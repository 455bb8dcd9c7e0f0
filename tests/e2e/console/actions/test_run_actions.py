"""A person changes one run and many; each change is read back through the API."""

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, read, runs_that, until
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack, wait_until

MANUAL = {"kind": "manual"}


def chosen(desk: Desk, action: str) -> None:
    """Act on every run that is shown, and wait until all of them are done."""
    desk.page.get_by_role("checkbox", name="Choose all that are shown").check()
    dialog: Locator = desk.ask(action)
    dialog.get_by_role("button", name=re.compile(f"^{action} [0-9]+$")).click()
    expect(dialog.get_by_text("Done", exact=True)).to_have_count(2)
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(dialog).to_have_count(0)


def test_a_run_is_redriven_with_its_payload_edited(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """A permanent failure is no dead letter, and is tried again as well."""
    recorder.answer("desk-redrive", 404)
    action = {"type": "webhook", "url": recorder.url("desk-redrive")}
    job_id = job(stack, schedule={"kind": "immediate"}, action=action, payload={"to": "bob"})
    (run_id,) = wait_until(
        lambda: (
            [each["run_id"] for each in stack.runs(job_id) if each["state"] == "failed"] or None
        ),
        seconds=60,
        what=lambda: stack.runs(job_id),
    )
    recorder.answer("desk-redrive", 200)
    desk.go(f"/runs/{run_id}")
    dialog = desk.ask("Redrive")
    dialog.get_by_label("With another payload").check()
    dialog.get_by_label("Payload", exact=True).last.fill(json.dumps({"to": "ann"}))
    desk.confirm("Redrive the run")
    until(stack, f"/v1/runs/{run_id}", state="succeeded")

    assert [each.body for each in recorder.requests("desk-redrive")] == [
        {"to": "bob"},
        {"to": "ann"},
    ]


@pytest.mark.deep
def test_a_run_that_succeeded_is_run_again_with_its_payload_edited(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """A run of its own, whose page opens; the first one stays as it was."""
    recorder.answer("desk-again", 200, 200)
    action = {"type": "webhook", "url": recorder.url("desk-again")}
    job_id = job(stack, schedule=MANUAL, action=action, payload={"day": 1})
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    (first,) = runs_that(stack, job_id, 1, "succeeded")
    before = read(stack, f"/v1/runs/{first}")
    desk.go(f"/runs/{first}")
    dialog = desk.ask("Run again")
    dialog.get_by_label("With another payload").check()
    dialog.get_by_label("Payload", exact=True).last.fill('{"day": 2}')
    desk.confirm("Run it again")
    runs_that(stack, job_id, 2, "succeeded")
    desk.page.wait_for_url(re.compile(rf"/runs/{job_id}[.](?!{re.escape(first[27:])}$)"))

    assert [each.body for each in recorder.requests("desk-again")] == [{"day": 1}, {"day": 2}]
    assert read(stack, f"/v1/runs/{first}") == before


@pytest.mark.deep
def test_a_run_that_waits_is_cancelled(stack: Stack, desk: Desk) -> None:
    """It was offered in a pool without workers."""
    job_id = job(stack, schedule={"kind": "immediate"})
    (run,) = wait_until(lambda: stack.runs(job_id) or None, seconds=60, what=lambda: None)
    desk.go(f"/runs/{run['run_id']}")
    desk.ask("Cancel")
    desk.confirm("Cancel the run")

    assert until(stack, f"/v1/runs/{run['run_id']}", state="cancelled")["state"] == "cancelled"


@pytest.mark.deep
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


@pytest.mark.deep
def test_chosen_runs_are_rescheduled_and_then_cancelled(stack: Stack, desk: Desk) -> None:
    """Both wait in a pool without workers; the page lists them for their job asks for it."""
    job_id = job(stack, name="desk listed", schedule=MANUAL, list_runs="all")
    for _ in range(2):
        stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    ids = runs_that(stack, job_id, 2, "waiting", "queued")
    desk.go("/runs/all?since=1h&name=desk+listed")
    chosen(desk, "Reschedule")
    moved = [read(stack, f"/v1/runs/{each}")["rescheduled_from"] for each in ids]
    chosen(desk, "Cancel")
    cancelled = [until(stack, f"/v1/runs/{each}", state="cancelled")["state"] for each in ids]

    assert None not in moved
    assert cancelled == ["cancelled"] * 2


@pytest.mark.deep
def test_a_run_is_moved_to_another_instant(stack: Stack, desk: Desk) -> None:
    """By its own page, in minutes from now."""
    job_id = job(stack, schedule=MANUAL)
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    (run_id,) = runs_that(stack, job_id, 1, "waiting", "queued")
    before = read(stack, f"/v1/runs/{run_id}")["due_at"]
    desk.go(f"/runs/{run_id}")
    desk.ask("Reschedule").get_by_label("Minutes from now").fill("90")
    desk.confirm("Reschedule the run")

    assert until(stack, f"/v1/runs/{run_id}", rescheduled_from=before)["due_at"] > before


@pytest.mark.deep
def test_pending_runs_that_match_are_cancelled_at_once(stack: Stack, desk: Desk) -> None:
    """A dry run counts them; runs of a job of another name go on waiting."""
    meant = job(stack, name="desk pending", schedule=MANUAL, list_runs="all")
    other = job(stack, name="desk patient", schedule=MANUAL, list_runs="all")
    for each in (meant, meant, other):
        stack.api.post(f"/v1/jobs/{each}/trigger").raise_for_status()
    runs_that(stack, meant, 2, "waiting", "queued")
    desk.go("/runs/all?since=1h&name=desk+pending")
    desk.ask("Cancel pending that match")
    # Jobs of other tests do not list their runs: there may be more.
    desk.confirm(re.compile("^Cancel (at least )?2$"))
    desk.page.wait_for_url("**/operations/**")
    runs_that(stack, meant, 2, "cancelled")

    assert {each["state"] for each in stack.runs(other)} <= {"waiting", "queued"}
