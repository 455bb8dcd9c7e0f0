"""``SlotStore``: a record per place and per attempt in the line; each race has one write."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.conftest import NewStores
from tests.support.execution.overlapping import KEY, limited, live_at
from tests.support.factories import NOW, TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from tests.support.world import World, delivery
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots, SlotWaiter, join
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost
from timegate.ports.limits.slots import NO_LINE, Reach
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.limits.overlap_releases import release_slot
from timegate.usecases.services.execution_services import Claimed

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

THE_KEY = SlotKey(tenant=TENANT, name=KEY)
LIMIT = 3
CONTENDERS = 50


def holder(name: str, *, expires: float = 60) -> Holder:
    hold = SlotHold(attempt=attempt_id(job=job_id(name)), owner="worker-1", fence=1)
    return Holder(hold=hold, since=NOW, expires_at=after(expires))


def waiter(name: str, due: float = 0) -> SlotWaiter:
    return SlotWaiter(due_at=after(due), attempt=attempt_id(job=job_id(name)))


def put(stores: Stores, slots: Slots, key: SlotKey = THE_KEY) -> None:
    stores.slots.change(key, lambda _: (slots, None), now=NOW)


def read(stores: Stores, key: SlotKey = THE_KEY) -> Slots:
    return stores.slots.change(key, lambda slots: (slots, slots), now=NOW)


def test_a_record_is_read_as_it_was_written(stores: Stores) -> None:
    """Holders and the line; another key's is another one."""
    slots = Slots(holders=(holder("a"), holder("b")), waiters=(waiter("c"), waiter("d", 1)))
    put(stores, slots)
    found = read(stores)

    assert set(found.holders) == set(slots.holders)
    assert found.waiters == slots.waiters
    assert read(stores, replace(THE_KEY, name="other")) == Slots()


def test_a_record_may_become_empty_and_be_used_again(stores: Stores) -> None:
    """As keys are, time and again."""
    put(stores, Slots(holders=(holder("a"),)))
    put(stores, Slots())
    assert read(stores) == Slots()
    put(stores, Slots(holders=(holder("b"),)))

    assert read(stores) == Slots(holders=(holder("b"),))


def test_a_slot_is_renewed(stores: Stores) -> None:
    """That one only."""
    put(stores, Slots(holders=(holder("a"), holder("b"))))
    stores.slots.renew(THE_KEY, holder("a").hold, now=after(59.999), expires_at=after(90))

    assert set(read(stores).holders) == {holder("a", expires=90), holder("b")}


@pytest.mark.parametrize(
    ("by", "now"),
    [
        pytest.param(holder("a").hold, 60, id="expired"),
        pytest.param(replace(holder("a").hold, owner="worker-2"), 1, id="another worker"),
        pytest.param(replace(holder("a").hold, fence=2), 1, id="another fence"),
        pytest.param(holder("b").hold, 1, id="never held"),
    ],
)
def test_a_lost_slot_is_not_renewed(stores: Stores, by: SlotHold, now: float) -> None:
    """Its place may be another's."""
    put(stores, Slots(holders=(holder("a"),)))
    with pytest.raises(LeaseLost):
        stores.slots.renew(THE_KEY, by, now=after(now), expires_at=after(90))

    assert read(stores) == Slots(holders=(holder("a"),))


def test_a_slot_of_a_key_nobody_used_is_not_renewed(stores: Stores) -> None:
    """And no record comes of it."""
    with pytest.raises(LeaseLost):
        stores.slots.renew(THE_KEY, holder("a").hold, now=NOW, expires_at=after(90))

    assert read(stores) == Slots()


def test_a_take_over_that_a_heartbeat_overtakes_is_decided_again(stores: Stores) -> None:
    """Were it stored as it was, two would hold one place."""
    put(stores, Slots(holders=(holder("a", expires=60),)))
    heard: list[int] = []

    def decide(slots: Slots) -> tuple[Slots, int]:
        if not heard:
            stores.slots.renew(THE_KEY, holder("a").hold, now=after(59), expires_at=after(90))
        heard.append(len(slots.holders))
        taken = slots if slots.holders else Slots(holders=(holder("b", expires=120),))
        return taken, len(slots.holders)

    # Its clock is a second ahead of the heartbeat's.
    assert stores.slots.change(THE_KEY, decide, now=after(60)) == 1
    assert heard == [0, 1]
    assert read(stores) == Slots(holders=(holder("a", expires=90),))


def test_a_slot_is_given_back_by_its_holder_alone(stores: Stores) -> None:
    """Whether or not its process remembers the place."""
    put(stores, Slots(holders=(holder("a"), holder("b"))))
    for other in (replace(holder("a").hold, owner="worker-2"), replace(holder("a").hold, fence=2)):
        stores.slots.release(THE_KEY, other, now=NOW)
    assert len(read(stores).holders) == 2
    stores.slots.release(THE_KEY, holder("a").hold, now=NOW)
    stores.slots.release(THE_KEY, holder("a").hold, now=NOW)

    assert read(stores) == Slots(holders=(holder("b"),))


