"""Slots, in memory."""

from collections.abc import Callable
from datetime import datetime
from threading import RLock

from timegate.adapters.memory.tables import in_milliseconds
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Hold, Slots, renew
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.instants import to_milliseconds
from timegate.ports.slots import Outcome


class MemorySlotStore:
    """The twin of ``DynamoSlotStore``."""

    def __init__(self) -> None:
        self._lock = RLock()
        self.slots: dict[SlotKey, Slots] = {}

    def change(
        self, key: SlotKey, decide: Callable[[Slots], tuple[Slots, Outcome]], *, now: datetime
    ) -> Outcome:
        """Store what is decided about the record as it is."""
        del now
        with self._lock:
            before = self.slots.get(key, Slots())
            after, outcome = decide(before)
            if after != before:
                self.slots[key] = _stored(after)
            return outcome

    def renew(self, key: SlotKey, hold: Hold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer; raises ``LeaseLost`` when it has expired."""
        with self._lock:
            slots = self.slots.get(key, Slots())
            renewed = renew(slots, hold, now=to_milliseconds(now), expires_at=expires_at)
            if renewed is None:
                raise LeaseLost(str(hold.attempt))
            self.slots[key] = _stored(renewed)


def _stored(slots: Slots) -> Slots:
    return Slots(
        holders=tuple(map(in_milliseconds, slots.holders)),
        waiters=tuple(map(in_milliseconds, slots.waiters)),
    )
