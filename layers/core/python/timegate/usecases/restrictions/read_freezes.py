"""Reading freezes."""

from datetime import datetime

from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable


def list_freezes(
    tenant: TenantId,
    services: ApiServices,
    *,
    unended_at: datetime | None,
    limit: int,
    cursor: str | None,
) -> Page[Freeze]:
    """All that have not ended at an instant, soonest start first; or every one by page.

    By page the last to start comes first, of those that can be read. Raises ``InvalidInput`` for a
    cursor that is none.
    """
    if unended_at is not None:
        # Never more than a tenant may have: they need no page.
        freezes = services.restrictions.unended_freezes(tenant, now=unended_at)
        return Page(rows=freezes, cursor=None)
    page = services.restrictions.list_freezes(tenant, limit=limit, cursor=cursor)
    event, telemetry = service_events.FREEZE_UNREADABLE, services.telemetry
    tell_of_unreadable(event, tenant, page.damaged, telemetry, named="freeze_id")
    return page
