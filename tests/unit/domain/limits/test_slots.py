"""Slots: who gets one, who waits, and in which order."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import NOW, after
from tests.unit.domain.limits.contending import bid, hold, holder, named, waiter
from timegate.domain.limits.overlap import Overlap, check_overlap
from timegate.domain.limits.slots import (
    Holder,
    SlotHold,
    SlotRefused,
    Slots,
    Taken,
    Why,
    free_places,
    in_the_way,
    join,
    look_again_at,
    release,
    renew,
    take,
    withdraw,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AttemptId


def taken_by(outcome: Taken | SlotRefused) -> set[AttemptId]:
    assert isinstance(outcome, Taken)
    return {each.hold.attempt for each in outcome.slots.holders}


@pytest.mark.parametrize(
    ("expires", "why"),
    [
        pytest.param(0.001, Why.FULL, id="a millisecond left"),
        pytest.param(0, None, id="at its expiry"),
        pytest.param(-1, None, id="after it"),
    ],
)
def test_a_slot_is_free_from_its_expiry_on(expires: float, why: Why | None) -> None:
    """Not a moment before."""
    outcome = take(Slots(holders=(holder("a", expires=expires),)), bid("b"), now=NOW)

    assert why == (outcome.why if isinstance(outcome, SlotRefused) else None)


def test_as_many_hold_as_the_bidders_limit() -> None:
    """The limit of the claiming job decides, not that of the holders' jobs."""
    slots = Slots(holders=(holder("a"), holder("b")))

    assert take(slots, bid("c", limit=2), now=NOW) == SlotRefused(why=Why.FULL)
    assert taken_by(take(slots, bid("c", limit=3), now=NOW)) == {*map(named, "abc")}


def test_an_earlier_waiter_has_the_free_slot() -> None:
    """A later one gets what is left over; the same instant is decided by the id."""
    slots = Slots(waiters=(waiter("early", -5),))

    assert take(slots, bid("late"), now=NOW) == SlotRefused(why=Why.RESERVED, ahead=slots.waiters)
    assert taken_by(take(slots, bid("late", limit=2), now=NOW)) == {named("late")}
    assert taken_by(take(slots, bid("earlier", due=-6), now=NOW)) == {named("earlier")}


def test_who_takes_a_slot_leaves_the_line() -> None:
    """And holds it since then, as long as its lease lives."""
    outcome = take(Slots(waiters=(waiter("a"), waiter("b", 1))), bid("a"), now=NOW)

    assert isinstance(outcome, Taken)
    assert outcome.slots == Slots(
        holders=(Holder(hold=hold("a"), since=NOW, expires_at=after(60)),),
        waiters=(waiter("b", 1),),
    )


def test_taking_twice_is_taking_once() -> None:
    """The answer to the first was lost."""
    slots = Slots(holders=(holder("a"),))

    assert take(slots, bid("a"), now=NOW) == Taken(slots=slots)


def test_another_claim_of_the_same_attempt_is_a_duplicate() -> None:
    """Free slots do not change the answer."""
    slots = Slots(holders=(holder("a"),))

    assert take(slots, bid("a", owner="worker-2", limit=9), now=NOW) == SlotRefused(why=Why.HELD)


def test_a_rescued_attempt_takes_over_its_own_slot() -> None:
    """It was queued again, so its dead worker can renew nothing any more."""
    slots = Slots(holders=(holder("a", fence=1),))
    outcome = take(slots, bid("a", owner="worker-2", fence=2), now=NOW)

    assert isinstance(outcome, Taken)
    assert [each.hold for each in outcome.slots.holders] == [hold("a", owner="worker-2", fence=2)]


def test_one_that_was_read_as_running_does_not() -> None:
    """Its worker may be slow instead of dead, and about to extend its lease."""
    later = replace(bid("a", owner="worker-2", fence=2), was_queued=False)

    assert take(Slots(holders=(holder("a", fence=1),)), later, now=NOW) == SlotRefused(why=Why.HELD)


@pytest.mark.parametrize(
    ("by", "now", "renewed"),
    [
        pytest.param(hold("a"), NOW, True, id="its holder"),
        pytest.param(hold("a"), after(60), False, id="expired"),
        pytest.param(hold("a", owner="worker-2"), NOW, False, id="another worker"),
        pytest.param(hold("a", fence=2), NOW, False, id="another fence"),
        pytest.param(hold("b"), NOW, False, id="another attempt"),
    ],
)
def test_a_live_slot_is_renewed_by_its_holder(
    by: SlotHold, now: datetime, *, renewed: bool
) -> None:
    """An expired slot may belong to another attempt, so it is not renewed."""
    slots = renew(Slots(holders=(holder("a"),)), by, now=now, expires_at=after(90))
    expected = Slots(holders=(holder("a", expires=90),)) if renewed else None

    assert expected == slots


