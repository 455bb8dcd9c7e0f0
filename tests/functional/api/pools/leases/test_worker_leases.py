"""A worker reports heartbeats and the end of a run that it holds over HTTP."""

import base64
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.pools.worker_requests import BROKE, claim, offer, read, say

LONG = {"max_duration_seconds": 3_600}


def test_a_heartbeat_holds_on_to_a_run(api: Api) -> None:
    """A lease from now on; no other worker gets it meanwhile."""
    offer(api, timeout_seconds=600)
    (run,) = claim(api)
    for _ in range(3):
        api.world.clock.advance(50)
        answer = say(api, "heartbeat", run)

        assert claim(api, worker="another") == []

    assert answer.body == {
        "lease_expires_at": "2026-11-21T07:03:30.000Z",
        "cancel_requested": False,
    }


@pytest.mark.parametrize("what", ["heartbeat", "complete", "fail", "release"])
def test_a_silent_workers_run_is_taken_over(api: Api, what: str) -> None:
    """From the expiry of its lease on, under a higher fence; what it says then is refused."""
    offer(api, timeout_seconds=600)
    (first,) = claim(api)
    api.world.clock.advance(59.999)
    early = claim(api, worker="another")
    api.world.clock.advance(0.001)
    (second,) = claim(api, worker="another")
    fields: dict[str, Any] = {"error": BROKE} if what == "fail" else {}
    answer = say(api, what, first, **fields)

    assert early == []
    assert (second["run_id"], second["fence"]) == (first["run_id"], 2)
    assert (answer.status, answer.code) == (409, "lease_lost")
    assert read(api, first)["attempts"][0]["worker"].startswith("another/")
    assert say(api, "complete", second).status == 200


def test_what_a_dead_worker_held_is_handed_out_one_by_one(api: Api) -> None:
    """Only then does a death say which run killed; what is new is handed out together."""
    for _ in range(3):
        offer(api)
    held = claim(api, max=3)
    api.world.clock.advance(61)
    alone = [claim(api, worker=f"another {n}", max=3) for n in range(3)]
    for _ in range(3):
        offer(api)

    assert len(held) == 3
    assert [len(runs) for runs in alone] == [1, 1, 1]
    assert {runs[0]["run_id"] for runs in alone} == {run["run_id"] for run in held}
    assert len(claim(api, max=3)) == 3


def test_the_sweeper_rescues_a_run_whose_pool_no_worker_asks(api: Api) -> None:
    """The run of a dead worker is offered again."""
    offer(api)
    claim(api)
    api.world.clock.advance(180)
    api.world.sweep()
    pool = api.send("GET", "/v1/pools/reports").body

    assert api.world.telemetry.counts["LeasesRescued"] == 1
    assert pool["depth"] == 1
    assert claim(api)[0]["fence"] == 2


def test_a_failure_is_tried_again_as_the_job_says(api: Api) -> None:
    """The next attempt is offered after its back-off, in the same pool."""
    offer(api, retry={"max_attempts": 2, "initial_delay_seconds": 10, "jitter": False})
    (first,) = claim(api)
    say(api, "fail", first, error=BROKE)
    early = claim(api)
    api.world.clock.advance(10)
    (second,) = claim(api)
    say(api, "fail", second, error=BROKE)
    ended = read(api, first)

    assert early == []
    assert (second["attempt"], second["fence"]) == (2, 2)
    assert (ended["state"], ended["reason"]) == ("dead_lettered", "retries_exhausted")
    assert ended["error"] == BROKE


@pytest.mark.parametrize("size", [10, 2000], ids=["inline", "in the blob store"])
@pytest.mark.parametrize("how", ["dies", "releases", "fails"])
def test_the_next_worker_begins_at_the_last_checkpoint(api: Api, how: str, size: int) -> None:
    """The previous worker died, was stopped or failed: the checkpoint stays."""
    offer(api, timeout_seconds=600, retry={"initial_delay_seconds": 1, "jitter": False})
    (first,) = claim(api)
    for number in (1, 2):
        checkpoint = {"done": number, "text": "x" * size}
        said = say(api, "heartbeat", first, checkpoint=checkpoint, progress={"percent": number})
        assert said.status == 200
    if how == "releases":
        say(api, "release", first)
    if how == "fails":
        say(api, "fail", first, error=BROKE)
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")

    assert first["last_checkpoint"] is None
    assert second["last_checkpoint"]["done"] == 2
    assert second["fence"] == 2


def test_progress_that_says_nothing_is_refused(api: Api) -> None:
    """Or that lies beyond the end."""
    offer(api)
    (run,) = claim(api)
    answers = [
        say(api, "heartbeat", run, progress=progress)
        for progress in ({"percent": 101}, {"message": ""})
    ]

    assert [answer.fields for answer in answers] == [
        [("progress.percent", "out_of_range")],
        [("progress", "missing")],
    ]


def test_a_worker_says_when_to_try_again_and_whether(api: Api) -> None:
    """Heeded if it is longer than the back-off; a permanent failure ends the run."""
    offer(api)
    (first,) = claim(api)
    say(api, "fail", first, error=BROKE, retry_after_seconds=120)
    api.world.clock.advance(119)
    early = claim(api)
    api.world.clock.advance(1)
    (second,) = claim(api)
    say(api, "fail", second, error=BROKE, retryable=False)

    assert early == []
    assert (read(api, first)["state"], read(api, first)["reason"]) == ("failed", "permanent")


def test_a_released_run_is_offered_at_once(api: Api) -> None:
    """That is no failed attempt."""
    offer(api)
    (first,) = claim(api)
    assert say(api, "release", first).status == 200
    (second,) = claim(api)
    (attempt,) = read(api, first)["attempts"]

    assert (second["attempt"], second["fence"]) == (1, 2)
    assert attempt["releases"] == 1


