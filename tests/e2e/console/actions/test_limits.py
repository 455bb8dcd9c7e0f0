"""Freezes, calendars and tenants that a person changes, each read back through the API."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.console.acting import job, read
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep


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
    desk.page.get_by_role("button", name=re.compile("^Lift the freeze of .*desk")).click()
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
