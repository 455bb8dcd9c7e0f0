"""Pausing, resuming and deleting event triggers."""

from datetime import datetime

from timegate.domain.event_triggers.event_trigger import EventTrigger, EventTriggerStatus
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def set_event_trigger_status(
    tenant: TenantId,
    name: str,
    status: EventTriggerStatus,
    services: ApiServices,
    *,
    now: datetime,
) -> EventTrigger:
    """Pause or resume a trigger; one that stands so stays as it is.

    Events that come while it is paused start nothing by it later. Raises ``EventTriggerNotFound``.
    """
    changed = services.event_triggers.store.set_status(tenant, name, status, now=now)
    services.event_triggers.known.forget(tenant)
    services.telemetry.event(
        service_events.EVENT_TRIGGER_STORED,
        tenant_id=tenant,
        event_trigger=name,
        version=changed.version,
    )
    return changed


def delete_event_trigger(
    tenant: TenantId,
    name: str,
    services: ApiServices,
    *,
    expected_version: int | None,
    now: datetime,
) -> EventTrigger:
    """Forget a trigger, and the address of its web hook; returns it as it was.

    Raises ``EventTriggerNotFound`` and ``EventTriggerVersionMismatch``.
    """
    deleted = services.event_triggers.store.delete(
        tenant, name, expected_version=expected_version, now=now
    )
    services.event_triggers.known.forget(tenant)
    services.telemetry.event(
        service_events.EVENT_TRIGGER_DELETED,
        tenant_id=tenant,
        event_trigger=name,
        version=deleted.version,
    )
    return deleted
