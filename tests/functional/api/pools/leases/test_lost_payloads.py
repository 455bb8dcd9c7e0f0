"""A run whose stored payload or checkpoint is gone says so: it was told to kill its workers."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import ACTION, claim, say

LARGE = {"text": "x" * 2_000}
WHY = "Its stored payload is lost or has expired: a redrive needs another payload."
NO_CHECKPOINT = "Its last checkpoint is lost or has expired: a redrive has to be fresh."
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


def without_checkpoint(api: Api, payload: object) -> str:
    """Lose the checkpoint, and the payload if it is large, of a run; return its id."""
    job = api.create(schedule={"kind": "manual"}, action=ACTION)
    api.trigger(job["job_id"], {"payload": payload})
    (run,) = claim(api)
    say(api, "heartbeat", run, checkpoint=LARGE)
    say(api, "release", run)
    api.world.blobs.blobs.clear()
    outwaited(api, ACTION, PATIENCE_SECONDS)
    return str(run["run_id"])


def why_of(api: Api, run_id: str) -> tuple[str, str, str]:
    """Return the state of a run, and what its record and its error say."""
    run = api.send("GET", f"/v1/runs/{run_id}").body
    last = api.send("GET", f"/v1/dead-letters/{run_id}").body["attempts"][-1]
    return run["state"], run["explanation"], last["error"]["message"]


def test_a_run_whose_checkpoint_is_lost_begins_not_anew(api: Api) -> None:
    """Its next worker would do again what is done; the run ends as one without its payload."""
    run_id = without_checkpoint(api, {})
    ended = api.send("GET", f"/v1/runs/{run_id}").body

    assert (ended["state"], ended["reason"]) == ("dead_lettered", "payload_lost")


def test_a_lost_checkpoint_is_named_and_a_fresh_redrive_needs_none(api: Api) -> None:
    """A redrive with another payload alone comes back for the same reason, and says it."""
    run_id = without_checkpoint(api, {})
    first = why_of(api, run_id)
    again = api.send("POST", f"/v1/dead-letters/{run_id}/redrive", {"payload": {"n": 1}})
    outwaited(api, ACTION, PATIENCE_SECONDS)
    second = why_of(api, run_id)
    fresh = api.send("POST", f"/v1/dead-letters/{run_id}/redrive", {"fresh": True})
    (handed,) = claim(api)

    assert [again.status, fresh.status] == [202, 202]
    assert first == second == ("dead_lettered", NO_CHECKPOINT, NO_CHECKPOINT)
    assert (handed["run_id"], handed["payload"]) == (run_id, {"n": 1})
    assert handed["last_checkpoint"] is None


def test_of_two_lost_texts_the_payload_is_named_first(api: Api) -> None:
    """A redrive with a payload then says that the checkpoint is lost as well."""
    run_id = without_checkpoint(api, LARGE)
    first = why_of(api, run_id)
    api.send("POST", f"/v1/dead-letters/{run_id}/redrive", {"payload": {}})
    outwaited(api, ACTION, PATIENCE_SECONDS)

    assert first == ("dead_lettered", WHY, WHY)
    assert why_of(api, run_id) == ("dead_lettered", NO_CHECKPOINT, NO_CHECKPOINT)
