"""Telemetry of an answer that may not be sent: it is told once the answer is."""

from collections.abc import Callable
from dataclasses import replace

from api.http.exchange import Exchange
from timegate.ports.telemetry.telemetry import CounterMetric, DurationMetric, LogEvent, Telemetry
from timegate.usecases.services.api_services import ApiServices


class HeldTelemetry:
    """Keeps what is told until it is released, or dropped with the answer that it is about."""

    def __init__(self, to: Telemetry) -> None:
        self._to = to
        self._told: list[Callable[[], None]] = []

    def event(self, name: LogEvent, **fields: object) -> None:
        """Keep a decision."""
        self._told.append(lambda: self._to.event(name, **fields))

    def count(self, metric: CounterMetric, value: int = 1) -> None:
        """Keep what is added to a counter."""
        self._told.append(lambda: self._to.count(metric, value))

    def measure(self, metric: DurationMetric, milliseconds: float) -> None:
        """Keep a duration."""
        self._told.append(lambda: self._to.measure(metric, milliseconds))

    def drop(self) -> None:
        """Forget what was kept."""
        self._told.clear()

    def release(self) -> None:
        """Tell what was kept, in its order."""
        for tell in self._told:
            tell()
        self.drop()


def holding(exchange: Exchange) -> tuple[Exchange, HeldTelemetry]:
    """Return an exchange whose telemetry is held, and that telemetry."""
    services = exchange.provided
    held = HeldTelemetry(services.telemetry)
    if not isinstance(services, ApiServices):
        return exchange, held
    scheduling = replace(services.scheduling, telemetry=held)
    return replace(exchange, provided=replace(services, scheduling=scheduling)), held
