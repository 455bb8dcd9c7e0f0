"""Events as items: one for the identity of each, and one by key."""

from datetime import datetime

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import event_key, events_pk
from timegate.adapters.dynamo.tables.reading import Fields, optional_text, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.events.event import KEPT, Event, EventKey, ReceivedEvent
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import EventWaiter
from timegate.value_classes import dataclass

#: Events of a key sort by the instant at which they came.
EVENT_PREFIX = "event#"
WAITER_PREFIX = "waiter#"
_EVENT = Part(Event)
_WAITER = Part(EventWaiter)


@dataclass(frozen=True, kw_only=True, slots=True)
class EventIdentity:
    """The first coming of an event."""

    received_at: datetime
    fingerprint: str
    #: Names the call that stored it; ``None``: one of an earlier release did.
    stored_by: str | None


def identity_fields(
    tenant: TenantId, event: Event, *, at: datetime, stored_by: str
) -> dict[str, Plain]:
    """Build the item that says when an event came first."""
    key = event_key(tenant, event.digest)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "received_at": compact(at),
        "fingerprint": event.fingerprint,
        "stored_by": stored_by,
        "expires_at": int((at + KEPT).timestamp()),
    }


@reader_of("identity of an event")
def identity_from_fields(fields: Fields) -> EventIdentity:
    """Read the first coming of an event; raises ``Malformed``."""
    return EventIdentity(
        received_at=from_compact(text(fields["received_at"])),
        fingerprint=text(fields["fingerprint"]),
        stored_by=optional_text(fields.get("stored_by")),
    )


def keyed_fields(tenant: TenantId, key: EventKey, received: ReceivedEvent) -> dict[str, Plain]:
    """Build the item of an event that its key finds."""
    at, event = received.received_at, received.event
    return {
        "pk": events_pk(tenant, key.digest),
        "sk": f"{EVENT_PREFIX}{compact(at)}#{event.digest}",
        "event": _EVENT.map(event),
        "received_at": compact(at),
        "expires_at": int((at + KEPT).timestamp()),
    }


@reader_of("event")
def keyed_from_fields(fields: Fields) -> ReceivedEvent:
    """Read an event back; raises ``Malformed``."""
    return ReceivedEvent(
        event=_EVENT.read(fields["event"]),
        received_at=from_compact(text(fields["received_at"])),
    )


def waiter_fields(
    tenant: TenantId, key: EventKey, waiter: EventWaiter, *, forget_at: datetime
) -> dict[str, Plain]:
    """Build the item by which senders of events find a task."""
    return {
        "pk": events_pk(tenant, key.digest),
        "sk": f"{WAITER_PREFIX}{waiter.dag_run_id}#{waiter.task}#{waiter.round}",
        **_WAITER.fields(waiter),
        "expires_at": int(forget_at.timestamp()),
    }


@reader_of("waiter of an event")
def waiter_from_fields(fields: Fields) -> EventWaiter:
    """Read a waiter back; raises ``Malformed``."""
    return _WAITER.read(dict(fields))
