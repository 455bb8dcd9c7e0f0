"""Matching: an event of a tenant is compared with each of its triggers."""

import json
from datetime import datetime

from timegate.domain.event_triggers.event_trigger import EventTrigger, EventTriggerName
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.events.matching import StepBudget, matches
from timegate.domain.limits.request_rate import (
    TRIGGERS_FOR_ONE,
    request_limit,
    requests_of_triggers,
)
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
    cannot be read: the event may be theirs. Raises ``Throttled``, and ``RateExceeded`` where the
    tenant's rate has no room for so many: none is fired, and all are once the event is sent again.
    """
    steps, own = StepBudget(), services.event_triggers.known.own(tenant, now=now)
    compared = [_compared(each, event, steps, services) for each in own.rows]
    matched = [each for each in compared if each is not None]
    _admit(tenant, sum(isinstance(each, EventTrigger) for each in matched), event, services, now)
    fired = [
        _fired(each, event, services, now) if isinstance(each, EventTrigger) else each
        for each in matched
    ]
    unreadable = service_events.EVENT_TRIGGER_UNREADABLE
    tell_of_unreadable(unreadable, tenant, own.damaged, services.telemetry, named="event_trigger")
    untried = [
        NotFired(trigger=EventTriggerName(name), error=Malformed(detail))
        for name, detail in own.damaged
    ]
    return [*fired, *untried]


def is_match(trigger: EventTrigger, event: EventFacts, steps: StepBudget) -> bool:
    """Tell if an event matches a trigger; raises ``InvalidInput`` where that takes too much."""
    return matches(json.loads(trigger.pattern), event.document, steps)


def _compared(
    trigger: EventTrigger, event: EventFacts, steps: StepBudget, services: ApiServices
) -> EventTrigger | NotFired | None:
    """Return the trigger if the event matches it; ``None``: it does not."""
    try:
        return trigger if is_match(trigger, event, steps) else None
    except TimegateError as error:
        return _refused(trigger, error, services)


def _admit(
    tenant: TenantId, count: int, event: EventFacts, services: ApiServices, now: datetime
) -> None:
    """Count the triggers that are fired against the tenant's rate; raises ``RateExceeded``.

    They take half a burst at most: the request that brought the event has taken of it as well.
    """
    if count < TRIGGERS_FOR_ONE:
        return
    quotas = services.tenants_at_hand.quotas(tenant, now=now)
    limit = request_limit(quotas)
    if limit is None:
        return
    size = len(json.dumps(event.document, separators=(",", ":")))
    counted = min(requests_of_triggers(count, size), max(1, limit.burst // 2))
    services.request_rates.admit(tenant, quotas, now=now, count=counted)


def _fired(
    trigger: EventTrigger, event: EventFacts, services: ApiServices, now: datetime
) -> Fired | NotFired:
    try:
        return fire_trigger(trigger, event, services, now=now)
    except Throttled:
        raise
    except TimegateError as error:
        return _refused(trigger, error, services)


def _refused(trigger: EventTrigger, error: TimegateError, services: ApiServices) -> NotFired:
    services.telemetry.event(
        service_events.EVENT_TRIGGER_REFUSED,
        tenant_id=trigger.tenant,
        event_trigger=trigger.name,
        code=error.code,
    )
    return NotFired(trigger=trigger.name, error=error)
