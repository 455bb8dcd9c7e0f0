"""Giving an event to the tenant's event triggers."""

import json
from collections.abc import Sequence
from datetime import datetime

from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.events.event import ReceivedEvent
from timegate.domain.values.tenant import TenantId
from timegate.usecases.event_triggers.fire_trigger import Fired
from timegate.usecases.event_triggers.match_triggers import NotFired, match_triggers
from timegate.usecases.events.met import Met, MetKind
from timegate.usecases.services.api_services import ApiServices


def fire_triggers(
    tenant: TenantId, received: ReceivedEvent, services: ApiServices, *, now: datetime
) -> Sequence[Met]:
    """Fire each trigger that matches; a repeated event starts nothing twice."""
    event = received.event
    facts = EventFacts(source=event.source, id=event.id, document=json.loads(event.document))
    return [_met(each) for each in match_triggers(tenant, facts, services, now=now)]


def _met(result: Fired | NotFired) -> Met:
    if isinstance(result, NotFired):
        return Met(kind=MetKind.EVENT_TRIGGER, name=result.trigger, refusal=result.error)
    return Met(
        kind=MetKind.EVENT_TRIGGER,
        name=result.trigger,
        dag_run_id=result.dag_run_id,
        run_id=None if result.run_id is None else str(result.run_id),
    )
