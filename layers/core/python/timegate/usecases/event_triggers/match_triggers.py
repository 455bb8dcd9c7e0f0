"""Matching: an event of a tenant is compared with each of its triggers."""

import json
from datetime import datetime

from timegate.domain.event_triggers.event_trigger import EventTrigger, EventTriggerName
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.events.matching import StepBudget, matches
from timegate.domain.values.errors import Malformed, Throttled, TimegateError
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.event_triggers.fire_trigger import Fired, fire_trigger
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NotFired:
    """A trigger that an event matches, and the reason why it starts nothing."""

    trigger: EventTriggerName
    error: TimegateError


def match_triggers(
    tenant: TenantId, event: EventFacts, services: ApiServices, *, now: datetime
) -> list[Fired | NotFired]:
    """Fire each trigger that the event matches, by name; one that is refused stops no other.

    Triggers are those of a moment ago: a new or changed one is known within ten seconds. Those
    after which the steps of comparing are used up are refused, and so are those whose records
    cannot be read: the event may be theirs. Raises ``Throttled``.
    """
    steps, own = StepBudget(), services.event_triggers.known.own(tenant, now=now)
    tried = (_try(each, event, steps, services, now) for each in own.rows)
    unreadable = service_events.EVENT_TRIGGER_UNREADABLE
    tell_of_unreadable(unreadable, tenant, own.damaged, services.telemetry, named="event_trigger")
    untried = [
        NotFired(trigger=EventTriggerName(name), error=Malformed(detail))
        for name, detail in own.damaged
    ]
    return [*(each for each in tried if each is not None), *untried]


def is_match(trigger: EventTrigger, event: EventFacts, steps: StepBudget) -> bool:
    """Tell if an event matches a trigger; raises ``InvalidInput`` where that takes too much."""
    return matches(json.loads(trigger.pattern), event.document, steps)


def _try(
    trigger: EventTrigger,
    event: EventFacts,
    steps: StepBudget,
    services: ApiServices,
    now: datetime,
) -> Fired | NotFired | None:
    try:
        if not is_match(trigger, event, steps):
            return None
        return fire_trigger(trigger, event, services, now=now)
    except Throttled:
        raise
    except TimegateError as error:
        services.telemetry.event(
            service_events.EVENT_TRIGGER_REFUSED,
            tenant_id=trigger.tenant,
            event_trigger=trigger.name,
            code=error.code,
        )
        return NotFired(trigger=trigger.name, error=error)
