"""Telemetry of a function."""

from typing import Protocol

from timegate.ports.telemetry.kinds import CounterMetric, DurationMetric, LogEvent


class Telemetry(Protocol):
    """One structured event per decision, and metrics flushed once per batch."""

    def event(self, name: LogEvent, **fields: object) -> None:
        """Log a decision. Tenants belong here, never in a metric's dimensions."""

    def count(self, metric: CounterMetric, value: int = 1) -> None:
        """Add to a counter of this batch."""

    def measure(self, metric: DurationMetric, milliseconds: float) -> None:
        """Add one duration to a distribution of this batch."""
