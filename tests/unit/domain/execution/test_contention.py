"""Contention: what becomes of bids, by the policy of each."""

from datetime import timedelta

import pytest

from tests.support.factories import NOW, after, attempt_id, job_id
from timegate.domain.execution.admission import Refuse
from timegate.domain.execution.contention import (
    Contender,
    Duplicate,
    SlotWait,
    contend,
    without_slot,
)
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import Bid, SlotHold, SlotRefused, Slots, Taken, Why
from timegate.domain.runs.run import Reason, RunState

FORBID, QUEUE, REPLACE = OverlapPolicy.FORBID, OverlapPolicy.QUEUE, OverlapPolicy.REPLACE


def contender(
    name: str,
    policy: OverlapPolicy,
    *,
    due: float = 0,
    fence: int = 1,
    limit: int = 1,
    **more: bool,
) -> Contender:
    """A bid of the job of that name."""
    bid = Bid(
        hold=SlotHold(attempt=attempt_id(job=job_id(name)), owner="worker-1", fence=fence),
        due_at=after(due),
        expires_at=after(60),
        limit=limit,
        was_queued=True,
    )
    return Contender(bid=bid, policy=policy, **more)


def held(*names: str) -> Slots:
    """Slots of those jobs, taken one second after the other."""
    slots = Slots()
    for number, name in enumerate(names):
        one = contender(name, FORBID, limit=len(names))
        slots, _ = contend(slots, [one], now=NOW - timedelta(seconds=len(names) - number))
    return slots


def test_those_that_come_together_bid_one_after_the_other() -> None:
    """The first takes the slot; of the others those wait that may."""
    first, second, third = contender("a", QUEUE), contender("b", QUEUE), contender("c", FORBID)
    slots, outcomes = contend(Slots(), [first, second, third], now=NOW)

    assert [type(outcome) for outcome in outcomes] == [Taken, SlotRefused, SlotRefused]
    assert [holder.hold for holder in slots.holders] == [first.bid.hold]
    assert list(slots.waiters) == [second.waiter]


@pytest.mark.parametrize(
    ("more", "state"),
    [
        pytest.param({}, RunState.SKIPPED, id="never-started"),
        pytest.param({"has_started": True}, RunState.CANCELLED, id="started-on-a-dead-worker"),
    ],
)
def test_forbid_does_not_wait(more: dict[str, bool], state: RunState) -> None:
    """A run that had started cannot end as one that never ran."""
    late = contender("b", FORBID, **more)
    slots, (refused,) = contend(held("a"), [late], now=NOW)

    assert isinstance(refused, SlotRefused)
    assert slots.waiters == ()
    assert without_slot(late, refused, slots, now=NOW) == Refuse(state=state, reason=Reason.OVERLAP)


def test_what_was_asked_for_waits_although_its_job_forbids_it() -> None:
    """The caller knew that others may be at work."""
    asked = contender("b", FORBID, may_wait=True)
    slots, (refused,) = contend(held("a"), [asked], now=NOW)

    assert isinstance(refused, SlotRefused)
    assert list(slots.waiters) == [asked.waiter]
    assert without_slot(asked, refused, slots, now=NOW) == SlotWait(watch_at=after(60), stops=())


def test_queue_waits_and_stops_no_holder() -> None:
    """It comes back by itself the later, the more stand before it."""
    early, late = contender("b", QUEUE, due=-1), contender("c", QUEUE)
    slots, outcomes = contend(held("a"), [early, late], now=NOW)
    waits = [
        without_slot(each, outcome, slots, now=NOW)
        for each, outcome in zip([early, late], outcomes, strict=True)
        if isinstance(outcome, SlotRefused)
    ]

    assert waits == [
        SlotWait(watch_at=after(60), stops=()),
        SlotWait(watch_at=after(120), stops=()),
    ]


def test_replace_stops_the_oldest_for_each_that_waits() -> None:
    """Each waiting run stops one holder: the first the oldest, the second the next."""
    early, late = contender("c", REPLACE, due=-1, limit=2), contender("d", REPLACE, limit=2)
    slots, outcomes = contend(held("a", "b"), [early, late], now=NOW)
    stops = [
        [hold.attempt for hold in decision.stops]
        for each, outcome in zip([early, late], outcomes, strict=True)
        if isinstance(outcome, SlotRefused)
        and isinstance(decision := without_slot(each, outcome, slots, now=NOW), SlotWait)
    ]
    oldest, newest = attempt_id(job=job_id("a")), attempt_id(job=job_id("b"))

    assert stops == [[oldest], [oldest, newest]]


@pytest.mark.parametrize("policy", [FORBID, QUEUE, REPLACE])
def test_another_claim_of_the_same_attempt_is_a_duplicate(policy: OverlapPolicy) -> None:
    """It neither waits nor ends."""
    again = contender("a", policy)
    other = Contender(
        bid=Bid(
            hold=SlotHold(attempt=again.bid.hold.attempt, owner="worker-2", fence=1),
            due_at=NOW,
            expires_at=after(60),
            limit=1,
            was_queued=True,
        ),
        policy=policy,
    )
    slots, (refused,) = contend(held("a"), [other], now=NOW)

    assert isinstance(refused, SlotRefused)
    assert (refused.why, slots) == (Why.HELD, held("a"))
    assert without_slot(other, refused, slots, now=NOW) == Duplicate()
