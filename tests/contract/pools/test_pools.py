"""Both kinds of store offer a pool's runs."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    lease_factory,
)
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.pools import pool_store
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.demands import Priority
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.pools import SEEN_WITHIN, Offered, Served, Shelf, WorkerSeen
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef

OFFER = Offer(pool="reports", handler="sales")
SHELF = Shelf(tenant=TENANT, pool="reports", priority=Priority.NORMAL)


def offered_run(
    stores: Stores,
    seconds: float = 0,
    **fields: Any,  # noqa: ANN401 - as the factory takes them
) -> Attempt:
    """A run that is offered from so many seconds after ``NOW`` on."""
    due_at = after(seconds)
    defaults: dict[str, Any] = {"offer": OFFER, "id": attempt_id(scheduled_at=due_at)}
    return stores.add(attempt_factory(due_at=due_at, **(defaults | fields)))


def seen(stores: Stores, *, until: datetime = NOW, handlers: tuple[str, ...] = ()) -> list[Offered]:
    """Return the runs that the shelf shows."""
    return stores.pools.offered(SHELF, until=until, limit=50, handlers=handlers)


def shown(attempt: Attempt, at: datetime) -> Offered:
    """A run on the shelf."""
    return Offered(ref=AttemptRef(tenant=attempt.tenant, id=attempt.id), at=at)


def claimed(stores: Stores, read: Attempt, *, fence: int = 1) -> Attempt:
    """The attempt, leased for a minute."""
    lease = lease_factory(fence=fence)
    keyed = replace(read, lease_key="k")
    assert stores.runs.claim_all([LeaseClaim(attempt=keyed, job_version=1, lease=lease)]) == [True]
    return stores.stored(read)


def test_runs_are_shown_from_their_due_instant_on(stores: Stores) -> None:
    """Soonest first, not a millisecond early, wherever their lanes are."""
    runs = [offered_run(stores, seconds) for seconds in (2, 0, 1, 3)]
    expected = [shown(runs[1], NOW), shown(runs[2], after(1)), shown(runs[0], after(2))]

    assert seen(stores, until=after(2.999)) == expected
    assert len(seen(stores, until=after(3))) == 4


@pytest.mark.parametrize(
    "fields",
    [
        {"offer": None},
        {"offer": replace(OFFER, pool="other")},
        {"tenant": OTHER_TENANT},
        {"priority": Priority.HIGH},
        {"state": RunState.WAITING},
    ],
    ids=["no offer", "another pool", "another tenant", "another priority", "not to be had yet"],
)
def test_a_shelf_shows_its_own_alone(stores: Stores, fields: dict[str, Any]) -> None:
    """Nothing of another tenant, pool or priority."""
    offered_run(stores, **fields)

    assert seen(stores) == []


def test_a_claimed_run_is_shown_when_its_lease_has_expired(stores: Stores) -> None:
    """And a heartbeat moves that."""
    run = claimed(stores, offered_run(stores))

    assert seen(stores, until=after(59.999)) == []
    assert seen(stores, until=after(60)) == [shown(run, after(60))]

    stores.runs.extend(run, expires_at=after(90))

    assert seen(stores, until=after(89)) == []
    assert seen(stores, until=after(90)) == [shown(run, after(90))]


def test_a_run_that_rests_in_a_freeze_is_shown_when_it_is_looked_at(stores: Stores) -> None:
    """Its lease expired at 60 s and the next look is far away; a heartbeat shows it by its lease.

    Up to five seconds after the lease's end are the sweeper's own slack, and no rest.
    """
    run = claimed(stores, offered_run(stores))
    slack = replace(run, watch_at=after(65))
    resting = replace(run, watch_at=after(660))

    assert stores.runs.replace(run, slack)
    assert seen(stores, until=after(60)) == [shown(run, after(60))]
    assert stores.runs.replace(slack, resting)
    assert seen(stores, until=after(659.999)) == []
    assert seen(stores, until=after(660)) == [shown(run, after(660))]

    stores.runs.extend(resting, expires_at=after(180), watch_at=after(185))

    assert seen(stores, until=after(179.999)) == []
    assert seen(stores, until=after(180)) == [shown(run, after(180))]


def test_a_run_that_has_ended_is_shown_no_more(stores: Stores) -> None:
    """The end's state does not matter."""
    run = claimed(stores, offered_run(stores))
    ended = replace(end(run, RunState.SUCCEEDED, now=after(1)), started_at=NOW)

    assert stores.runs.finish_all([ended]) == [True]
    assert seen(stores, until=after(3600)) == []


