"""Listing event triggers."""

from timegate.domain.event_triggers.event_trigger import EventTrigger
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable


def list_event_triggers(
    tenant: TenantId, services: ApiServices, *, limit: int, cursor: str | None
) -> Page[EventTrigger]:
    """The tenant's event triggers that can be read, by name.

    Raises ``InvalidInput`` for a cursor that is none.
    """
    page = services.event_triggers.store.page(tenant, limit=limit, cursor=cursor)
    event, telemetry = service_events.EVENT_TRIGGER_UNREADABLE, services.telemetry
    tell_of_unreadable(event, tenant, page.damaged, telemetry, named="event_trigger")
    return page
