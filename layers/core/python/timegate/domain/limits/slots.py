"""Slots: who holds the places of one concurrency key, and who waits for one.

Pure decisions about a key as it was read. A store writes a decision on the condition that the
places it takes are still as they were read, so the store decides each race for a place.
"""

from bisect import bisect_left, insort
from collections.abc import Collection
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import total_ordering
from zlib import crc32

from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import compact
from timegate.value_classes import dataclass

#: One that waits comes back by itself after this, unless it is called; further back in the line
#: after a multiple, up to the longest.
_PATIENCE = timedelta(seconds=60)
_LONGEST_PATIENCE = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotHold:
    """One worker's claim of one attempt: what a slot is held for."""

    attempt: AttemptId
    owner: str
    fence: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """A slot that is taken; it is free again when the lease it goes with has expired."""

    hold: SlotHold
    since: datetime
    expires_at: datetime
    #: Places of a key count from 0. A job takes those below its own limit.
    place: int = field(default=0, compare=False)


@total_ordering
@dataclass(frozen=True, kw_only=True, slots=True)
class SlotWaiter:
    """An attempt in the line, which is ordered by due time."""

    due_at: datetime
    attempt: AttemptId
    #: Its place in the line: texts sort as the line does. Lines are long, and compared often.
    position: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Compute the place once."""
        object.__setattr__(self, "position", f"{compact(self.due_at)}#{self.attempt}")

    def __lt__(self, other: "SlotWaiter") -> bool:
        """Tell if it is before another one."""
        return self.position < other.position


@dataclass(frozen=True, kw_only=True, slots=True)
class Slots:
    """One key as it was read; at most one holder and one waiter per attempt."""

    holders: tuple[Holder, ...] = ()
    #: Earliest first.
    waiters: tuple[SlotWaiter, ...] = ()
    #: More wait behind these, who were not read.
    is_cut: bool = False

    def ahead_of(self, waiter: SlotWaiter) -> tuple[SlotWaiter, ...]:
        """Return the waiters before this one, which need not be in the line."""
        return self.waiters[: bisect_left(self.waiters, waiter)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Bid:
    """A claim that wants a slot, under the limit of its own job."""

    hold: SlotHold
    due_at: datetime
    expires_at: datetime
    limit: int
    #: It was read as queued, so no earlier lease of it can be renewed any more.
    was_queued: bool


class Why(StrEnum):
    """Reasons for which no slot is free."""

    #: All are taken.
    FULL = "full"
    #: Free slots are for earlier ones in the line.
    RESERVED = "reserved"
    #: Another claim of the same attempt has one: this one is a duplicate.
    HELD = "held"


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """The bid has its slot."""

    slots: Slots


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotRefused:
    """The bid has none."""

    why: Why
    #: Those in the line before it.
    ahead: tuple[SlotWaiter, ...] = ()


def take(slots: Slots, bid: Bid, *, now: datetime) -> Taken | SlotRefused:
    """Give a bid a slot, if one is free that no earlier waiter has a right to.

    Taking what is already held by the very same claim changes nothing: an answer was lost.
    """
    alive = prune(slots, now=now).holders
    own = next((h for h in alive if h.hold.attempt == bid.hold.attempt), None)
    if own is not None and own.hold == bid.hold:
        return Taken(slots=slots)
    if own is not None and not (bid.was_queued and own.hold.fence < bid.hold.fence):
        return SlotRefused(why=Why.HELD)
    others = tuple(holder for holder in alive if holder is not own)
    waiter = SlotWaiter(due_at=bid.due_at, attempt=bid.hold.attempt)
    ahead = slots.ahead_of(waiter)
    free = bid.limit - len(others)
    if free <= 0:
        return SlotRefused(why=Why.FULL, ahead=ahead)
    # A run that goes on keeps the slot it has: no run in the line has a right to that.
    if own is None and len(ahead) >= free:
        return SlotRefused(why=Why.RESERVED, ahead=ahead)
    place = (
        own.place
        if own is not None
        else _free_place(others, bid, len(ahead), is_in_line=waiter in slots.waiters)
    )
    holder = Holder(hold=bid.hold, since=now, expires_at=bid.expires_at, place=place)
    taken = replace(slots, holders=(*others, holder))
    return Taken(slots=withdraw(taken, {bid.hold.attempt}))


def _free_place(others: Collection[Holder], bid: Bid, ahead: int, *, is_in_line: bool) -> int:
    """Choose a free place, and leave those in the line before the bid the ones before it.

    Bids with no run before them spread over the free places, for each place has one winner.
    """
    used = {holder.place for holder in others}
    free = [place for place in range(bid.limit) if place not in used]
    free = free[: bid.limit - len(others)]
    is_free_to_choose = not ahead and not is_in_line
    spread = crc32(str(bid.hold.attempt).encode()) % len(free) if is_free_to_choose else ahead
    return free[spread]


def prune(slots: Slots, *, now: datetime) -> Slots:
    """Without the holders whose lease has expired: at its expiry, not a moment before."""
    return replace(slots, holders=tuple(h for h in slots.holders if h.expires_at > now))


def renew(slots: Slots, hold: SlotHold, *, now: datetime, expires_at: datetime) -> Slots | None:
    """Hold a slot for longer; ``None`` when it has expired or was never held."""
    if not any(h.hold == hold and h.expires_at > now for h in slots.holders):
        return None
    renewed = (replace(h, expires_at=expires_at) if h.hold == hold else h for h in slots.holders)
    return replace(slots, holders=tuple(renewed))


def release(slots: Slots, hold: SlotHold) -> Slots:
    """Give a slot back; one that another claim holds stays."""
    return replace(slots, holders=tuple(h for h in slots.holders if h.hold != hold))


def release_up_to(slots: Slots, attempt: AttemptId, *, fence: int) -> Slots:
    """Give back what earlier leases of an attempt have left; that of a later one stays."""
    left = (h for h in slots.holders if h.hold.attempt != attempt or h.hold.fence > fence)
    return replace(slots, holders=tuple(left))


def join(slots: Slots, waiter: SlotWaiter) -> Slots:
    """Stand in the line, by due time."""
    if waiter in slots.waiters:
        return slots
    waiters = list(withdraw(slots, {waiter.attempt}).waiters)
    insort(waiters, waiter)
    return replace(slots, waiters=tuple(waiters))


def withdraw(slots: Slots, attempts: Collection[AttemptId]) -> Slots:
    """Leave the line."""
    return replace(slots, waiters=tuple(w for w in slots.waiters if w.attempt not in attempts))


def free_places(slots: Slots, *, limit: int, now: datetime) -> int:
    """Count the waiters to call: at least one, which knows its own limit."""
    return max(1, limit - len(prune(slots, now=now).holders))


def in_the_way(slots: Slots, waiter: SlotWaiter, *, now: datetime) -> tuple[SlotHold, ...]:
    """Name the oldest holders, as many as must leave for this waiter to have its turn.

    The smaller attempt of holders that began in the same millisecond leaves first: a store keeps no
    order of its own.
    """
    needed = 1 + len(slots.ahead_of(waiter))
    alive = prune(slots, now=now).holders
    oldest = sorted(alive, key=lambda holder: (holder.since, holder.hold.attempt))
    return tuple(holder.hold for holder in oldest[:needed])


def look_again_at(slots: Slots, waiter: SlotWaiter, *, limit: int, now: datetime) -> datetime:
    """Return the instant at which a waiter comes back without a call."""
    ahead = len(slots.ahead_of(waiter))
    periods = _LONGEST_PATIENCE if slots.is_cut else 1 + ahead // max(limit, 1)
    return now + _PATIENCE * min(periods, _LONGEST_PATIENCE)
