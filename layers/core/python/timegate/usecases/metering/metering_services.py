"""Services of the meter."""

from timegate.ports.clock import Clock
from timegate.ports.metering import MeterStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Metering:
    """The meter's records, which the auditor alone writes."""

    store: MeterStore
    clock: Clock
    telemetry: Telemetry
