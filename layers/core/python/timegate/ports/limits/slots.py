"""The slots of concurrency keys, as the use cases see them."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, TypeVar

from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import SlotHold, Slots

Outcome = TypeVar("Outcome")


class SlotStore(Protocol):
    """One record per concurrency key; an unused key has an empty one."""

    def change(
        self, key: SlotKey, decide: Callable[[Slots], tuple[Slots, Outcome]], *, now: datetime
    ) -> Outcome:
        """Store what is decided about the record as it is; returns what came of it.

        ``decide`` is asked again when another writer was faster, so it must be pure; a record that
        it leaves as it is costs no write. Raises ``Throttled``, also after losing every race.
        """

    def renew(self, key: SlotKey, hold: SlotHold, *, now: datetime, expires_at: datetime) -> None:
        """Hold a slot for longer: one write; raises ``LeaseLost`` when it has expired."""