@pytest.mark.parametrize(
    ("state", "again"), [(RunState.QUEUED, True), (RunState.WAITING, False)], ids=str
)
def test_a_run_that_was_handed_back_is_shown_as_it_was(
    stores: Stores, state: RunState, *, again: bool
) -> None:
    """By its due instant, at once; unless it is to wait."""
    run = claimed(stores, offered_run(stores))

    assert stores.runs.release(run, state=state, watch_at=after(95))
    assert seen(stores) == ([shown(run, NOW)] if again else [])


def test_the_key_of_a_lease_stays_with_the_attempt(stores: Stores) -> None:
    """Tokens of earlier leases can still be told from forged ones."""
    first = claimed(stores, offered_run(stores))
    stores.runs.release(first, state=RunState.QUEUED, watch_at=after(95))
    second = claimed(stores, stores.stored(first), fence=2)

    assert (first.lease_key, second.lease_key) == ("k", "k")


def test_certain_handlers_are_found_behind_others(stores: Stores) -> None:
    """However many stand before them."""
    for seconds in range(30):
        offered_run(stores, seconds)
    wanted = offered_run(stores, 30, offer=replace(OFFER, handler="other"))
    found = seen(stores, until=after(60), handlers=("other", "third"))

    assert found == [shown(wanted, after(30))]


def test_the_depth_is_what_may_be_claimed_now(stores: Stores) -> None:
    """Not what is held, and not what is due later."""
    runs = [offered_run(stores, seconds) for seconds in (0, -1, -2, 5)]
    claimed(stores, runs[0])
    depth = stores.pools.depth(SHELF, now=NOW)

    assert (depth.count, depth.is_partial) == (2, False)


def test_an_unreadable_run_is_put_out_of_the_way(stores: Stores) -> None:
    """Until then; its record says besides that this write publishes nothing."""
    run = offered_run(stores)
    stores.pools.put_off(TENANT, shown(run, NOW), until=after(600))
    (put_off,) = stores.runs.attempts(TENANT, run.id.run)

    assert seen(stores, until=after(599)) == []
    assert seen(stores, until=after(600)) == [shown(run, after(600))]
    assert put_off == replace(run, direct=True)


def test_workers_are_remembered_for_a_while(stores: Stores) -> None:
    """By name, each with what it said last."""
    for name, at, in_use in (("b", 0, 1), ("a", 100, 2), ("b", 200, None)):
        stores.pools.greet(
            TENANT,
            "reports",
            WorkerSeen(
                worker=name, seen_at=after(at), handlers=("sales",), capacity=in_use, in_use=in_use
            ),
        )
    found = stores.pools.served(TENANT, "reports", since=after(100), now=NOW).workers
    (last,) = stores.pools.served(TENANT, "reports", since=after(101), now=NOW).workers

    assert [(each.worker, each.seen_at) for each in found] == [("a", after(100)), ("b", after(200))]
    assert (found[0].handlers, found[0].capacity, found[0].in_use) == (("sales",), 2, 2)
    assert (last.capacity, last.in_use) == (None, None)
    for tenant, pool in ((TENANT, "other"), (OTHER_TENANT, "reports")):
        assert stores.pools.served(tenant, pool, since=NOW, now=NOW) == Served(
            workers=[], last_seen_at=None
        )