def test_a_slot_is_released_by_its_holder() -> None:
    """A worker that was replaced gives back nothing of its successor's."""
    slots = Slots(holders=(holder("a"),))

    assert release(slots, hold("a", owner="worker-2")) == slots
    assert release(slots, hold("a")) == Slots()


def test_the_line_is_ordered_by_due_time() -> None:
    """At any order of joining; joining twice is joining once."""
    slots = Slots()
    for name, at in [("c", 3), ("a", 1), ("b", 2), ("a", 1)]:
        slots = join(slots, waiter(name, at))

    assert slots.waiters == (waiter("a", 1), waiter("b", 2), waiter("c", 3))
    assert withdraw(slots, {named("b")}).waiters == (waiter("a", 1), waiter("c", 3))


def test_a_line_has_no_end() -> None:
    """It is kept one record for each, so the earliest of thousands stand there like the others."""
    slots = Slots(waiters=tuple(waiter(f"{n}", n) for n in range(1_500)))

    assert join(slots, waiter("late", 1_500)).waiters == (*slots.waiters, waiter("late", 1_500))
    assert join(slots, waiter("early", -1)).waiters == (waiter("early", -1), *slots.waiters)


def test_holders_in_the_way_are_the_oldest_first() -> None:
    """One for the waiter and one for each before it; the dead are in no waiter's way."""
    slots = Slots(
        holders=(
            holder("young", since=-1),
            holder("old", since=-9),
            holder("dead", since=-99, expires=0),
        ),
        waiters=(waiter("first", 1), waiter("second", 2)),
    )

    assert in_the_way(slots, waiter("first", 1), now=NOW) == (hold("old"),)
    assert in_the_way(slots, waiter("second", 2), now=NOW) == (hold("old"), hold("young"))


def test_holders_of_the_same_millisecond_leave_in_one_order_however_they_are_stored() -> None:
    """The smaller attempt leaves first: a map of a store is in no order."""
    one, other = sorted([hold("a"), hold("b")], key=lambda each: each.attempt)
    both = [Holder(hold=each, since=NOW, expires_at=after(60)) for each in (one, other)]

    for stored in (both, both[::-1]):
        slots = Slots(holders=tuple(stored))

        assert in_the_way(slots, waiter("me", 1), now=NOW) == (one,)


@pytest.mark.parametrize(("limit", "places"), [(1, 1), (2, 1), (5, 3)], ids=str)
def test_a_waiter_is_always_called(limit: int, places: int) -> None:
    """Limits differ between the jobs of a key: the first in the line knows its own."""
    slots = Slots(holders=(holder("a"), holder("b"), holder("dead", expires=0)))

    assert places == free_places(slots, limit=limit, now=NOW)


@pytest.mark.parametrize(("ahead", "seconds"), [(0, 60), (1, 60), (2, 120), (500, 600)], ids=str)
def test_those_far_back_look_seldom(ahead: int, seconds: int) -> None:
    """A long line costs the sweeper little; the first of it comes back within a minute."""
    slots = Slots(waiters=tuple(waiter(f"{n}", n) for n in range(ahead)))

    assert look_again_at(slots, waiter("me", 1000), limit=2, now=NOW) == after(seconds)


def test_who_stands_behind_what_was_read_looks_most_seldom() -> None:
    """A line is read as far as it decides; no claim counts the rest."""
    slots = Slots(waiters=(waiter("first"),), is_cut=True)

    assert look_again_at(slots, waiter("me", 1000), limit=2, now=NOW) == after(600)


@pytest.mark.parametrize(
    ("overlap", "field"),
    [
        pytest.param(Overlap(max_concurrent=0), "overlap.max_concurrent", id="none"),
        pytest.param(Overlap(max_concurrent=1001), "overlap.max_concurrent", id="too many"),
        pytest.param(Overlap(concurrency_key=""), "overlap.concurrency_key", id="empty"),
        pytest.param(Overlap(concurrency_key="a b"), "overlap.concurrency_key", id="space"),
        pytest.param(Overlap(concurrency_key="x" * 129), "overlap.concurrency_key", id="long"),
    ],
)
def test_an_impossible_limit_is_refused(overlap: Overlap, field: str) -> None:
    """With the field's name."""
    with pytest.raises(InvalidInput) as caught:
        check_overlap(overlap)

    assert field == caught.value.field


@pytest.mark.parametrize("limit", [1, 1000], ids=str)
def test_the_limits_themselves_are_accepted(limit: int) -> None:
    """Both ends."""
    check_overlap(Overlap(max_concurrent=limit, concurrency_key="x" * 128))
