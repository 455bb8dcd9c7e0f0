"""Send queued events to the bus, each on its own account."""

from collections.abc import Sequence

from timegate.ports.dispatch.cloud_events import Document, EventBus
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def send_events(documents: Sequence[Document], bus: EventBus, telemetry: Telemetry) -> list[bool]:
    """Send events; ``False`` for each that stays in its queue and is sent again later."""
    taken = bus.put_all(documents)
    telemetry.count(service_metrics.CLOUD_EVENTS_SENT, sum(taken))
    telemetry.count(service_metrics.CLOUD_EVENTS_NOT_SENT, len(taken) - sum(taken))
    return taken
