"""Capacity of pools over HTTP: what workers say, and when a pool was served last."""

from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.support.stores.records import JOBS_TABLE
from timegate.adapters.dynamo.pools.pool_store import workers_pk
from timegate.adapters.dynamo.tables.keys import Key
from timegate.domain.values.errors import Throttled

PATH = "/v1/pools/reports"


def pool(api: Api) -> dict[str, Any]:
    """The pool as it is."""
    body: dict[str, Any] = api.send("GET", PATH).body
    return body


def listed(api: Api) -> dict[str, Any]:
    """The only pool of the list."""
    (found,) = api.send("GET", "/v1/pools").body["pools"]
    return dict(found)


def test_the_list_and_the_pool_add_up_what_workers_said(api: Api) -> None:
    """One that says nothing counts as none."""
    offer(api)
    claim(api, worker="a", capacity=4, in_use=1)
    claim(api, worker="b", capacity=10, in_use=0)
    claim(api, worker="silent")
    sums = {"capacity": 14, "in_use": 2}

    assert sums.items() <= pool(api).items()
    assert sums.items() <= listed(api).items()


def test_a_worker_at_work_says_so_without_a_claim(api: Api) -> None:
    """It gets no run, is seen, and shows what it works on."""
    offer(api)
    runs = claim(api, max=0, capacity=2, in_use=2)
    (worker,) = pool(api)["workers"]

    assert runs == []
    assert (worker["capacity"], worker["in_use"]) == (2, 2)
    assert pool(api)["depth"] == 1


def test_use_is_told_again_after_half_a_minute(api: Api) -> None:
    """No write for each run; another capacity is written at once."""
    claim(api, capacity=2, in_use=0)
    api.world.clock.advance(29.999)
    claim(api, capacity=2, in_use=1)
    before = pool(api)["in_use"]
    api.world.clock.advance(0.001)
    claim(api, capacity=2, in_use=1)
    after = pool(api)["in_use"]
    claim(api, capacity=3, in_use=2)

    assert (before, after) == (0, 1)
    assert (pool(api)["capacity"], pool(api)["in_use"]) == (3, 2)


def test_a_pool_knows_when_it_was_served_after_its_last_worker_has_left(api: Api) -> None:
    """Its workers are forgotten; a job names it, so it is listed."""
    offer(api, schedule={"kind": "cron", "cron": "0 0 1 1 *"})
    claim(api)
    api.world.clock.advance(3600)
    claim(api)
    api.world.clock.advance(86_400 * 3)
    worker = Key(pk=workers_pk(TENANT), sk="reports#worker#host-7")
    api.world.tables.engine.delete_all(JOBS_TABLE, [worker])

    assert pool(api)["workers"] == []
    assert pool(api)["last_seen_at"] == "2026-11-21T08:00:00.000Z"
    assert listed(api)["last_seen_at"] == "2026-11-21T08:00:00.000Z"


def test_runs_reach_their_worker_though_it_cannot_be_remembered(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are leased; the claim that gets none is refused, and asked again."""
    offer(api)

    monkeypatch.setattr(api.world.pools, "greet", Mock(side_effect=Throttled("Busy.")))

    assert len(claim(api)) == 1
    assert api.send("POST", f"{PATH}/claim", {"worker": "host-7"}).status == 503
