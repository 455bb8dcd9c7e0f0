"""Actions of the console, each read back through the API by another caller."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from infra.local.console.people import DEMO
from infra.local.console.site import ConsoleSite
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import visiting
from tests.e2e.console.desk import Desk
from tests.support.deployed.deployed_dags import hook, run_of, started
from tests.support.deployed.stack import Stack, wait_until

HOURLY = {"kind": "rate", "every_seconds": 3600}
IDLE = {"type": "worker", "pool": "desks", "handler": "none"}


@pytest.fixture(scope="module")
def desk(browser: Browser, site: ConsoleSite) -> Iterator[Desk]:
    """One person does everything; she signs in once."""
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield desk
        assert desk.complaints() == []


def job(stack: Stack, **fields: Any) -> str:  # noqa: ANN401 - JSON
    """A job that runs hourly in a pool without workers; its id."""
    plain = {"name": "of the desk", "schedule": HOURLY, "action": IDLE}
    return str(stack.create_job(**(plain | fields))["job_id"])


def read(stack: Stack, path: str) -> dict[str, Any]:
    """What the API answers a program of the same tenant."""
    body: dict[str, Any] = stack.api.get(path).raise_for_status().json()
    return body


def until(stack: Stack, path: str, **fields: object) -> dict[str, Any]:
    """A representation, once it has these fields."""

    def look() -> dict[str, Any] | None:
        body = read(stack, path)
        return body if fields.items() <= body.items() else None

    return wait_until(look, seconds=60, what=lambda: read(stack, path))


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


def test_jobs_that_match_are_paused_at_once(stack: Stack, desk: Desk) -> None:
    """An operation that the console opens; others are left alone."""
    paused = [job(stack, name=f"desk bulk {n}", tags={"desk": "bulk"}) for n in range(3)]
    other = job(stack, name="desk other")
    desk.go("/jobs?tag=desk%3Abulk")
    desk.ask("Pause all that match")
    desk.says("As things are now, 3 jobs match.")
    desk.confirm("Pause them")
    desk.page.wait_for_url("**/operations/**")
    operation = desk.page.url.rsplit("/", 1)[-1]
    ended = until(stack, f"/v1/operations/{operation}", status="succeeded")

    assert ended["kind"] == "pause"
    assert [read(stack, f"/v1/jobs/{each}")["status"] for each in paused] == ["paused"] * 3
    assert read(stack, f"/v1/jobs/{other}")["status"] == "active"


def test_a_run_is_redriven_with_its_payload_edited(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """A permanent failure is no dead letter, and is tried again as well."""
    recorder.answer("desk-redrive", 404)
    action = {"type": "webhook", "url": recorder.url("desk-redrive")}
    job_id = job(stack, schedule={"kind": "immediate"}, action=action, payload={"to": "nobody"})
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
        {"to": "nobody"},
        {"to": "ann"},
    ]


def test_a_run_that_waits_is_cancelled(stack: Stack, desk: Desk) -> None:
    """It was offered in a pool without workers."""
    job_id = job(stack, schedule={"kind": "immediate"})
    (run,) = wait_until(lambda: stack.runs(job_id) or None, seconds=60, what=lambda: None)
    desk.go(f"/runs/{run['run_id']}")
    desk.ask("Cancel")
    desk.confirm("Cancel the run")

    assert until(stack, f"/v1/runs/{run['run_id']}", state="cancelled")["state"] == "cancelled"


def test_jobs_with_a_tag_are_frozen_and_the_freeze_is_lifted(stack: Stack, desk: Desk) -> None:
    """The question says how many jobs it will hold back."""
    job_id = job(stack, tags={"team": "desk"})
    desk.go("/calendars")
    dialog = desk.ask("Freeze")
    dialog.get_by_label("Tag", exact=True).fill("team=desk")
    dialog.get_by_label("Reason").fill("a release")
    desk.confirm("Freeze")
    (freeze,) = [
        each for each in read(stack, "/v1/freezes")["items"] if each["reason"] == "a release"
    ]
    desk.page.get_by_role("button", name=re.compile("^Lift the freeze of")).first.click()
    desk.confirm("Lift the freeze")
    lifted = read(stack, f"/v1/freezes/{freeze['freeze_id']}")

    assert (freeze["scope"]["kind"], freeze["state"]) == ("tag", "active")
    assert lifted["state"] == "lifted"
    assert read(stack, f"/v1/jobs/{job_id}")["status"] == "active"


def test_a_calendar_is_filled_from_a_file(stack: Stack, desk: Desk) -> None:
    """The file is read by the API, and its days are the calendar's."""
    stack.api.put("/v1/calendars/desk", json={"weekdays": ["sat"]}).raise_for_status()
    ical = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//desk//EN\r\nBEGIN:VEVENT\r\nUID:1@desk\r\n"
        "DTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:Christmas\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    desk.go("/calendars/desk")
    dialog = desk.ask("Import iCal")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "days.ics", "mimeType": "text/calendar", "buffer": ical.encode()}
    )
    dialog.get_by_role("button", name="Import", exact=True).click()
    desk.says("occurrences of")
    dialog.get_by_role("button", name="Back").click()
    days = read(stack, "/v1/calendars/desk")["days"]

    assert days == [{"first": "2026-12-25", "last": "2026-12-25"}]


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


def test_dead_letters_of_a_cause_are_redriven(stack: Stack, recorder: Recorder, desk: Desk) -> None:
    """A dry run counts them first; the operation says what became of each."""
    recorder.answer("desk-letters", 503, 503)
    action = {"type": "webhook", "url": recorder.url("desk-letters")}
    job_id = job(stack, schedule={"kind": "immediate"}, action=action, retry={"max_attempts": 1})
    stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    wait_until(
        lambda: all(each["state"] == "dead_lettered" for each in stack.runs(job_id)) or None,
        seconds=60,
        what=lambda: stack.runs(job_id),
    )
    recorder.answer("desk-letters", 200, 200)
    desk.go("/decisions")
    desk.page.get_by_role("button", name=re.compile("^Redrive all")).first.click()
    desk.confirm(re.compile("^Redrive [0-9]+"))
    desk.page.wait_for_url("**/operations/**")
    wait_until(
        lambda: all(each["state"] == "succeeded" for each in stack.runs(job_id)) or None,
        seconds=60,
        what=lambda: stack.runs(job_id),
    )

    assert len(recorder.requests("desk-letters")) == 4


def test_a_tenant_is_limited_suspended_and_resumed(stack: Stack, desk: Desk) -> None:
    """By the stage's administration, to which the person belongs as well."""
    desk.go("/tenants/second")
    dialog = desk.ask("Change quotas")
    dialog.get_by_label("Jobs, active or paused").fill("77")
    desk.confirm("Change the quotas")
    limited = stack.admin.get("/v1/tenants/second").json()
    desk.ask("Suspend")
    desk.confirm("Suspend the tenant")
    suspended = stack.admin.get("/v1/tenants/second").json()
    desk.ask("Resume")
    desk.confirm("Resume the tenant")
    resumed = stack.admin.get("/v1/tenants/second").json()

    assert limited["quotas"]["jobs"] == 77
    assert (suspended["status"], resumed["status"]) == ("suspended", "active")
    expect(desk.button("Suspend")).to_be_visible()
