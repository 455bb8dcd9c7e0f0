"""Delivering events of a tenant: each is on record before anything follows from it."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.events.event import Event, ReceivedEvent
from timegate.domain.limits.request_rate import RateExceeded
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import Receipt, Receiving
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.events.consumers import CONSUMERS
from timegate.usecases.events.met import Met
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventDelivery:
    """An event, and everything that it met."""

    received: ReceivedEvent
    receipt: Receipt
    met: tuple[Met, ...] = ()


def deliver_events(
    tenant: TenantId, events: Sequence[Event], services: ApiServices, *, now: datetime
) -> list[EventDelivery | RateExceeded]:
    """Keep events and give each to its consumers, in order; raises ``Throttled``.

    A repeated event is given again: a process may have crashed before its consumers had it, and
    they do nothing twice. An event that conflicts with another one is given to none. An event
    whose triggers the tenant's rate has no room for is kept, and refused by itself.
    """
    receiving = services.events.receive(tenant, events, at=now)
    return [_in_its_rate(tenant, each, services, now=now) for each in receiving]


def _in_its_rate(
    tenant: TenantId, receiving: Receiving, services: ApiServices, *, now: datetime
) -> EventDelivery | RateExceeded:
    try:
        return _deliver(tenant, receiving, services, now=now)
    except RateExceeded as refused:
        return refused


def _deliver(
    tenant: TenantId, receiving: Receiving, services: ApiServices, *, now: datetime
) -> EventDelivery:
    received, receipt = receiving.received, receiving.receipt
    if receipt is Receipt.CONFLICT:
        return EventDelivery(received=received, receipt=receipt)
    met = tuple(
        each for consume in CONSUMERS for each in consume(tenant, received, services, now=now)
    )
    services.telemetry.event(
        service_events.EVENT_RECEIVED,
        tenant_id=tenant,
        event_id=received.event.id,
        type=received.event.type,
        receipt=receipt,
        met=len(met),
    )
    services.telemetry.count(service_metrics.EVENTS_RECEIVED)
    return EventDelivery(received=received, receipt=receipt, met=met)
