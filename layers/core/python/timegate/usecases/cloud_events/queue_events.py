"""Queue events of a batch of changes: those that the stage's rules let through."""

from collections.abc import Iterable

from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.sampling import Sampling
from timegate.ports.dispatch.cloud_events import Document, EventQueue
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventServices:
    """Services of readers that tell of changes."""

    queue: EventQueue
    sampling: Sampling
    #: Names the stage in the source of each event.
    stage: str
    #: Share of the stage's own traces that is recorded.
    trace_percent: float
    telemetry: Telemetry


def queue_events(events: Iterable[CloudEvent], services: EventServices) -> list[Document]:
    """Queue what the sampling includes; return what the queue did not take."""
    found = list(events)
    percent = services.trace_percent
    chosen = [
        each.document(services.stage, trace_percent=percent)
        for each in found
        if services.sampling.includes(each)
    ]
    taken = services.queue.add_all(chosen) if chosen else []
    telemetry = services.telemetry
    telemetry.count(service_metrics.CLOUD_EVENTS_QUEUED, sum(taken))
    telemetry.count(service_metrics.CLOUD_EVENTS_LEFT_OUT, len(found) - len(chosen))
    return [document for document, ok in zip(chosen, taken, strict=True) if not ok]
