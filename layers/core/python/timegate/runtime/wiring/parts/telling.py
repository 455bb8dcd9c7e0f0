"""Wiring of what tells of changes: loaded where the stage has a bus of events, and only there."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from timegate.adapters.sqs.event_queue import SqsEventQueue
from timegate.domain.cloud_events.sampling import Sampling
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.telemetry import run_events, service_metrics
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.event_settings import CloudEventSettings
from timegate.runtime.events.change_records import followed, run_changes
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.usecases.cloud_events.queue_events import EventServices, queue_events
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Telling:
    """Tells of changes of runs beside other work."""

    events: EventServices
    rejects: Rejects

    @contextmanager
    def beside(self, event: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Give other work the ends of a batch, and tell of all its changes after it.

        Also where the work fails: the ends have happened. They come again with the same ids.
        """
        try:
            yield followed(event)
        finally:
            self.tell(event)

    def tell(self, event: Mapping[str, Any]) -> None:
        """Queue the events of a batch; one that the queue does not take is in the log, whole.

        A failing queue fails no batch: ends of runs are not held up for their events.
        """
        telemetry = self.events.telemetry
        left = queue_events(run_changes(event, self.rejects, telemetry), self.events)
        telemetry.count(service_metrics.CLOUD_EVENTS_NOT_QUEUED, len(left))
        for document in left:
            telemetry.event(
                run_events.CLOUD_EVENT_NOT_QUEUED,
                tenant_id=document["tenant"],
                cloud_event=document,
            )


def event_services(settings: CloudEventSettings, telemetry: LambdaTelemetry) -> EventServices:
    """Build the way into the queue of events."""
    return EventServices(
        queue=SqsEventQueue(clients.event_queue(), settings.queue_url, telemetry),
        sampling=Sampling.parse(settings.sampling),
        stage=settings.stage,
        trace_percent=settings.trace_percent,
        telemetry=telemetry,
    )


def telling(rejects: Rejects, telemetry: LambdaTelemetry) -> Telling:
    """Build what tells of changes; raises ``MissingSetting``."""
    settings = CloudEventSettings.read(environment())
    return Telling(events=event_services(settings, telemetry), rejects=rejects)