def test_a_process_finds_slots_that_another_one_took(stores: Stores) -> None:
    """Pools' heartbeats and ends arrive at whatever process."""
    table: str = stores.slots._table  # type: ignore[attr-defined]
    other = DynamoSlotStore(stores.engine, table=table)
    put(stores, Slots(holders=(holder("a"), holder("b"))))
    other.renew(THE_KEY, holder("b").hold, now=NOW, expires_at=after(90))
    other.release(THE_KEY, holder("a").hold, now=NOW)
    with pytest.raises(LeaseLost):
        stores.slots.renew(THE_KEY, holder("a").hold, now=NOW, expires_at=after(90))

    assert read(stores) == Slots(holders=(holder("b", expires=90),))


def test_a_line_is_read_as_far_as_it_matters(stores: Stores) -> None:
    """The earliest of it, or those up to a place; it says when there are more."""
    line = tuple(waiter(f"{n}", n) for n in range(5))
    put(stores, Slots(holders=(holder("a"),), waiters=line))

    def seen(reach: Reach) -> Slots:
        return stores.slots.change(THE_KEY, lambda slots: (slots, slots), now=NOW, reach=reach)

    assert seen(Reach(most=2)).waiters == line[:2]
    assert seen(Reach(most=2)).is_cut
    assert (seen(Reach(most=5)).waiters, seen(Reach(most=5)).is_cut) == (line, False)
    assert seen(Reach(most=5, until=line[2])).waiters == line[:3]
    assert seen(Reach(until=waiter("early", -1))).waiters == ()
    assert seen(NO_LINE) == Slots(holders=(holder("a"),))
    assert stores.slots.look(THE_KEY, now=NOW, most=3).waiters == line[:3]


def test_who_holds_a_slot_is_shown_in_no_line(stores: Stores) -> None:
    """It leaves the line after it took the slot, and a reader may come in between."""
    put(stores, Slots(waiters=(waiter("a"), waiter("b", 1))))
    put(stores, Slots(holders=(holder("a"),), waiters=(waiter("a"), waiter("b", 1))))

    assert read(stores).waiters == (waiter("b", 1),)
    assert stores.slots.look(THE_KEY, now=NOW, most=9).waiters == (waiter("b", 1),)
    assert stores.slots.look(THE_KEY, now=after(60), most=9).waiters == (
        waiter("a"),
        waiter("b", 1),
    )


def test_who_left_a_line_may_join_it_again(stores: Stores) -> None:
    """Leaving twice is leaving once, and who never stood there leaves nothing behind."""
    put(stores, Slots(waiters=(waiter("a"), waiter("b", 1))))
    for _ in range(2):
        stores.slots.withdraw(THE_KEY, [waiter("a"), waiter("never")], now=NOW)
    left = read(stores)
    put(stores, join(left, waiter("a")))

    assert left.waiters == (waiter("b", 1),)
    assert read(stores).waiters == (waiter("a"), waiter("b", 1))


def test_a_line_is_served_for_long_and_takes_early_ones_in(stores: Stores) -> None:
    """However many left: the reader passes them by, and hides nobody who is due before."""
    for n in range(60):
        put(stores, Slots(waiters=(waiter(f"{n}", n),)))
        assert stores.slots.look(THE_KEY, now=NOW, most=1).waiters == (waiter(f"{n}", n),)
    stores.slots.withdraw(THE_KEY, [waiter("59", 59)], now=NOW)
    empty = [stores.slots.look(THE_KEY, now=NOW, most=1) for _ in range(2)]
    put(stores, Slots(waiters=(waiter("early", -1), waiter("late", 99))))

    assert empty == [Slots(), Slots()]
    assert stores.slots.look(THE_KEY, now=NOW, most=1).waiters == (waiter("early", -1),)
    assert read(stores).waiters == (waiter("early", -1), waiter("late", 99))


def test_nobodys_decision_is_lost(stores: Stores) -> None:
    """However many decide at once."""
    names = [f"{n}" for n in range(CONTENDERS)]

    def joining(name: str) -> None:
        def decide(slots: Slots) -> tuple[Slots, None]:
            return join(slots, waiter(name)), None

        stores.slots.change(THE_KEY, decide, now=NOW)

    race(*(partial(joining, name) for name in names))

    assert {each.attempt for each in read(stores).waiters} == {
        waiter(name).attempt for name in names
    }


