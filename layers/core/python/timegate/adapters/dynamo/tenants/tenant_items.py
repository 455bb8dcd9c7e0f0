"""Tenant settings as items: one partition of the jobs table, an item for each tenant."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId

#: It is the stage's: what is a tenant's lies in partitions whose names have a ``#``.
TENANTS_PK = "tenants"
_SETTINGS = Part(TenantSettings, always=("version",))


def tenant_key(tenant: TenantId) -> Key:
    """The key of a tenant's settings."""
    return Key(pk=TENANTS_PK, sk=tenant)


def tenant_to_fields(settings: TenantSettings) -> dict[str, Plain]:
    """The whole item."""
    key = tenant_key(settings.tenant)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_SETTINGS.fields(settings),
    }


@reader_of("tenant")
def tenant_from_fields(fields: Mapping[str, Plain]) -> TenantSettings:
    """Read it back; raises ``Malformed``."""
    return _SETTINGS.read(fields)
