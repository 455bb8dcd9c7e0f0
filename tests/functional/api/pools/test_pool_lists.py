"""Pools of a tenant over HTTP: who serves them, and what waits in them."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from tests.support.pools.worker_requests import ACTION, claim, offer
from timegate.adapters.dynamo.pools import pool_store
from timegate.usecases.pools import list_pools

PATH = "/v1/pools"


def pools(api: Api) -> list[dict[str, Any]]:
    """The pools that are listed."""
    answer = api.send("GET", PATH)

    assert answer.status == 200
    return list(answer.body["pools"])


def serve(api: Api, pool: str) -> None:
    """A worker asks a pool for runs."""
    assert api.send("POST", f"/v1/pools/{pool}/claim", {"worker": "host-7"}).status == 200


def names(api: Api) -> list[str]:
    """Their names, in order."""
    return [each["pool"] for each in pools(api)]


def test_a_pool_that_a_job_names_is_listed_before_a_worker_comes(api: Api) -> None:
    """Its run waits, and no worker was seen."""
    offer(api)
    (pool,) = pools(api)

    assert pool == {
        "pool": "reports",
        "workers": 0,
        "capacity": None,
        "in_use": None,
        "last_seen_at": None,
        "jobs": 1,
        "waiting": {"count": 1, "is_partial": False, "oldest_at": "2026-11-21T07:00:00.000Z"},
        "pause": None,
    }


def test_a_worker_counts_for_five_minutes_and_is_known_for_longer(api: Api) -> None:
    """Both sides of the boundary: a pool without workers is shown by its last one."""
    claim(api)
    claim(api, worker="another")
    api.world.clock.advance(300)
    (lately,) = pools(api)
    api.world.clock.advance(0.001)
    (gone,) = pools(api)

    assert (lately["workers"], gone["workers"]) == (2, 0)
    assert lately["last_seen_at"] == gone["last_seen_at"] == "2026-11-21T07:00:00.000Z"
    assert gone["jobs"] == 0
    assert gone["waiting"] == {"count": 0, "is_partial": False, "oldest_at": None}


def test_pools_without_a_worker_come_first(api: Api) -> None:
    """Then by name."""
    serve(api, "b-served")
    serve(api, "a-served")
    offer(api, action={**ACTION, "pool": "unserved"})

    assert names(api) == ["unserved", "a-served", "b-served"]


def test_a_run_that_is_claimed_waits_no_more(api: Api) -> None:
    """It is a worker's."""
    offer(api)
    claim(api)
    (pool,) = pools(api)

    assert (pool["workers"], pool["waiting"]["count"]) == (1, 0)


@pytest.mark.parametrize(("limit", "partial"), [(3, False), (2, True)])
def test_so_many_offers_are_counted(
    api: Api, monkeypatch: pytest.MonkeyPatch, limit: int, partial: bool
) -> None:
    """The answer says that there may be more."""
    monkeypatch.setattr(list_pools, "_COUNTED", limit)
    for _ in range(2):
        offer(api)
    (pool,) = pools(api)

    assert pool["jobs"] == 2
    assert pool["waiting"]["count"] == 2
    assert pool["waiting"]["is_partial"] is partial


def test_offers_of_the_first_pools_are_read(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers of pools beyond the bound are not counted."""
    monkeypatch.setattr(list_pools, "MOST_READ", 1)
    for pool in ("a", "b"):
        offer(api, action={**ACTION, "pool": pool})

    assert [each["waiting"] is None for each in pools(api)] == [False, True]


def test_a_job_that_never_runs_again_names_no_pool(api: Api) -> None:
    """Cancelled; a paused one still does."""
    job_id = offer(api)
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    paused = names(api)
    api.send("DELETE", f"/v1/jobs/{job_id}")

    assert paused == ["reports"]
    assert names(api) == []


def test_a_list_that_may_lack_pools_says_so(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer reads a bounded number of jobs and workers."""
    offer(api)
    for number in range(3):
        claim(api, worker=f"w{number}")
    whole = api.send("GET", PATH).body["is_partial"]
    with monkeypatch.context() as patch:
        patch.setattr(pool_store, "_MAX_WORKERS_OF_TENANT", 2)
        many = api.send("GET", PATH).body["is_partial"]
        patch.setattr(pool_store, "_MAX_MEGABYTES", 0)
        workers = api.send("GET", PATH).body["is_partial"]
    monkeypatch.setattr(list_pools, "MOST_JOBS", 1)
    jobs = api.send("GET", PATH).body["is_partial"]

    assert (whole, many, workers, jobs) == (False, False, True, True)


def test_another_tenant_sees_none_of_it(api: Api) -> None:
    """Nor that a pool of the same name is served (S1)."""
    offer(api)
    claim(api)

    assert api.send("GET", PATH, tenant=OTHER_TENANT).body == {"pools": [], "is_partial": False}
