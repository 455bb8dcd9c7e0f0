"""``SlotStore``: a record per place and per attempt in the line; each race has one write."""

from dataclasses import replace

import pytest

from tests.contract.limits.keyed_slots import THE_KEY, holder, put, read, waiter
from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.domain.limits.slots import SlotHold, Slots
from timegate.domain.values.errors import LeaseLost


def test_a_record_is_read_as_it_was_written(stores: Stores) -> None:
    """Holders and the line; another key's is another one."""
    slots = Slots(holders=(holder("a"), holder("b")), waiters=(waiter("c"), waiter("d", 1)))
    put(stores, slots)
    found = read(stores)

    assert set(found.holders) == set(slots.holders)
    assert found.waiters == slots.waiters
    assert read(stores, replace(THE_KEY, name="other")) == Slots()


def test_a_record_may_become_empty_and_be_used_again(stores: Stores) -> None:
    """A key empties and fills again and again."""
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


def test_a_slot_of_an_unused_key_is_not_renewed(stores: Stores) -> None:
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
    """The holder may remember its place or not."""
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
