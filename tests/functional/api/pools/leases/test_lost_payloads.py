"""A run whose stored payload or checkpoint is gone says so: it was told to kill its workers."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import ACTION, claim, say

LARGE = {"text": "x" * 2_000}
WHY = "Its stored payload, or its checkpoint, is lost or has expired."
#: A run is put off for 10, 20 and 40 seconds, and then for a minute each time.
PATIENCE_SECONDS = 10 + 20 + 40 + 14 * 60
WEBHOOK = {"type": "webhook", "url": "https://hooks.example.com/report"}


def triggered(api: Api, action: dict[str, Any]) -> str:
    """Trigger a job whose run has a payload that is stored apart; return the run's id."""
    job = api.create(schedule={"kind": "manual"}, action=action)
    return str(api.trigger(job["job_id"], {"payload": LARGE}).body["run_id"])


def attempted(api: Api, action: dict[str, Any]) -> None:
    """Let a worker of the pool, or the executor, take what is due."""
    if action is ACTION:
        claim(api)
    else:
        api.world.settle()


def outwaited(api: Api, action: dict[str, Any], seconds: float) -> None:
    """Let so much time pass, with looks of the sweeper and workers that come at once."""
    attempted(api, action)
    for _ in range(round(seconds / 10)):
        api.world.clock.advance(10)
        api.world.sweep()
        attempted(api, action)


@pytest.mark.parametrize("action", [ACTION, WEBHOOK], ids=["pool", "target"])
def test_a_run_whose_payload_is_lost_ends_so(api: Api, action: dict[str, Any]) -> None:
    """It is a dead letter with a reason of its own, which can be read; no worker got it."""
    run_id = triggered(api, action)
    api.world.blobs.blobs.clear()
    outwaited(api, action, PATIENCE_SECONDS - 10)
    waits = api.send("GET", f"/v1/runs/{run_id}")
    outwaited(api, action, 10)
    run = api.send("GET", f"/v1/runs/{run_id}")
    letter = api.send("GET", f"/v1/dead-letters/{run_id}")

    assert (waits.status, waits.body["state"]) == (200, "waiting")
    assert (run.body["state"], run.body["reason"]) == ("dead_lettered", "payload_lost")
    assert (run.body["explanation"], run.body["payload"]) == (WHY, None)
    assert (letter.status, letter.body["payload"]) == (200, None)
    assert letter.body["attempts"][0]["error"] == {
        "code": "payload_lost",
        "type": "BlobMissing",
        "message": WHY,
    }
    assert api.world.target.calls == []
    assert api.world.telemetry.counts["RunsDeadLettered"] == 1


@pytest.mark.parametrize("action", [ACTION, WEBHOOK], ids=["pool", "target"])
def test_a_payload_that_arrives_late_is_used(api: Api, action: dict[str, Any]) -> None:
    """S3 copies what another region stored minutes later; nothing is held against the run."""
    run_id = triggered(api, action)
    kept = dict(api.world.blobs.blobs)
    api.world.blobs.blobs.clear()
    outwaited(api, action, PATIENCE_SECONDS - 10)
    api.world.blobs.blobs.update(kept)
    api.world.clock.advance(60)
    api.world.sweep()
    handed = claim(api) if action is ACTION else []
    api.world.settle()

    assert [run["payload"] for run in handed] == ([LARGE] if action is ACTION else [])
    state = api.send("GET", f"/v1/runs/{run_id}").body["state"]
    assert state == ("running" if action is ACTION else "succeeded")


def test_a_run_whose_checkpoint_is_lost_begins_not_anew(api: Api) -> None:
    """Its next worker would do again what is done; the run ends as one without its payload."""
    job = api.create(schedule={"kind": "manual"}, action=ACTION)
    api.trigger(job["job_id"], {})
    (run,) = claim(api)
    say(api, "heartbeat", run, checkpoint=LARGE)
    say(api, "release", run)
    api.world.blobs.blobs.clear()
    outwaited(api, ACTION, PATIENCE_SECONDS)
    ended = api.send("GET", f"/v1/runs/{run['run_id']}").body

    assert (ended["state"], ended["reason"]) == ("dead_lettered", "payload_lost")
