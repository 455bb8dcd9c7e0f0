"""Triggered runs that must start soon, or not at all."""

from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import BROKEN
from tests.functional.api.runs.test_triggers import DAILY, given
from tests.support.api import Api
from tests.support.pools.worker_requests import claim


@pytest.fixture
def job_id(api: Api) -> str:
    """A job that runs when it is asked to."""
    return str(api.create(schedule=DAILY)["job_id"])


WORKER = {"type": "worker", "pool": "reports", "handler": "report"}


@pytest.mark.parametrize(
    ("action", "waits"),
    [
        pytest.param(None, 61, id="claimed-too-late"),
        pytest.param(WORKER, 61, id="no-worker-serves-its-pool"),
        pytest.param(WORKER, 3_601, id="long-after"),
    ],
)
def test_a_run_that_has_not_started_in_time_is_skipped(
    api: Api, action: object, waits: int
) -> None:
    """With the reason, on record; its target hears nothing."""
    fields: dict[str, Any] = {"schedule": DAILY} | ({"action": action} if action else {})
    job_id = api.create(**fields)["job_id"]
    run = api.trigger(job_id, {"expires_after_seconds": "PT1M"}).body
    api.world.clock.advance(waits)
    if action:
        api.world.sweep()
    api.world.settle()
    shown = api.send("GET", f"/v1/runs/{run['run_id']}").body

    assert run["expires_at"] == "2026-11-21T07:01:00.000Z"
    assert (shown["state"], shown["reason"]) == ("skipped", "expired")
    assert shown["explanation"] == "It could not start within the time that its trigger allows."
    assert given(api) == []


def test_a_run_that_starts_in_time_does_not_expire(api: Api, job_id: str) -> None:
    """At the last instant it still starts, and its retry may come later."""
    api.world.target.then(BROKEN)
    run_id = api.trigger(job_id, {"expires_after_seconds": 60}).body["run_id"]
    api.world.clock.advance(60)
    api.world.execute(api.world.receive())
    api.world.clock.advance(600)
    api.world.sweep()
    api.world.settle()

    assert api.send("GET", f"/v1/runs/{run_id}").body["state"] == "succeeded"


@pytest.mark.parametrize(("seconds", "status"), [(0.9, 400), (1, 202), (366 * 86_400 + 1, 400)])
def test_an_expiry_has_bounds(api: Api, job_id: str, seconds: float, status: int) -> None:
    """At least a second, since a run is claimed to the second."""
    assert api.trigger(job_id, {"expires_after_seconds": seconds}).status == status


@pytest.mark.parametrize(
    "rule",
    [
        {"mode": "single"},
        {"mode": "first", "span_seconds": 5},
        {"mode": "last", "span_seconds": 5, "max_wait_seconds": 600},
    ],
)
@pytest.mark.parametrize("in_batch", [False, True])
def test_a_trigger_collapses_with_no_run_that_has_expired(
    api: Api, rule: dict[str, Any], *, in_batch: bool
) -> None:
    """No worker has come, so nothing has ended that run: triggers joined it, and none ran."""
    job_id = api.create(schedule=DAILY, action=WORKER, collapse=rule)["job_id"]
    api.trigger(job_id, {"expires_after_seconds": 20})
    api.world.clock.advance(30)
    if in_batch:
        api.send("POST", f"/v1/jobs/{job_id}/trigger/batch", {"triggers": [{"payload": 1}]})
    else:
        api.trigger(job_id, {"payload": 1})
    api.world.clock.advance(5)

    assert [run["payload"] for run in claim(api, max=3)] == [1]


def test_a_trigger_joins_a_run_that_may_still_start(api: Api) -> None:
    """At its last instant, too."""
    rule = {"mode": "single"}
    job_id = api.create(schedule=DAILY, action=WORKER, collapse=rule)["job_id"]
    api.trigger(job_id, {"payload": 1, "expires_after_seconds": 20})
    api.world.clock.advance(20)
    joined = api.trigger(job_id, {"payload": 2}).body

    assert (joined["state"], joined["reason"]) == ("skipped", "collapsed")
    assert [run["payload"] for run in claim(api, max=3)] == [1]
