"""Suspending a tenant: a freeze of the stage's own, so that nothing of its schedules is lost."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.restrictions.freeze import (
    MAX_REASON,
    NO_END,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.tenants.tenant_settings import Suspension, TenantSettings
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

_EVERYTHING = FreezeScope(kind=FreezeKind.TENANT)


def suspension_freeze(tenant: TenantId, *, thaw: ThawPolicy, reason: str, now: datetime) -> Freeze:
    """The freeze that holds everything of a tenant back from ``now`` on, with no end."""
    return Freeze(
        tenant=tenant,
        freeze_id=freeze_id_for(tenant, _EVERYTHING, starts_at=now, ends_at=NO_END, thaw=thaw),
        scope=_EVERYTHING,
        starts_at=now,
        ends_at=NO_END,
        thaw=thaw,
        reason=reason,
        created_at=now,
        by_stage=True,
    )


def check_reason(reason: str) -> None:
    """Refuse a reason too long to be read; raises ``InvalidInput``."""
    if len(reason) > MAX_REASON:
        raise InvalidInput("reason", "too_long", f"It may have {MAX_REASON} characters.")


def suspended(settings: TenantSettings, freeze: Freeze) -> TenantSettings:
    """The settings of a tenant that this freeze holds back."""
    suspension = Suspension(
        since=freeze.starts_at, freeze_id=freeze.freeze_id, reason=freeze.reason
    )
    return replace(settings, suspension=suspension)


def released(freeze: Freeze, *, now: datetime) -> Freeze:
    """The freeze of a suspension, ended at ``now``."""
    return replace(freeze, lifted_at=now)
