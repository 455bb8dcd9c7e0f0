"""A CloudEvent that a tenant sends, and its key."""

import hashlib
import json
from datetime import datetime, timedelta

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: Attributes and data as JSON; what CloudEvents asks of intermediaries.
MAX_EVENT_BYTES = 64 * 1024
#: In one batch.
MAX_EVENTS = 100
#: A task that begins to wait finds events that came so long before. The identity of an event is
#: kept as long.
KEPT = timedelta(hours=24)
#: Characters of an identity, a type or a key.
MAX_NAME = 512


@dataclass(frozen=True, kw_only=True, slots=True)
class EventKey:
    """The key by which tasks find events: their type, and the correlation of both."""

    type: str
    correlation: str

    @property
    def digest(self) -> str:
        """Return text that is as long for any key."""
        return _digest(self.type, self.correlation)


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """A CloudEvent 1.0 as its sender sent it."""

    id: str
    source: str
    type: str
    #: Its extension ``correlationid``, or else its subject; ``None``: it has no key.
    correlation: str | None = None
    #: A JSON object of all context attributes, these included.
    attributes: str
    #: JSON text; ``None``: the event has no data.
    data: str | None = None

    @property
    def key(self) -> EventKey | None:
        """Return the key by which tasks find it, if it has one."""
        if self.correlation is None:
            return None
        return EventKey(type=self.type, correlation=self.correlation)

    @property
    def digest(self) -> str:
        """Return the identity of an event: its source and id."""
        return _digest(self.source, self.id)

    @property
    def fingerprint(self) -> str:
        """Return the same for events that say the same, whenever and however they are sent."""
        return _digest(self.type, self.correlation or "", self.data or "")

    @property
    def document(self) -> str:
        """Return the event in the JSON format of CloudEvents."""
        if self.data is None:
            return self.attributes
        return f'{self.attributes[:-1]},"data":{self.data}}}'


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceivedEvent:
    """An event, and the instant at which it was received first."""

    event: Event
    received_at: datetime


def check_event_size(event: Event) -> None:
    """Refuse an event that is too large; raises ``InvalidInput``."""
    check_document_size(event.document, "data")


def check_document_size(document: str, field: str) -> None:
    """Refuse the JSON of an event that is too large; raises ``InvalidInput`` of this field."""
    size = len(document.encode())
    if size > MAX_EVENT_BYTES:
        detail = f"The event has {size} bytes; the limit is {MAX_EVENT_BYTES}."
        raise InvalidInput(field, "event_too_large", detail)


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
