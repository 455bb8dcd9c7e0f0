"""Suspending a tenant, and resuming it."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.tenants.suspension import (
    check_reason,
    released,
    suspended,
    suspension_freeze,
)
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.tenants.change_tenant import Decided, TenantRef, change_tenant


def suspend_tenant(
    ref: TenantRef, services: ApiServices, *, reason: str, thaw: ThawPolicy, now: datetime
) -> TenantSettings:
    """From now on nothing of the tenant starts, and it changes nothing; what runs runs to its end.

    Runs that come due meanwhile are held back as by a freeze. One that is suspended stays as it is.
    Raises ``InvalidInput``, ``TenantVersionMismatch`` and ``TenantChanged``.
    """
    check_reason(reason)
    freeze = suspension_freeze(ref.tenant, thaw=thaw, reason=reason, now=now)

    def change(settings: TenantSettings) -> Decided | None:
        if settings.suspension is not None:
            return None
        return Decided(settings=suspended(settings, freeze), freeze=freeze)

    return change_tenant(ref, service_events.TENANT_SUSPENDED, change, services, now=now)


def resume_tenant(ref: TenantRef, services: ApiServices, *, now: datetime) -> TenantSettings:
    """End a suspension: what it held back is settled by its thaw policy within one look-ahead.

    One that is active stays as it is. Raises ``TenantVersionMismatch`` and ``TenantChanged``.
    """

    def change(settings: TenantSettings) -> Decided | None:
        suspension = settings.suspension
        if suspension is None:
            return None
        freeze = services.restrictions.get_freeze(ref.tenant, suspension.freeze_id)
        return Decided(
            settings=replace(settings, suspension=None), freeze=released(freeze, now=now)
        )

    return change_tenant(ref, service_events.TENANT_RESUMED, change, services, now=now)
