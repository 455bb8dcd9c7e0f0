"""Listing tenants, for the administration of the stage."""

from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable


def list_tenants(services: ApiServices, *, limit: int, cursor: str | None) -> Page[TenantSettings]:
    """Tenants on record whose settings can be read, by name.

    Raises ``InvalidInput`` for a cursor that is none.
    """
    page = services.tenants.list_tenants(limit=limit, cursor=cursor)
    for tenant, detail in page.damaged:
        event, telemetry = service_events.TENANT_UNREADABLE, services.telemetry
        tell_of_unreadable(event, TenantId(tenant), [(tenant, detail)], telemetry)
    return page
