"""The slots of concurrency keys, as the use cases see them."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import SlotHold, Slots, SlotWaiter
from timegate.value_classes import dataclass

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reach:
    """The part of a line that is read: the earliest, and none behind a place."""

    most: int | None = None
    #: So many more are read as these slots have free ones.
    slots: int = 0
    until: SlotWaiter | None = None

    def beside(self, held: int) -> "Reach":
        """Return the reach where so many slots are held."""
        if self.most is None:
            return self
        return replace(self, most=self.most + max(self.slots - held, 0), slots=0)

    def is_full(self, held: int) -> bool:
        """Tell if no slot is free, and so no place in the line gives a right to one."""
        return 0 < self.slots <= held


WHOLE_LINE = Reach()
NO_LINE = Reach(most=0)


class SlotStore(Protocol):
    """A record per slot of a key and per attempt in its line; an unused key has none.

    It shows live holders alone, and in the line no attempt that holds a slot.
    """

    def change(
        self,
        key: SlotKey,
        decide: Callable[[Slots], tuple[Slots, Outcome]],
        *,
        now: datetime,
        reach: Reach = WHOLE_LINE,
    ) -> Outcome:
        """Store what is decided about the key as it is; returns what came of it.

        ``decide`` is asked again when another writer was faster, and when an attempt joined the
        line by it, so it must be pure; a record that it leaves as it is costs no write. Raises
        ``Throttled``, also after losing every race.
        """

    def look(self, key: SlotKey, *, now: datetime, most: int) -> Slots:
        """Read so many of the line and, if there are any, the holders of slots after that.

        Raises ``Throttled``.
        """

    def renew(self, key: SlotKey, hold: SlotHold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer: one write; raises ``LeaseLost`` when it has expired."""

    def release(self, key: SlotKey, hold: SlotHold, *, now: datetime) -> None:
        """Give a slot back, if it is held: one write; raises ``Throttled``."""

    def withdraw(self, key: SlotKey, waiters: Collection[SlotWaiter], *, now: datetime) -> None:
        """Take attempts out of the line, one write each; raises ``Throttled``."""
