"""A run that waits in a pool follows its job, which an edit gave another pool or a target."""

from collections.abc import Mapping

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import BROKE, claim, offer, read, say

PAUSE = "/v1/pools/reports/pause"
OTHER = {"type": "worker", "pool": "ledgers", "handler": "close"}
WEBHOOK = {"type": "webhook", "url": "https://example.com/sales"}
WAITS = " It waits in pool reports since 2026-11-21T07:00:00.000Z, and moves within ten minutes to"


def edit(api: Api, job_id: str, action: Mapping[str, object]) -> None:
    """Give the job another action."""
    answer = api.send("PATCH", f"/v1/jobs/{job_id}", {"action": action})
    assert answer.status == 200, answer.body


def claim_there(api: Api) -> list[tuple[str, str]]:
    """Return jobs and handlers of the runs that the other pool hands out."""
    runs = api.send("POST", "/v1/pools/ledgers/claim", {"worker": "host-8", "max": 10}).body["runs"]
    return [(run["job_id"], run["handler"]) for run in runs]


def sweep_after(api: Api, seconds: float) -> None:
    """Let the sweeper look after so many seconds."""
    api.world.clock.advance(seconds)
    api.world.sweep()


@pytest.mark.parametrize(("seconds", "moved"), [(59.999, False), (60, True)])
@pytest.mark.parametrize("paused", [True, False])
def test_a_run_moves_to_the_pool_that_its_job_names(
    api: Api, seconds: float, *, moved: bool, paused: bool
) -> None:
    """No worker comes to the old pool any more, or it is paused: the run waited there for ever."""
    job_id = offer(api)
    if paused:
        api.send("POST", PAUSE)
    edit(api, job_id, OTHER)
    sweep_after(api, seconds)

    assert claim_there(api) == ([(job_id, "close")] if moved else [])
    assert len(api.world.telemetry.named("run_rerouted")) == moved


def test_a_run_moves_to_the_queue_of_its_target(api: Api) -> None:
    """It is published, and executed as any run of the target."""
    job_id = offer(api)
    api.send("POST", PAUSE)
    edit(api, job_id, WEBHOOK)
    sweep_after(api, 60)
    api.world.settle()
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]

    assert row["state"] == "succeeded"


def test_a_run_that_a_dead_worker_held_moves(api: Api) -> None:
    """Once its lease has expired, as any that waits."""
    job_id = offer(api)
    (run,) = claim(api)
    edit(api, job_id, OTHER)
    api.send("POST", PAUSE)
    sweep_after(api, 70)

    assert claim_there(api) == [(job_id, "close")]
    assert read(api, run)["state"] == "running"


def test_a_retry_waits_for_the_pool_that_its_job_names(api: Api) -> None:
    """It was made before the edit, and is queued after it."""
    job_id = offer(api, retry={"max_attempts": 2, "delays_seconds": [3_600]})
    (run,) = claim(api)
    say(api, "fail", run, error=BROKE)
    edit(api, job_id, OTHER)
    sweep_after(api, 3_001)
    api.world.clock.advance(600)

    assert claim_there(api) == [(job_id, "close")]


@pytest.mark.parametrize(
    ("action", "place"),
    [
        (OTHER, "pool ledgers, which its job names now, for handler close."),
        (WEBHOOK, "a queue, for its job names no pool any more."),
    ],
    ids=["pool", "target"],
)
@pytest.mark.parametrize("paused", [True, False])
def test_a_run_that_is_to_move_says_so(
    api: Api, action: Mapping[str, object], place: str, *, paused: bool
) -> None:
    """Neither the pause of its pool nor the workers there have a part in it any more."""
    job_id = offer(api)
    if paused:
        api.send("POST", PAUSE)
    edit(api, job_id, action)
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    run = api.send("GET", f"/v1/runs/{row['run_id']}").body
    instant = api.send("GET", f"/v1/jobs/{job_id}/explain?at={row['scheduled_at']}").body

    assert run["explanation"].endswith(f"{WAITS} {place}")
    assert instant["explanation"].endswith(f"{WAITS} {place}")


def test_a_run_whose_job_stays_is_left_where_it_is(api: Api) -> None:
    """An edit of another field moves nothing."""
    job_id = offer(api)
    api.send("PATCH", f"/v1/jobs/{job_id}", {"timeout_seconds": 60})
    sweep_after(api, 60)

    assert [run["job_id"] for run in claim(api)] == [job_id]
    assert api.world.telemetry.named("run_rerouted") == []
