"""Messages of the queue of events in."""

import json
from typing import Any

from timegate.ports.dispatch.cloud_events import Document
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

#: Attributes that an entry of the bus is made of.
_NEEDED = ("source", "type", "time")


@dataclass(frozen=True, kw_only=True, slots=True)
class EventMessage:
    """A message, and the event in it."""

    id: str
    document: Document


def read_documents(
    event: dict[str, Any], telemetry: Telemetry
) -> tuple[list[EventMessage], list[str]]:
    """Read a batch: events, and the ids of messages that hold none and end as dead letters."""
    read, unreadable = [], []
    for record in event["Records"]:
        document = _document(record["body"])
        if document is None:
            telemetry.count(service_metrics.MESSAGES_REJECTED)
            telemetry.event(run_events.MESSAGE_REJECTED, queue="cloud-events", detail="no event")
            unreadable.append(record["messageId"])
        else:
            read.append(EventMessage(id=record["messageId"], document=document))
    return read, unreadable


def _document(body: str) -> Document | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(found, dict) and all(isinstance(found.get(x), str) for x in _NEEDED)
    return found if is_event else None
