"""Places of a key: the one that a bid takes."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW
from tests.unit.domain.limits.contending import bid, holder, waiter
from timegate.domain.limits.slots import (
    SlotRefused,
    Slots,
    Taken,
    Why,
    take,
)


@pytest.mark.parametrize(
    ("ahead", "place"),
    [
        pytest.param(0, 1, id="first"),
        pytest.param(1, 3, id="second"),
        pytest.param(2, 4, id="third"),
    ],
)
def test_who_was_in_the_line_leaves_the_places_before_its_own(ahead: int, place: int) -> None:
    """Each has a free place of its own, so that none of them meets another one there."""
    line = tuple(waiter(name, n) for n, name in enumerate("xyz"))
    taken = tuple(replace(holder(name), place=n) for name, n in [("a", 0), ("b", 2)])
    outcome = take(
        Slots(holders=taken, waiters=line), bid("xyz"[ahead], due=ahead, limit=5), now=NOW
    )

    assert isinstance(outcome, Taken)
    assert outcome.slots.holders[-1].place == place


def test_bids_that_meet_no_other_spread_over_the_free_places() -> None:
    """The store decides each place by itself; the same bid of any worker wants the same one."""
    places = {
        name: outcome.slots.holders[-1].place
        for name in map(str, range(200))
        for outcome in [take(Slots(), bid(name, limit=8), now=NOW)]
        if isinstance(outcome, Taken)
    }

    assert set(places.values()) == set(range(8))
    again = take(Slots(), bid("7", limit=8, owner="worker-2"), now=NOW)
    assert isinstance(again, Taken)
    assert again.slots.holders[-1].place == places["7"]


@pytest.mark.parametrize("above", [2, 3], ids=str)
def test_a_smaller_limit_counts_places_that_it_does_not_use(above: int) -> None:
    """Jobs of a key have limits of their own: what is held above one is held all the same."""
    held = tuple(replace(holder(f"{n}"), place=10 + n) for n in range(above))
    outcome = take(Slots(holders=held), bid("me", limit=3), now=NOW)

    if above == 2:
        assert isinstance(outcome, Taken)
        assert outcome.slots.holders[-1].place == 0
    else:
        assert outcome == SlotRefused(why=Why.FULL)


def test_who_takes_over_its_own_slot_keeps_the_place() -> None:
    """One attempt never has two."""
    held = replace(holder("a", fence=1), place=2)
    outcome = take(Slots(holders=(held,)), bid("a", fence=2, limit=3), now=NOW)

    assert isinstance(outcome, Taken)
    assert [each.place for each in outcome.slots.holders] == [2]
