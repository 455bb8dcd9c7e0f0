"""An operation that a person calls off, and a person who may only look."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from infra.local.console.people import VIEWER
from tests.e2e.console.acting import job, read, until
from tests.e2e.console.browser import Visit
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack


@pytest.mark.deep
def test_an_operation_that_waits_is_cancelled(stack: Stack, desk: Desk) -> None:
    """Its run waits in a pool without workers: that is cancelled, and it begins no other."""
    job_id = job(stack, schedule={"kind": "cron", "cron": "0 0 1 1 *"})
    made = datetime.fromisoformat(read(stack, f"/v1/jobs/{job_id}")["created_at"])
    span = {"from": (made - timedelta(days=3 * 366)).isoformat(), "to": made.isoformat()}
    backfill = {**span, "max_concurrent": 1}
    begun = stack.api.post(f"/v1/jobs/{job_id}/backfill", json=backfill).raise_for_status().json()
    path = f"/v1/operations/{begun['operation_id']}"
    until(stack, path, waits_for="runs")
    desk.go("/operations")
    desk.page.locator(f"main a[href='/operations/{begun['operation_id']}']").click()
    desk.says("It waits for the end of runs that it began.")
    desk.ask("Cancel")
    desk.confirm("Cancel the operation")
    expect(desk.button("Cancel")).to_be_disabled()
    cancelled = until(stack, path, status="cancelled")

    assert (cancelled["counts"]["matched"], cancelled["counts"]["done"]) == (3, 0)
    assert [each["state"] for each in stack.runs(job_id)] == ["cancelled"]


def test_a_role_that_may_not_sees_each_action_and_why_it_is_disabled(
    stack: Stack, visit: Visit
) -> None:
    """Job, run and listing show it; the job stays as it was."""
    job_id = job(stack, schedule={"kind": "immediate"})
    before = read(stack, f"/v1/jobs/{job_id}")
    visit.sign_in(VIEWER)
    desk = Desk(visit)
    desk.go(f"/jobs/{job_id}")
    for name in ("Trigger", "Pause", "Cancel", "Edit"):
        expect(desk.button(name)).to_be_disabled()
    expect(desk.button("Pause")).to_have_accessible_description(re.compile("Your role may not"))
    desk.go("/jobs")
    expect(desk.button("Create a job").first).to_be_disabled()

    assert read(stack, f"/v1/jobs/{job_id}") == before
    assert {each.method for each in visit.asked if "/v1/" in each.url} <= {"GET", "OPTIONS"}
