"""Payloads of runs to come: explanations of instants and previews of edits fill the marks."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import ACTION

DAILY = {"kind": "cron", "cron": "0 0 * * *", "timezone": "Europe/Berlin"}
PAYLOAD = {"close": "{{date.previous}}", "run": "{{run.id}} {{run.attempt}}"}


def explained(api: Api, job_id: str, at: str, query: str = "&filled=true") -> Any:  # noqa: ANN401
    """The explanation of an instant."""
    return api.send("GET", f"/v1/jobs/{job_id}/explain?at={at}{query}").body


def sends(job_id: str, day: str, instant: str) -> dict[str, str]:
    """The payload that the first attempt at a run sends."""
    return {"close": day, "run": f"{job_id}.s{instant} 1"}


@pytest.mark.parametrize("more", ["", "x" * 2_000])
def test_an_instant_to_come_shows_what_its_run_would_send(api: Api, more: str) -> None:
    """With its id, which is computed; large payloads too, and nothing unless it is asked for."""
    job = api.create(schedule=DAILY, payload=PAYLOAD | {"more": more}, payload_marks={})
    job_id = job["job_id"]
    at = "2026-12-24T23:00:00.000Z"
    found = explained(api, job_id, at)

    assert found["verdict"] == "planned"
    assert found["payload"] == sends(job_id, "2026-12-24", "20261224T230000000Z") | {"more": more}
    assert explained(api, job_id, at, "")["payload"] is None
    assert explained(api, job_id, "2026-12-24T22:59:59.999Z")["payload"] is None


def test_a_paused_job_shows_what_an_instant_would_send(api: Api) -> None:
    """A freeze and a pause decide later if the instant runs, and not what its run sends."""
    job_id = api.create(schedule=DAILY, payload=PAYLOAD, payload_marks={})["job_id"]
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    found = explained(api, job_id, "2026-11-21T23:00:00.000Z")

    assert found["verdict"] == "paused"
    assert found["payload"] == sends(job_id, "2026-11-21", "20261121T230000000Z")


def test_a_run_shows_what_it_sent(api: Api) -> None:
    """By its last attempt; one that never began sent nothing."""
    job_id = api.create(schedule=DAILY, action=ACTION, payload=PAYLOAD, payload_marks={})["job_id"]
    api.world.clock.advance(16 * 3600)
    api.world.tick()
    api.world.settle()
    waiting = explained(api, job_id, "2026-11-21T23:00:00.000Z")
    api.send("POST", f"/v1/runs/{waiting['record']['run_id']}/cancel")
    cancelled = explained(api, job_id, "2026-11-21T23:00:00.000Z")

    assert waiting["payload"] == sends(job_id, "2026-11-21", "20261121T230000000Z")
    assert (cancelled["verdict"], cancelled["payload"]) == ("run", None)


def test_a_payload_without_marks_is_shown_as_it_is(api: Api) -> None:
    """Nothing in it is a mark."""
    job_id = api.create(schedule=DAILY, payload={"day": "{{date}}"})["job_id"]

    assert explained(api, job_id, "2026-11-21T23:00:00.000Z")["payload"] == {"day": "{{date}}"}


def test_a_preview_shows_the_payload_of_the_first_run_on_each_side(api: Api) -> None:
    """By the schedule, the zone, the name and the payload of that side."""
    job_id = api.create(schedule=DAILY, payload="{{date}} {{job.name}}", payload_marks={})["job_id"]
    path = f"/v1/jobs/{job_id}/preview"
    zone = {"payload_marks": {"timezone": "UTC"}}
    renamed = {"name": "other", "payload": "{{date}} {{job.name}} {{run.id}}"}
    half = {"schedule": DAILY | {"cron": "30 0 * * *"}}
    answers = [
        api.send("POST", f"{path}?filled=true", body).body["payload"]
        for body in (zone, renamed | half, {"payload": None})
    ]
    name = api.send("GET", f"/v1/jobs/{job_id}").body["name"]
    before = f"2026-11-22 {name}"

    assert answers == [
        {"before": before, "after": f"2026-11-21 {name}"},
        {"before": before, "after": f"2026-11-22 other {job_id}.s20261121T233000000Z"},
        {"before": before, "after": None},
    ]
    assert api.send("POST", path, zone).body["payload"] is None


def test_a_side_without_runs_sends_nothing(api: Api) -> None:
    """A paused job, unless it is previewed as resumed."""
    job_id = api.create(schedule=DAILY, payload="{{date}}", payload_marks={})["job_id"]
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    path = f"/v1/jobs/{job_id}/preview?filled=true"
    paused = api.send("POST", path, {"name": "other"}).body["payload"]
    resumed = api.send("POST", f"{path}&resumed=true", {"name": "other"}).body["payload"]

    assert paused == {"before": None, "after": None}
    assert resumed == {"before": "2026-11-22", "after": "2026-11-22"}


def test_a_payload_that_is_lost_hides_nothing_else(api: Api) -> None:
    """The rest of a run, an explanation and a preview is shown without it."""
    payload = PAYLOAD | {"more": "x" * 2_000}
    job = api.create(schedule=DAILY, action=ACTION, payload=payload, payload_marks={})
    job_id = job["job_id"]
    api.world.clock.advance(16 * 3600)
    api.world.tick()
    api.world.settle()
    api.world.blobs.blobs.clear()
    waiting = explained(api, job_id, "2026-11-21T23:00:00.000Z")
    run = api.send("GET", f"/v1/runs/{waiting['record']['run_id']}?filled=true")
    ahead = explained(api, job_id, "2026-12-24T23:00:00.000Z")
    later = {"schedule": DAILY | {"cron": "30 0 * * *"}}
    edit = api.send("POST", f"/v1/jobs/{job_id}/preview?filled=true", later)

    assert (waiting["verdict"], waiting["payload"]) == ("run", None)
    assert (run.status, run.body["payload"]) == (200, None)
    assert (ahead["verdict"], ahead["payload"]) == ("planned", None)
    assert edit.status == 200
