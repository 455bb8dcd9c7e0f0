"""Questions that a page answers: why, what if, and who changed what; each answer is the API's."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.console.acting import job, read, runs_that
from tests.e2e.console.desk import Desk
from tests.e2e.console.reading import Reading, counted
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep


@pytest.fixture
def page(stack: Stack, desk: Desk) -> Reading:
    """A person who asks."""
    return Reading(stack, desk)


def test_one_box_explains_an_instant_that_ran_and_one_that_is_none(
    stack: Stack, recorder: Recorder, page: Reading
) -> None:
    """Typed into the form: the verdict, its words, and the run that it leads to."""
    action = {"type": "webhook", "url": recorder.url("desk-why")}
    job_id = job(stack, schedule={"kind": "delay", "delay_seconds": 1}, action=action)
    (run,) = runs_that(stack, job_id, 1, "succeeded")
    ran = read(stack, f"/v1/runs/{run}")["scheduled_at"]
    page.desk.go("/why")
    verdicts = []
    for at in (ran, "2020-01-01T00:00:00Z"):
        page.desk.page.get_by_label("Job", exact=True).fill(job_id)
        page.desk.page.get_by_label("Instant", exact=True).fill(at)
        page.desk.button("Explain").click()
        page.desk.page.wait_for_url(re.compile(f"at={at[:10]}"))
        page.desk.arrive()
        explained = page.asked_again(f"/v1/jobs/{job_id}/explain")
        shown = page.facts()["Verdict"]
        assert shown == str(explained["verdict"]).replace("_", " ")
        verdicts.append(explained["verdict"])
        assert explained["explanation"] in page.texts("h2")
        runs = page.attributes(f"a[href^='/runs/{job_id}']", "href")
        assert runs == ([f"/runs/{run}"] if at == ran else [])

    assert len(set(verdicts)) == 2, verdicts


def test_an_outage_that_is_simulated_has_the_sums_of_the_api(stack: Stack, page: Reading) -> None:
    """The job as it is beside the scenario; nothing of it is stored."""
    job_id = job(stack)
    before = read(stack, f"/v1/jobs/{job_id}")
    page.desk.go(f"/jobs/{job_id}?tab=what-if")
    page.desk.button("Simulate").click()
    page.desk.page.wait_for_url("**outage=planner**")
    page.desk.arrive()
    shown = {name: cells for name, *cells in page.rows("Sums")}
    asked = dict(parse_qsl(urlsplit(page.desk.page.url).query))
    as_it_is = {"job_id": job_id, "from": asked["from"], "to": asked["to"]}
    away = {"outages": [{"from": asked["outage_from"], "to": asked["outage_to"]}]}
    plain, changed = (
        stack.api.post("/v1/simulate", json=each).raise_for_status().json()["summary"]
        for each in (as_it_is, {**as_it_is, "planner": away})
    )

    assert shown["Instants"] == [counted(each["instants"]) for each in (plain, changed)]
    assert shown["Runs that succeed"] == [counted(each["runs"]) for each in (plain, changed)]
    assert plain["instants"] >= 23
    assert plain != changed
    assert read(stack, f"/v1/jobs/{job_id}") == before


def test_the_audit_trail_lists_who_changed_what(stack: Stack, page: Reading) -> None:
    """One job's entries are those of the API, the newest first."""
    job_id = job(stack)
    stack.api.patch(f"/v1/jobs/{job_id}", json={"name": "renamed"}).raise_for_status()
    stack.api.post(f"/v1/jobs/{job_id}/pause").raise_for_status()
    page.desk.go(f"/audit?resource=job%2F{job_id}")
    items = page.asked_again("/v1/audit")["items"]
    rows = page.rows_of("table")

    assert [each["operation"] for each in items] == ["pauseJob", "updateJob", "createJob"]
    assert [row[2] for row in rows] == [each["operation"] for each in items]
    assert [row[5] for row in rows] == [each["request_id"] for each in items]
    assert "renamed" in rows[1][4]
