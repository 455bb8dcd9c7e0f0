"""From the domain to JSON: what is seen of tenants."""

from collections.abc import Sequence
from dataclasses import asdict

from api.values.views import View, instant_view
from timegate.domain.execution.quota_usage import Usage
from timegate.domain.limits.quotas import Quotas
from timegate.domain.tenants.people import Person
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """The caller: a program, or a person with roles."""

    name: str
    person: Person | None
    scopes: frozenset[str]


def tenant_view(settings: TenantSettings, stage: Quotas) -> View:
    """A tenant at a stage with these quotas."""
    return {
        "tenant": settings.tenant,
        "display_name": settings.display_name,
        "status": settings.status,
        "suspension": _suspension(settings),
        "quotas": asdict(settings.quotas),
        "effective_quotas": asdict(settings.quotas.over(stage)),
        "list_runs": settings.list_runs,
        "version": settings.version,
        "created_at": instant_view(settings.created_at),
        "updated_at": instant_view(settings.updated_at),
    }


def own_tenant_view(
    settings: TenantSettings, stage: Quotas, usage: Usage, by: Asking, *, regions: Sequence[str]
) -> View:
    """A tenant as it sees itself: with who asks, and what that one may do.

    ``regions``: those in which its jobs may call targets.
    """
    person = by.person
    asking = {
        "caller": by.name,
        "person": None if person is None else {"name": person.name, "roles": list(person.roles)},
        "scopes": sorted(by.scopes),
    }
    return {
        **tenant_view(settings, stage),
        "usage": asdict(usage),
        "target_regions": [*regions],
        **asking,
    }


def _suspension(settings: TenantSettings) -> View | None:
    suspension = settings.suspension
    if suspension is None:
        return None
    return {
        "since": rfc3339(suspension.since),
        "reason": suspension.reason,
        "freeze_id": suspension.freeze_id,
    }
