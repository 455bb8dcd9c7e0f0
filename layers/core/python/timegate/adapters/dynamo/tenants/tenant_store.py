"""Tenant settings, in a partition of the jobs table that no tenant's things lie in."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.restrictions.in_force_writes import in_force_write
from timegate.adapters.dynamo.restrictions.restriction_items import (
    freeze_to_fields,
    in_force_from_fields,
    in_force_key,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, first_rows
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.transactions import write_together
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Write
from timegate.adapters.dynamo.tenants.tenant_items import (
    TENANTS_PK,
    tenant_from_fields,
    tenant_key,
    tenant_to_fields,
)
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE, with_freeze
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.tenant_store import TenantPage

if TYPE_CHECKING:
    from timegate.domain.tenants.api_key import ApiKey

_LISTING = "tenants"


class DynamoTenantStore:
    """One item for each tenant that something was set for."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._engine = engine
        self._audit = audit or AuditWrites(table=table)
        self._table = table
        self._retention = timedelta(days=retention_days)

    def get(self, tenant: TenantId) -> TenantSettings:
        """The settings of a tenant, strongly consistent; the defaults for one without any."""
        return self.get_all([tenant])[tenant]

    def get_all(self, tenants: Collection[TenantId]) -> Mapping[TenantId, TenantSettings]:
        """Read the settings of several tenants, strongly consistent: one read for up to a
        hundred.
        """
        keys = {tenant: tenant_key(tenant) for tenant in tenants}
        if not keys:
            return {}
        found = self._engine.get_all({self._table: [*keys.values()]})[self._table]
        return {
            tenant: tenant_from_fields(found[key])
            if key in found
            else TenantSettings(tenant=tenant)
            for tenant, key in keys.items()
        }

    def put(
        self,
        tenant: TenantId,
        before: TenantSettings,
        after: TenantSettings,
        *,
        freeze: Freeze | None = None,
        key: "ApiKey | None" = None,
    ) -> bool:
        """Store ``after``, at the version that follows; ``False``: no more as read, ``before``."""
        stored = replace(after, tenant=tenant, version=before.version + 1)
        fields = tenant_to_fields(stored)
        write = (
            Replace(table=self._table, fields=fields, where={"version": before.version})
            if before.version
            else Insert(table=self._table, fields=fields)
        )
        also = self._with_freeze(tenant, freeze) if freeze is not None else []
        also += self._with_key(key) if key is not None else []
        also += self._audit.tenant(before, stored)
        return write_together(self._engine, [write, *also])

    def list_tenants(self, *, limit: int, cursor: str | None) -> TenantPage:
        """List tenants on record, by name; raises ``InvalidInput`` for a malformed cursor."""
        # Nothing sorts before a blank, and no name begins with one.
        first = read_cursor(_LISTING, cursor) if cursor is not None else " "
        query = Query(table=self._table, of=TENANTS_PK, first=first, consistent=True)
        found = first_rows(self._engine, query, limit + 1)
        more = found[limit]["sk"] if len(found) > limit else None
        named = ((TenantId(str(fields["sk"])), fields) for fields in found[:limit])
        tenants, damaged = read_each(named, tenant_from_fields)
        return TenantPage(
            rows=tenants,
            damaged=damaged,
            cursor=write_cursor(_LISTING, str(more)) if more is not None else None,
        )

    def _with_key(self, key: "ApiKey") -> "list[Write | Put]":
        # Imported here: few requests make a tenant.
        from timegate.adapters.dynamo.tenants.api_key_items import api_key_write  # noqa: PLC0415

        return [api_key_write(self._table, None, key), *self._audit.api_key(None, key)]

    def _with_freeze(self, tenant: TenantId, freeze: Freeze) -> "list[Write | Put]":
        key = in_force_key(tenant)
        found = self._engine.get_all({self._table: [key]})[self._table].get(key)
        in_force = in_force_from_fields(tenant, found) if found else NOTHING_IN_FORCE
        now = freeze.lifted_at or freeze.created_at
        after = with_freeze(in_force, freeze, now=now)
        part = freeze_to_fields(freeze, retention=self._retention)
        return [
            in_force_write(self._table, tenant, found, after),
            Put(table=self._table, fields=part),
        ]
