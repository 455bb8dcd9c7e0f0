"""``SlotStore``: the line of a key, a record for each attempt in it."""

from functools import partial

import pytest

from tests.contract.limits.keyed_slots import CONTENDERS, THE_KEY, holder, put, read, waiter
from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores, race
from tests.support.world import World
from timegate.adapters.dynamo.limits.slot_items import MANY_LEFT, line_key
from timegate.adapters.dynamo.tables.writes import Update, Write, WriteResult
from timegate.domain.limits.slots import Slots, join
from timegate.ports.limits.slots import NO_LINE, Reach


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
    """However many left: the reader passes them by, and hides no waiter that is due before."""
    for n in range(60):
        put(stores, Slots(waiters=(waiter(f"{n}", n),)))
        assert stores.slots.look(THE_KEY, now=NOW, most=1).waiters == (waiter(f"{n}", n),)
    stores.slots.withdraw(THE_KEY, [waiter("59", 59)], now=NOW)
    empty = [stores.slots.look(THE_KEY, now=NOW, most=1) for _ in range(2)]
    put(stores, Slots(waiters=(waiter("early", -1), waiter("late", 99))))

    assert empty == [Slots(), Slots()]
    assert stores.slots.look(THE_KEY, now=NOW, most=1).waiters == (waiter("early", -1),)
    assert read(stores).waiters == (waiter("early", -1), waiter("late", 99))


def test_no_decision_is_lost(stores: Stores) -> None:
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


def test_a_line_whose_beginning_met_itself_hides_no_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An attempt may join while the beginning is written, and AWS's client may write it twice."""
    world, early = World(), waiter("early", -1)
    line = [waiter(f"{n}", n) for n in range(MANY_LEFT + 1)]
    world.slots.change(THE_KEY, lambda slots: (Slots(waiters=tuple(line)), slots), now=NOW)
    world.slots.withdraw(THE_KEY, line[:-1], now=NOW)
    write = world.tables.engine.write

    def joined_meanwhile(wanted: Write) -> WriteResult:
        if not (isinstance(wanted, Update) and wanted.key == line_key(THE_KEY)):
            return write(wanted)
        monkeypatch.undo()
        world.slots.change(
            THE_KEY, lambda slots: (join(slots, early), None), now=NOW, reach=NO_LINE
        )
        write(wanted)
        return write(wanted)

    monkeypatch.setattr(world.tables.engine, "write", joined_meanwhile)
    world.slots.look(THE_KEY, now=NOW, most=1)

    assert world.slots.look(THE_KEY, now=NOW, most=1).waiters == (early,)
