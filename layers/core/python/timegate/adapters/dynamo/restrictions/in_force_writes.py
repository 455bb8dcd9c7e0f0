"""Writing what is in force at a tenant."""

from collections.abc import Mapping

from timegate.adapters.dynamo.restrictions.restriction_items import in_force_to_fields
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.domain.restrictions.restrictions import RestrictionsInForce
from timegate.domain.values.tenant import TenantId


def in_force_write(
    table: str, tenant: TenantId, before: Mapping[str, Plain] | None, after: RestrictionsInForce
) -> Insert | Replace:
    """Build the write of restrictions in force: each write raises the revision."""
    revision = number(before["revision"]) if before is not None else 0
    fields = in_force_to_fields(tenant, after, revision=revision + 1)
    if before is None:
        return Insert(table=table, fields=fields)
    return Replace(table=table, fields=fields, where={"revision": revision})