def test_a_pool_was_served_when_a_worker_asked_last(stores: Stores) -> None:
    """Also when that worker is looked at no more; another pool whose name begins so is another."""
    seen = WorkerSeen(worker="w", seen_at=NOW, handlers=())
    for pool, at in (("reports", NOW), ("reports", after(40)), ("reports-old", after(90))):
        stores.pools.greet(TENANT, pool, replace(seen, seen_at=at))
    served = stores.pools.served(TENANT, "reports", since=after(1000), now=NOW)

    assert served == Served(workers=[], last_seen_at=after(40))
    assert stores.pools.workers_of_tenant(TENANT, now=NOW).last_seen == {
        "reports": after(40),
        "reports-old": after(90),
    }


def test_workers_of_all_pools_are_found_by_pool(stores: Stores) -> None:
    """Each under its own pool's name, also where one name begins as another; no other tenant's."""
    for pool, worker in (("reports", "a"), ("reports", "b"), ("reports-old", "c")):
        stores.pools.greet(TENANT, pool, WorkerSeen(worker=worker, seen_at=NOW, handlers=()))
    found = stores.pools.workers_of_tenant(TENANT, now=NOW)

    assert {pool: [each.worker for each in seen] for pool, seen in found.by_pool.items()} == {
        "reports": ["a", "b"],
        "reports-old": ["c"],
    }
    assert not found.is_partial
    served = stores.pools.served(TENANT, "reports", since=NOW, now=NOW)
    assert [each.worker for each in served.workers] == ["a", "b"]
    assert stores.pools.workers_of_tenant(OTHER_TENANT, now=NOW).by_pool == {}


@pytest.mark.parametrize(("days", "expected"), [(0.999, ["a", "b"]), (1, ["b"])])
def test_a_worker_that_is_forgotten_is_none_of_its_pool(
    stores: Stores, days: float, expected: list[str]
) -> None:
    """After a day, though DynamoDB deletes its record later; another worker stays."""
    now = NOW + timedelta(days=days)
    for worker, at in (("a", NOW), ("b", now)):
        stores.pools.greet(TENANT, "reports", WorkerSeen(worker=worker, seen_at=at, handlers=()))
    found = stores.pools.workers_of_tenant(TENANT, now=now)
    served = stores.pools.served(TENANT, "reports", since=NOW, now=now)

    assert [each.worker for each in found.by_pool["reports"]] == expected
    assert [each.worker for each in served.workers] == expected


def test_a_worker_is_found_behind_names_that_ask_no_more(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fleet whose workers have new names leaves thousands in a day; another pool is found too."""
    monkeypatch.setattr(pool_store, "_MAX_NAMES", 3)
    monkeypatch.setattr(pool_store, "_MAX_WORKERS_OF_TENANT", 3)
    now = NOW + timedelta(hours=3)
    for pool, worker, at in (
        *(("reports", f"old {number}", NOW) for number in range(5)),
        ("reports", "young", now),
        ("sales", "left", now - timedelta(hours=2)),
        ("upkeep", "young", now),
    ):
        stores.pools.greet(TENANT, pool, WorkerSeen(worker=worker, seen_at=at, handlers=()))
    served = stores.pools.served(TENANT, "reports", since=now - SEEN_WITHIN, now=now)
    found = stores.pools.workers_of_tenant(TENANT, now=now)
    lately = {
        pool: [each.worker for each in seen if each.seen_at >= now - SEEN_WITHIN]
        for pool, seen in found.by_pool.items()
    }

    assert ([each.worker for each in served.workers], served.last_seen_at) == (["young"], now)
    assert lately == {"reports": ["young"], "sales": [], "upkeep": ["young"]}
    assert not found.is_partial


@pytest.mark.parametrize(("days", "is_known"), [(89.999, True), (90, False)])
def test_a_pool_that_no_worker_serves_is_forgotten(
    stores: Stores, days: float, *, is_known: bool
) -> None:
    """After 90 days."""
    stores.pools.greet(TENANT, "reports", WorkerSeen(worker="a", seen_at=NOW, handlers=()))
    now = NOW + timedelta(days=days)
    served = stores.pools.served(TENANT, "reports", since=now, now=now)

    assert served.last_seen_at == (NOW if is_known else None)
