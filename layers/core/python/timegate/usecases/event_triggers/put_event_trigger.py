"""Creating and replacing event triggers."""

import json
from dataclasses import replace

from timegate.domain.actions.web_addresses import check_secret
from timegate.domain.event_triggers.event_trigger import (
    EVENT_TRIGGER_NAME,
    MAX_PATTERN_BYTES,
    EventTrigger,
    HookId,
    StartsJob,
)
from timegate.domain.event_triggers.projections import check_templates
from timegate.domain.events.patterns import check_pattern
from timegate.domain.execution.triggers import check_tags
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import job_id_from
from timegate.ports.telemetry import service_events
from timegate.usecases.event_triggers.known_targets import refuse_unknown_target
from timegate.usecases.services.api_services import ApiServices


def put_event_trigger(
    trigger: EventTrigger, services: ApiServices, *, expected_version: int | None
) -> EventTrigger:
    """Store a trigger in place of the one of its name; a web hook gets an address, and keeps it.

    Raises ``InvalidInput``, ``TooManyEventTriggers`` and, if another version than
    ``expected_version`` is stored (0: none is), ``EventTriggerVersionMismatch``.
    """
    check_new_event_trigger(trigger, services)
    if trigger.hook is not None:
        # Nothing of it follows from tenant or name: an address says nothing of either.
        address = HookId(job_id_from(b"hook\n" + services.new_seed()))
        trigger = replace(trigger, hook_id=address)
    stored = services.event_triggers.store.put(
        trigger.tenant, trigger, expected_version=expected_version
    )
    services.event_triggers.known.forget(trigger.tenant)
    services.telemetry.event(
        service_events.EVENT_TRIGGER_STORED,
        tenant_id=stored.tenant,
        event_trigger=stored.name,
        version=stored.version,
    )
    return stored


def check_new_event_trigger(trigger: EventTrigger, services: ApiServices) -> None:
    """Raise ``InvalidInput`` for a trigger that cannot be stored."""
    if not EVENT_TRIGGER_NAME.fullmatch(trigger.name):
        detail = "It has 1 to 64 letters a to z, digits and dashes, and begins with no dash."
        raise InvalidInput("name", "invalid_format", detail)
    size = len(trigger.pattern.encode())
    if size > MAX_PATTERN_BYTES:
        detail = f"It has {size} bytes as JSON; the limit is {MAX_PATTERN_BYTES}."
        raise InvalidInput("pattern", "too_long", detail)
    check_pattern(json.loads(trigger.pattern))
    check_templates(trigger.starts)
    if isinstance(trigger.starts, StartsJob):
        check_tags(trigger.starts.tags)
    if trigger.hook is not None:
        check_secret(trigger.hook.secret, "hook.secret", services.target_rules, trigger.tenant)
    refuse_unknown_target(trigger, services)
