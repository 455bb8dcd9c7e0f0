"""Places at which this process saw slots held: they spare readings, and decide nothing."""

from threading import Lock

from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import SlotHold

#: More than a process holds at once.
_MOST = 4_096


class SlotHints:
    """The places of the newest holds that this process made or found."""

    def __init__(self) -> None:
        self._places: dict[tuple[SlotKey, SlotHold], int] = {}
        self._lock = Lock()

    def note(self, key: SlotKey, hold: SlotHold, place: int) -> None:
        """Remember a place; the oldest one is forgotten for it when there are many."""
        with self._lock:
            self._places[key, hold] = place
            if len(self._places) > _MOST:
                del self._places[next(iter(self._places))]

    def of(self, key: SlotKey, hold: SlotHold) -> int | None:
        """Return the place of a hold, if it is known."""
        with self._lock:
            return self._places.get((key, hold))

    def forget(self, key: SlotKey, hold: SlotHold) -> None:
        """Drop a place that was given back or lost."""
        with self._lock:
            self._places.pop((key, hold), None)
