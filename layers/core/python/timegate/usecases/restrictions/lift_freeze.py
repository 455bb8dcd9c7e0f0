"""Lifting a freeze before its end."""

from datetime import datetime

from timegate.domain.restrictions.freeze import Freeze, FreezeId
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices


def lift_freeze(
    tenant: TenantId, freeze_id: FreezeId, services: ApiServices, *, now: datetime
) -> Freeze:
    """End it now: what it held back is settled by its thaw policy within one look-ahead.

    One that has ended stays as it is. Raises ``FreezeNotFound``.
    """
    freeze = services.restrictions.lift_freeze(tenant, freeze_id, now=now)
    services.telemetry.event(
        service_events.FREEZE_LIFTED,
        tenant_id=tenant,
        freeze_id=freeze_id,
        lifted_at=freeze.lifted_at,
    )
    return freeze
