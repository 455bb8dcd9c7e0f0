"""A person decides about failures; each decision is read back through the API."""

import re

import pytest
from playwright.sync_api import Locator

from infra.local.console.people import DEMO
from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, read, runs_that, until
from tests.e2e.console.desk import Desk
from tests.support.deployed.deployed_dags import run_of, started
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.deep


def refused(stack: Stack, recorder: Recorder, name: str, *answers: int, **fields: object) -> str:
    """A job whose runs the target refuses, one for each answer, without another attempt."""
    recorder.answer(name, *answers)
    action = {"type": "webhook", "url": recorder.url(name)}
    once = {"schedule": {"kind": "manual"}, "retry": {"max_attempts": 1}}
    job_id = job(stack, name=f"of {name}", action=action, **(once | fields))
    for _ in answers:
        stack.api.post(f"/v1/jobs/{job_id}/trigger").raise_for_status()
    return job_id


def decisions(desk: Desk) -> None:
    """Open the page, and have it read again: one that was read just now is shown as it was."""
    desk.go("/decisions")
    desk.button("Read again").click()
    desk.arrive()


def button_of(desk: Desk, cause: str, button: str) -> Locator:
    """A button of the card of a cause, beside its heading."""
    heading = desk.page.get_by_role("heading", level=2, name=re.compile(f"^{cause}"))
    found: Locator = heading.locator("xpath=ancestor::*[.//button][1]")
    return found.get_by_role("button", name=button, exact=True)


def operation_of(stack: Stack, desk: Desk) -> str:
    """The operation whose page follows a decision, once it is done."""
    desk.page.wait_for_url("**/operations/**")
    operation = str(desk.page.url.rsplit("/", 1)[-1])
    until(stack, f"/v1/operations/{operation}", status="succeeded")
    return operation


def test_dead_letters_of_a_cause_are_redriven(stack: Stack, recorder: Recorder, desk: Desk) -> None:
    """A dry run counts them first; the operation says what became of each."""
    job_id = refused(stack, recorder, "desk-letters", 503, 503)
    runs_that(stack, job_id, 2, "dead_lettered")
    recorder.answer("desk-letters", 200, 200)
    decisions(desk)
    button_of(desk, "Given up: http_503", "Redrive all").click()
    desk.confirm(re.compile("^Redrive [0-9]+"))
    operation_of(stack, desk)
    runs_that(stack, job_id, 2, "succeeded")

    assert len(recorder.requests("desk-letters")) == 4


def test_dead_letters_of_a_cause_are_discarded(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """They rest with the note and the name of the person; those of another cause are kept."""
    job_id = refused(stack, recorder, "desk-discard", 502, 502)
    other = refused(stack, recorder, "desk-keep", 504)
    runs = runs_that(stack, job_id, 2, "dead_lettered")
    (kept,) = runs_that(stack, other, 1, "dead_lettered")
    decisions(desk)
    button_of(desk, "Given up: http_502", "Discard all").click()
    desk.page.get_by_role("dialog").get_by_label("Note").fill("<b>too old</b>")
    desk.confirm(re.compile("^Discard [0-9]+"))
    operation = operation_of(stack, desk)
    settled = [read(stack, f"/v1/runs/{each}")["attempts"][-1]["resolution"] for each in runs]

    assert [(each["settled"], each["note"]) for each in settled] == [
        ("discarded", "<b>too old</b>")
    ] * 2
    assert {each["operation_id"] for each in settled} == {operation}
    assert {each["by"] for each in settled} == {DEMO.name}
    assert read(stack, f"/v1/runs/{kept}")["attempts"][-1]["resolution"] is None
    assert len(recorder.requests("desk-discard")) == 2


def test_one_dead_letter_is_redriven_alone(stack: Stack, recorder: Recorder, desk: Desk) -> None:
    """By its row, from the page of decisions."""
    job_id = refused(stack, recorder, "desk-alone", 500)
    runs_that(stack, job_id, 1, "dead_lettered")
    recorder.answer("desk-alone", 200)
    decisions(desk)
    desk.ask("Redrive of desk-alone")
    desk.confirm("Redrive the run")
    runs_that(stack, job_id, 1, "succeeded")

    assert len(recorder.requests("desk-alone")) == 2


def test_a_job_that_its_failures_paused_is_mended_and_resumed(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """It runs from then on, and the trail has who resumed it."""
    recorder.answer("desk-trial", *[410] * 50)
    soon = {"kind": "rate", "every_seconds": 2}
    action = {"type": "webhook", "url": recorder.url("desk-trial")}
    job_id = job(stack, name="desk trial", schedule=soon, action=action, pause_after_failures=1)
    path = f"/v1/jobs/{job_id}"
    paused = until(stack, path, status="paused")
    mended = {"action": {"type": "webhook", "url": recorder.url("desk-mended")}}
    stack.api.patch(path, json=mended).raise_for_status()
    decisions(desk)
    desk.ask("Resume desk trial")
    desk.confirm("Resume the job")
    recorder.wait_for("desk-mended", 1, seconds=60)
    until(stack, path, auto_pause=None)
    trail = read(stack, f"{path}/audit")["items"]

    assert paused["auto_pause"]["failures"] == 1
    assert [each["actor"].get("subject") for each in trail if each["operation"] == "resumeJob"] == [
        DEMO.name
    ]


def asked_for(stack: Stack, name: str) -> list[str]:
    """Two runs of a DAG that wait for an approval, each of the same task."""
    gate = {"key": "gate", "wait": {"kind": "approval", "seconds": 3600}}
    first = started(stack, {"name": name, "tasks": [gate], "edges": []})
    dag_id = run_of(stack, first)["dag_id"]
    stack.api.post(f"/v1/dags/{dag_id}/runs", json={}).raise_for_status()

    def waiting() -> list[str] | None:
        items = read(stack, f"/v1/approvals?dag_id={dag_id}&task_key=gate")["items"]
        return [each["dag_run_id"] for each in items] if len(items) == 2 else None

    return wait_until(waiting, seconds=60, what=lambda: None)


@pytest.mark.parametrize(
    ("verb", "status", "reason"),
    [("Approve", "succeeded", "approved"), ("Reject", "failed", "rejected")],
)
def test_approvals_of_a_task_are_decided_at_once(
    stack: Stack, desk: Desk, verb: str, status: str, reason: str
) -> None:
    """Each has the note and the name of the person; the card is gone."""
    name = f"desk {verb.lower()} many"
    dag_runs = asked_for(stack, name)
    decisions(desk)
    button_of(desk, f"Waits for approval: {name}, gate", f"{verb} all").click()
    desk.page.get_by_role("dialog").get_by_label("Note").fill("<b>all</b> of them")
    desk.confirm(f"{verb} 2")
    tasks = [until(stack, f"/v1/dag-runs/{each}", status=status)["tasks"][0] for each in dag_runs]

    assert [each["reason"] for each in tasks] == [reason] * 2
    assert [(each["intervention"]["by"], each["intervention"]["reason"]) for each in tasks] == [
        (DEMO.name, "<b>all</b> of them")
    ] * 2
