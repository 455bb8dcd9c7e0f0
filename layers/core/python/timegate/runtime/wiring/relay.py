"""Wiring of the relay."""

from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import RelaySettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.run_queues import publisher
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RelayServices:
    """Services of the relay: no table."""

    publisher: SqsPublisher
    rejects: SqsRejects
    clock: SystemClock
    telemetry: LambdaTelemetry
    lead_seconds: float


def relay_services() -> RelayServices:
    """Build the relay; raises ``MissingSetting``."""
    settings = RelaySettings.read(environment())
    sqs, telemetry = clients.sqs(), LambdaTelemetry()
    return RelayServices(
        publisher=publisher(sqs, settings.queue_urls, telemetry),
        rejects=SqsRejects(sqs, settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=telemetry,
        lead_seconds=settings.hold_lead_seconds,
    )