class Arena(World):
    """Workers on the stores under contract."""

    def __init__(self, stores: Stores) -> None:
        super().__init__()
        self.runs = stores.runs
        self.slots = stores.slots

    def claim(self, attempt: Attempt, owner: str) -> Claimed | None:
        """One worker, one message."""
        held = claim_runs([delivery(RunMessage.of(attempt))], self.execution(owner=owner)).held
        return held[0] if held else None


def due_together(stores: Stores, policy: OverlapPolicy) -> list[Attempt]:
    """As many runs of as many jobs, all on one key."""
    attempts = []
    for number in range(CONTENDERS):
        each, at = job_id(f"{number}"), after(-number / 10)
        stores.add_job(
            job_id=each, overlap=limited(policy, LIMIT), anchored_at=after(-600 - number / 10)
        )
        attempt = attempt_factory(id=attempt_id(job=each, scheduled_at=at), due_at=at)
        attempts.append(stores.add(attempt))
    return attempts


@pytest.mark.parametrize("policy", [OverlapPolicy.FORBID, OverlapPolicy.QUEUE], ids=str)
def test_fifty_claims_at_once_never_exceed_the_limit(stores: Stores, policy: OverlapPolicy) -> None:
    """As many live leases as there are slots; the others are on record as the policy says (J8)."""
    arena, attempts = Arena(stores), due_together(stores, policy)
    held = race(*(partial(arena.claim, a, f"worker-{n}") for n, a in enumerate(attempts)))
    now = [stores.stored(attempt) for attempt in attempts]
    other = RunState.SKIPPED if policy is OverlapPolicy.FORBID else RunState.WAITING

    assert sum(each is not None for each in held) == LIMIT
    assert len(live_at(now, NOW)) == LIMIT
    assert sorted(each.state for each in now) == sorted(
        [RunState.RUNNING] * LIMIT + [other] * (CONTENDERS - LIMIT)
    )


def test_fifty_claims_after_all_holders_died(stores: Stores) -> None:
    """Their slots expire together, and late heartbeats of the dead change nothing."""
    arena, attempts = Arena(stores), due_together(stores, OverlapPolicy.FORBID)
    dead = [arena.claim(attempts.pop(), f"dead-{n}") for n in range(LIMIT)]
    arena.clock.advance(60)

    def late(claimed: Claimed | None) -> None:
        assert claimed is not None
        with pytest.raises(LeaseLost):
            heartbeat(claimed, arena.execution(), now=after(60))

    race(
        *(partial(late, each) for each in dead),
        *(partial(arena.claim, a, f"worker-{n}") for n, a in enumerate(attempts)),
    )
    now = [stores.stored(attempt) for attempt in attempts]

    assert len(live_at(now, after(60))) == LIMIT


def test_claims_and_ends_race_without_a_leak(stores: Stores) -> None:
    """Each holder gives its slot back while others claim: at the end all are free again."""
    arena, attempts = Arena(stores), due_together(stores, OverlapPolicy.QUEUE)
    held: list[Any] = race(*(partial(arena.claim, a, f"w-{n}") for n, a in enumerate(attempts)))
    rounds = 0
    while holders := [each for each in held if each is not None]:
        rounds += 1
        for each in holders:
            done = replace(stores.stored(each.attempt), state=RunState.SUCCEEDED, ended_at=NOW)
            assert stores.runs.finish_all([replace(done, watch_at=None)]) == [True]

        def release(claimed: Claimed) -> None:
            release_slot(claimed.attempt.id, claimed.lease, claimed.job, arena.execution(), now=NOW)

        race(*(partial(release, each) for each in holders))
        called = [a for a in map(stores.stored, attempts) if a.state is RunState.QUEUED]
        held = (
            race(*(partial(arena.claim, a, f"w-{rounds}-{a.id}") for a in called)) if called else []
        )
        assert len(live_at([stores.stored(a) for a in attempts], NOW)) <= LIMIT

    assert {stores.stored(each).state for each in attempts} == {RunState.SUCCEEDED}
    assert read(stores) == Slots()


def test_what_a_policy_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """Two readings and a write to take a slot, one write a heartbeat; nothing for others."""
    stores = new_dynamo_stores()
    arena = Arena(stores)
    plain, policed = job_id("plain"), job_id("policed")
    stores.add_job(job_id=plain)
    stores.add_job(job_id=policed, overlap=limited(OverlapPolicy.FORBID))
    costs = []
    for each in (plain, policed):
        attempt = stores.add(attempt_factory(id=attempt_id(job=each)))
        with recorded(dynamodb) as calls:
            claimed = arena.claim(attempt, "worker")
            assert claimed is not None
            heartbeat(claimed, arena.execution(owner="worker"), now=after(1))
        costs.append(calls)

    assert costs[0] == {"BatchGetItem": 1, "BatchExecuteStatement": 1, "UpdateItem": 1}
    assert costs[1] - costs[0] == {"Query": 2, "UpdateItem": 2}
