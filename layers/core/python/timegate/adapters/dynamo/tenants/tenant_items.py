"""Tenant settings as items: one partition of the jobs table, an item for each tenant."""

from collections.abc import Mapping

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    optional_number,
    text,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.limits.quotas import QUOTA_NAMES, Quotas
from timegate.domain.restrictions.freeze import FreezeId
from timegate.domain.tenants.tenant_settings import Suspension, TenantSettings
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

#: It is the stage's: what is a tenant's lies in partitions whose names have a ``#``.
TENANTS_PK = "tenants"


def tenant_key(tenant: TenantId) -> Key:
    """The key of a tenant's settings."""
    return Key(pk=TENANTS_PK, sk=tenant)


def tenant_to_fields(settings: TenantSettings) -> dict[str, Plain]:
    """The whole item."""
    key = tenant_key(settings.tenant)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": settings.tenant,
        "display_name": settings.display_name or None,
        "quotas": dict(settings.quotas.given),
        "suspension": _suspension_to_field(settings.suspension),
        "version": settings.version,
        "created_at": written(settings.created_at),
        "updated_at": written(settings.updated_at),
    }


@reader_of("tenant")
def tenant_from_fields(fields: Mapping[str, Plain]) -> TenantSettings:
    """Read it back; raises ``Malformed``."""
    quotas = mapping(fields.get("quotas"))
    return TenantSettings(
        tenant=TenantId(text(fields["tenant"])),
        display_name=text(fields.get("display_name", "")),
        quotas=Quotas.of({name: optional_number(quotas.get(name)) for name in QUOTA_NAMES}),
        suspension=_suspension_from_field(fields.get("suspension")),
        version=number(fields["version"]),
        created_at=optional_instant(fields.get("created_at")),
        updated_at=optional_instant(fields.get("updated_at")),
    )


def _suspension_to_field(suspension: Suspension | None) -> dict[str, Plain] | None:
    if suspension is None:
        return None
    return {
        "since": compact(suspension.since),
        "freeze_id": suspension.freeze_id,
        "reason": suspension.reason,
    }


def _suspension_from_field(field: Plain) -> Suspension | None:
    if field is None:
        return None
    fields = mapping(field)
    return Suspension(
        since=from_compact(text(fields["since"])),
        freeze_id=FreezeId(text(fields["freeze_id"])),
        reason=text(fields["reason"]),
    )
