"""Events of a scenario, what they may start, and the tasks of DAGs that wait for them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from timegate.domain.event_triggers.event_trigger import Starts
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import KEPT, Event, ReceivedEvent
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import JobId, RunId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedEvent:
    """An event that is received at an instant."""

    at: datetime
    id: str
    source: str
    type: str
    #: All of it as JSON: its attributes by name, and its ``data``.
    document: Mapping[str, Any]

    @property
    def facts(self) -> EventFacts:
        """Return the event as triggers compare it."""
        return EventFacts(source=self.source, id=self.id, document=self.document)

    @property
    def fingerprint(self) -> str:
        """Return the same for events that say the same."""
        return self.received.event.fingerprint

    @property
    def received(self) -> ReceivedEvent:
        """Return the event as waits compare it."""
        attributes = {name: value for name, value in self.document.items() if name != "data"}
        event = Event(
            id=self.id,
            source=self.source,
            type=self.type,
            correlation=attributes.get("correlationid", attributes.get("subject")),
            attributes=json.dumps(attributes),
            data=json.dumps(self.document["data"]) if "data" in self.document else None,
        )
        return ReceivedEvent(event=event, received_at=self.at)


def with_earlier(
    events: Iterable[SimulatedEvent],
) -> Iterator[tuple[SimulatedEvent, SimulatedEvent | None]]:
    """Yield events in order, each with the one whose source and id it has, if these are kept."""
    first: dict[tuple[str, str], SimulatedEvent] = {}
    for event in sorted(events, key=lambda event: event.at):
        identity = event.source, event.id
        known = first.get(identity)
        if known is not None and event.at >= known.at + KEPT:
            known = None
        if known is None:
            first[identity] = event
        yield event, known


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedEventTrigger:
    """A pattern over the scenario's events, and what a matching event starts."""

    name: str
    #: JSON text.
    pattern: str
    starts: Starts
    #: The job of the scenario that is started; ``None``: a DAG is, which is none of it.
    job_id: JobId | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedWait:
    """A task of a DAG that waits for an event."""

    name: str
    #: Its DAG run begins then.
    begun_at: datetime
    #: It waits no longer; ``None``: to the end.
    until: datetime | None
    awaited: AwaitedEvent
    #: The key of the event that it waits for.
    correlation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MetTrigger:
    """A trigger that an event meets."""

    name: str
    #: The job as its scenario names it; ``None`` as well where a DAG is started.
    job: str | None = None
    #: The run, or the trigger that collapsed into another's; ``None``: none was started.
    run: RunId | None = None
    #: Why it starts nothing.
    error: TimegateError | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class EventRow:
    """An event, and everything that it meets."""

    event: SimulatedEvent
    triggers: tuple[MetTrigger, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitRow:
    """A wait, and the event that ends it; ``None``: none does."""

    wait: SimulatedWait
    event: SimulatedEvent | None