@pytest.mark.parametrize(
    ("what", "fields"), [("complete", {}), ("fail", {"error": BROKE}), ("release", {})]
)
def test_what_is_said_twice_is_recorded_once(api: Api, what: str, fields: dict[str, Any]) -> None:
    """The answer to the first may have been lost."""
    offer(api, retry={"max_attempts": 1})
    (run,) = claim(api)
    first = say(api, what, run, **fields)
    recorded = read(api, run)
    api.world.clock.advance(1)
    second = say(api, what, run, **fields)

    assert (first.status, second.status) == (200, 200)
    assert read(api, run) == recorded


@pytest.mark.parametrize(
    ("what", "fields", "job", "state"),
    [
        pytest.param("release", {}, {"delivery": "at_most_once"}, "failed", id="once"),
        pytest.param("release", {}, {}, "cancelled", id="release"),
        pytest.param("fail", {"error": BROKE}, {}, "cancelled", id="fail"),
        pytest.param("complete", {}, {}, "succeeded", id="complete"),
        pytest.param("continue", {}, {"long_run": LONG}, "cancelled", id="continue"),
    ],
)
def test_an_end_in_another_state_is_said_twice_as_well(
    api: Api, what: str, fields: dict[str, Any], job: dict[str, Any], state: str
) -> None:
    """It was to run once, or a caller had asked to cancel it, of which its worker had not heard."""
    offer(api, **job)
    (run,) = claim(api)
    if "delivery" not in job:
        api.send("POST", f"/v1/runs/{run['run_id']}/cancel")
    first = say(api, what, run, **fields)
    recorded = read(api, run)
    api.world.clock.advance(1)
    second = say(api, what, run, **fields)

    assert (first.status, second.status, recorded["state"]) == (200, 200, state)
    assert read(api, run) == recorded


def test_a_release_is_said_twice_though_a_freeze_holds_the_run(api: Api) -> None:
    """It waits for the end of the freeze, and no worker has it."""
    offer(api)
    (run,) = claim(api)
    freeze = {"scope": {"kind": "tenant"}, "ends_at": "2026-11-21T09:00:00Z"}
    assert api.send("POST", "/v1/freezes", freeze).status == 201
    first = say(api, "release", run)
    others = claim(api, worker="another")
    second = say(api, "release", run)

    assert (first.status, others, second.status) == (200, [], 200)
    assert read(api, run)["state"] == "waiting"


def test_a_cancel_is_heard_at_a_heartbeat(api: Api) -> None:
    """And a release then ends the run."""
    offer(api)
    (run,) = claim(api)
    api.send("POST", f"/v1/runs/{run['run_id']}/cancel")
    heard = say(api, "heartbeat", run)
    released = say(api, "release", run)

    assert heard.body["cancel_requested"] is True
    assert (released.status, read(api, run)["state"]) == (200, "cancelled")
    assert say(api, "release", run).status == 200


def test_a_run_that_has_used_its_time_is_stopped(api: Api) -> None:
    """However faithfully its worker sends heartbeats."""
    offer(api, timeout_seconds=70, retry={"max_attempts": 1})
    (run,) = claim(api)
    api.world.clock.advance(50)
    held = say(api, "heartbeat", run)
    api.world.clock.advance(20)
    stopped = say(api, "heartbeat", run)

    assert (held.status, stopped.status, stopped.code) == (200, 409, "lease_lost")
    assert read(api, run)["error"]["code"] == "timeout"


def test_at_most_once_is_claimed_once(api: Api) -> None:
    """A worker that died or was stopped leaves no second claim."""
    offer(api, delivery="at_most_once")
    offer(api, delivery="at_most_once")
    died, stopped = claim(api, max=2)
    say(api, "release", stopped)
    api.world.clock.advance(60)

    assert claim(api, max=2) == []
    assert read(api, died)["reason"] == "worker_died"
    assert (read(api, stopped)["reason"], read(api, stopped)["error"]["code"]) == (
        "at_most_once",
        "worker_stopped",
    )


def test_exactly_once_keeps_an_answer_that_came_too_late(api: Api) -> None:
    """Its holder may go on; no worker claims it again."""
    offer(api, delivery="exactly_once", timeout_seconds=600)
    (slow,) = claim(api)
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")
    late = say(api, "complete", slow, result="billed")
    say(api, "release", second)

    assert late.code == "lease_lost"
    assert claim(api) == []
    assert (read(api, slow)["state"], read(api, slow)["attempts"][0]["result"]) == (
        "succeeded",
        "billed",
    )


@pytest.mark.parametrize("what", ["heartbeat", "complete", "release"])
@pytest.mark.parametrize("forged", ["other tenant", "other fence", "other run", "nonsense"])
def test_a_token_speaks_for_its_own_lease_alone(api: Api, what: str, forged: str) -> None:
    """A token of another tenant, attempt or fence is refused, and changes nothing."""
    offer(api)
    offer(api)
    run, other = claim(api, max=2)
    text = base64.urlsafe_b64decode(run["lease_token"] + "=" * (-len(run["lease_token"]) % 4))
    number, _, rest = text.decode().split(".", 2)
    tokens = {
        "other tenant": run["lease_token"],
        "other fence": base64.urlsafe_b64encode(f"{number}.2.{rest}".encode()).decode(),
        "other run": other["lease_token"],
        "nonsense": "nonsense",
    }
    tenant = OTHER_TENANT if forged == "other tenant" else TENANT
    answer = say(api, what, {**run, "lease_token": tokens[forged]}, tenant=tenant)

    assert (answer.status, answer.code) == (409, "lease_lost")
    assert read(api, run)["state"] == "running"
    assert say(api, "complete", run).status == 200
