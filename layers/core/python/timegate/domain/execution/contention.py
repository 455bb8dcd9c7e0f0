"""Contention: who of those that bid for the slots of a key gets one, and what others do.

The policies of ``overlap`` put into effect on the records of ``slots``; executors and simulations
decide with the same functions.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.admission import Refuse
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import (
    Bid,
    SlotHold,
    SlotRefused,
    Slots,
    SlotWaiter,
    Taken,
    Why,
    in_the_way,
    join,
    look_again_at,
    take,
)
from timegate.domain.limits.wait_queue import Queueing
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Contender:
    """A bid under its own job's policy."""

    bid: Bid
    policy: OverlapPolicy
    #: It waits even where its policy forbids that: a caller asked for it, knowing others at work.
    may_wait: bool = False
    #: A worker held it before, and died.
    has_started: bool = False

    @property
    def waiter(self) -> SlotWaiter:
        """Its place in the line."""
        return SlotWaiter(due_at=self.bid.due_at, attempt=self.bid.hold.attempt)

    @property
    def waits(self) -> bool:
        """Tell if it waits for a slot that it does not get."""
        return self.may_wait or self.policy is not OverlapPolicy.FORBID


@dataclass(frozen=True, kw_only=True, slots=True)
class Duplicate:
    """Another claim of the same attempt has a slot; this one is forgotten."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotWait:
    """It stands in the line."""

    #: It comes back by itself then, unless it is called.
    watch_at: datetime
    #: Holders that are asked to stop for it.
    stops: tuple[SlotHold, ...]


def contend(
    slots: Slots, contenders: Sequence[Contender], *, now: datetime
) -> tuple[Slots, list[Taken | SlotRefused]]:
    """Let them bid in this order; the record after that, and how each fared."""
    outcomes: list[Taken | SlotRefused] = []
    for contender in contenders:
        outcome = take(slots, contender.bid, now=now)
        match outcome:
            case Taken():
                slots = outcome.slots
            case SlotRefused(why=why):
                if contender.waits and why is not Why.HELD:
                    slots = join(slots, contender.waiter)
        outcomes.append(outcome)
    return slots, outcomes


def without_slot(
    contender: Contender, refused: SlotRefused, slots: Slots, *, now: datetime
) -> Duplicate | Refuse | SlotWait:
    """Decide about a run that got no slot; ``slots`` is the record with which it was decided."""
    if refused.why is Why.HELD:
        return Duplicate()
    if not contender.waits:
        # One that had started on a worker that died cannot claim it never ran.
        state = RunState.CANCELLED if contender.has_started else RunState.SKIPPED
        return Refuse(state=state, reason=Reason.OVERLAP)
    limit, waiter = contender.bid.limit, contender.waiter
    replaces = contender.policy is OverlapPolicy.REPLACE
    return SlotWait(
        watch_at=look_again_at(slots, waiter, limit=limit, now=now),
        stops=in_the_way(slots, waiter, now=now) if replaces else (),
    )


def in_line(attempt: Attempt, *, watch_at: datetime, queueing: Queueing | None = None) -> Attempt:
    """An attempt that waits for a slot, and says for whose.

    One that a freeze held back has thawed: it is not to be taken for frozen when a sweeper looks
    at it, which would cost it its place.
    """
    return replace(
        attempt,
        state=RunState.WAITING,
        watch_at=watch_at,
        frozen_since=None,
        lease=None,
        direct=False,
        queueing=queueing,
    )
