"""Making a tenant with its first credential: one transaction, and no deployment."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.limits.quotas import Quotas, check_quotas
from timegate.domain.tenants.new_tenant import first_quotas, new_tenant_id
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant_errors import TenantExists
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.tenants.api_keys import Issuing, MadeKey, NewKey, issue
from timegate.usecases.tenants.change_tenant import Decided, NewSettings, check_display_name
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NewTenant:
    """A tenant to be made, and its first key; ``None``: it gets none."""

    name: str
    settings: NewSettings
    key: NewKey | None


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeTenant:
    """A tenant as it was made."""

    settings: TenantSettings
    key: MadeKey | None


def create_tenant(asked: NewTenant, services: ApiServices, *, by: str, now: datetime) -> MadeTenant:
    """Make a tenant with quotas and a key, or nothing.

    A repetition meets the tenant and makes nothing. Raises ``InvalidInput`` and ``TenantExists``.
    """
    tenant = new_tenant_id(asked.name, taken=services.token_rules.people.tenants or ())
    check_display_name(asked.settings.display_name)
    quotas = first_quotas(asked.settings.quotas or Quotas())
    check_quotas(quotas)
    nothing = TenantSettings(tenant=tenant)
    decided = Decided.by(nothing, replace(asked.settings, quotas=quotas)).settings
    settings = replace(decided, version=1, created_at=now, updated_at=now)
    issuing = Issuing(by=by, new_seed=services.new_seed)
    made = issue(tenant, 0, asked.key, issuing, now=now) if asked.key is not None else None
    key = made.key if made is not None else None
    if not services.tenants.put(tenant, nothing, settings, key=key):
        raise TenantExists(tenant)
    services.tenants_at_hand.forget(tenant)
    services.telemetry.event(
        service_events.TENANT_CREATED,
        tenant_id=tenant,
        key_id=key.key_id if key is not None else None,
    )
    return MadeTenant(settings=settings, key=made)
