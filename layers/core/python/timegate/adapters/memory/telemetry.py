"""Telemetry that remembers."""

from collections import Counter, defaultdict
from threading import Lock

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedEvent:
    """One decision, as it was logged."""

    name: str
    fields: dict[str, object]


class MemoryTelemetry:
    """Keeps events, counters and durations for later readers."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.events: list[LoggedEvent] = []
        self.counts: Counter[str] = Counter()
        #: Metric to its durations in milliseconds, in the order measured.
        self.measures: defaultdict[str, list[float]] = defaultdict(list)

    def event(self, name: str, **fields: object) -> None:
        """Keep a decision."""
        with self._lock:
            self.events.append(LoggedEvent(name=name, fields=fields))

    def count(self, metric: str, value: int = 1) -> None:
        """Add to a counter."""
        with self._lock:
            self.counts[metric] += value

    def measure(self, metric: str, milliseconds: float) -> None:
        """Keep one duration."""
        with self._lock:
            self.measures[metric].append(milliseconds)

    def named(self, name: str) -> list[LoggedEvent]:
        """The events of one name, oldest first."""
        with self._lock:
            return [event for event in self.events if event.name == name]
