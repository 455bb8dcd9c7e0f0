"""A run that waits in a pool says since when, and if workers come that do it."""

from datetime import datetime

import pytest

from tests.support.api import Api
from tests.support.pools.worker_requests import claim, offer, read, say
from timegate.adapters.dynamo.pools.pool_store import DynamoPoolStore
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import Served

QUEUED = "It is queued, and starts when it is due and a worker is free."
WAITS = f"{QUEUED} It waits in pool reports since 2026-11-21T07:00:00.000Z"
UNSERVED = f"{WAITS}, and no worker asked that pool for runs in the last 5 minutes."


def explained(api: Api, job_id: str) -> list[str]:
    """Return the explanations of the run and of its instant."""
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    run = api.send("GET", f"/v1/runs/{row['run_id']}").body
    instant = api.send("GET", f"/v1/jobs/{job_id}/explain?at={row['scheduled_at']}").body
    return [run["explanation"], instant["explanation"]]


def test_a_run_in_a_pool_without_workers_says_so(api: Api) -> None:
    """Hours later as well: it is not only queued."""
    job_id = offer(api)
    at_once = explained(api, job_id)
    api.world.clock.advance(3 * 3600)

    assert at_once == [UNSERVED] * 2
    assert explained(api, job_id) == [UNSERVED] * 2


def test_a_worker_counts_for_five_minutes_after_it_asked(api: Api) -> None:
    """One that stopped is no worker of the pool any more; both sides of the boundary."""
    claim(api, handlers=["other"])
    job_id = offer(api)
    api.world.clock.advance(300)
    lately = explained(api, job_id)
    api.world.clock.advance(0.001)

    assert lately == [f"{WAITS}, and none of the pool's workers does sales (1 seen)."] * 2
    assert explained(api, job_id) == [UNSERVED] * 2


def test_workers_that_do_the_handler_are_counted(api: Api) -> None:
    """They are busy, or about to ask: nothing has to be started."""
    claim(api, worker="a", handlers=["sales"])
    claim(api, worker="b")
    claim(api, worker="c", handlers=["other"])
    job_id = offer(api)

    expected = f"{WAITS}; workers that do sales asked lately (2 seen)."
    assert explained(api, job_id) == [expected] * 2


@pytest.mark.parametrize("names", [998, 999, 1_500])
def test_a_worker_is_seen_beside_many_that_are_gone(api: Api, names: int) -> None:
    """A fleet that scales leaves its names behind: a thousand of them hid those that follow."""
    for number in range(names):
        claim(api, worker=f"gone-{number:04}", max=0)
    api.world.clock.advance(600)
    claim(api, worker="new")
    job_id = offer(api)
    told = explained(api, job_id)[0]

    assert "asked lately (1 seen)" in told


def test_a_claimed_run_waits_no_more(api: Api) -> None:
    """Neither does one that is not due."""
    job_id = offer(api)
    claim(api)
    later = offer(api, schedule={"kind": "delay", "delay_seconds": 60}, name="later")

    assert explained(api, job_id) == ["It is running."] * 2
    assert explained(api, later)[0] == QUEUED


def unserved(api: Api, seconds: int) -> None:
    """No worker comes for so long; the sweeper ticks."""
    for _ in range(seconds // 30):
        api.world.clock.advance(30)
        api.world.sweep()


@pytest.mark.parametrize("asked", [True, False], ids=["cancelled", "wanted"])
def test_a_cancelled_run_ends_though_its_worker_died(api: Api, *, asked: bool) -> None:
    """It heard of no request, and no other worker comes: minutes later the run is cancelled."""
    offer(api)
    (run,) = claim(api)
    if asked:
        api.send("POST", f"/v1/runs/{run['run_id']}/cancel")
    unserved(api, 300)
    ended = read(api, run)

    assert ended["state"] == ("cancelled" if asked else "queued")
    assert ended["reason"] == ("cancel_requested" if asked else None)


def test_a_run_that_went_on_for_too_long_ends(api: Api) -> None:
    """No worker comes for its next slice; the run waits for one until its duration has passed."""
    offer(api, long_run={"max_duration_seconds": 1_500})
    (run,) = claim(api)
    say(api, "continue", run, checkpoint=1)
    unserved(api, 1_470)
    waits = read(api, run)
    unserved(api, 630)
    ended = read(api, run)

    assert waits["state"] == "queued"
    assert (ended["state"], ended["reason"]) == ("dead_lettered", "duration_exceeded")


def test_a_run_of_a_pool_was_in_no_queue(api: Api) -> None:
    """It was claimed where it was offered: nothing was published or received."""
    offer(api)
    api.world.clock.advance(5)
    (run,) = claim(api)
    (attempt,) = read(api, run)["attempts"]

    assert attempt["timeline"] == {
        "planned_at": "2026-11-21T07:00:00.000Z",
        "published_at": None,
        "received_at": None,
        "claimed_at": "2026-11-21T07:00:05.000Z",
        "started_at": None,
        "ended_at": None,
    }


def test_only_a_run_in_a_pool_costs_a_look(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """One query for each answer; none for a run of a queue."""
    looks: list[str] = []
    look = DynamoPoolStore.served

    def counted(
        store: DynamoPoolStore, tenant: TenantId, pool: str, *, since: datetime, now: datetime
    ) -> Served:
        looks.append(pool)
        return look(store, tenant, pool, since=since, now=now)

    monkeypatch.setattr(DynamoPoolStore, "served", counted)
    queued = explained(api, api.create(schedule={"kind": "immediate"})["job_id"])
    before = [*looks]
    explained(api, offer(api))

    assert (queued, before) == ([QUEUED] * 2, [])
    assert looks == ["reports"] * 2
