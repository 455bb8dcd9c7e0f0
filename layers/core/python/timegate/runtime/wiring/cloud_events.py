"""Wiring of the function that sends events."""

from timegate.adapters.event_bridge.event_bus import EventBridgeBus
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.event_settings import CloudEventSenderSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.telling import event_services
from timegate.usecases.cloud_events.queue_events import EventServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CloudEventServices:
    """Services of the function: a bus, a queue, and no table."""

    bus: EventBridgeBus
    events: EventServices
    rejects: SqsRejects
    telemetry: LambdaTelemetry


def cloud_event_services() -> CloudEventServices:
    """Build the function; raises ``MissingSetting``."""
    settings, telemetry = CloudEventSenderSettings.read(environment()), LambdaTelemetry()
    return CloudEventServices(
        bus=EventBridgeBus(clients.event_bridge(), settings.bus_name, telemetry),
        events=event_services(settings.telling, telemetry),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        telemetry=telemetry,
    )
