"""Tenant settings, in memory."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page

_LISTING = "tenants"


class MemoryTenantStore:
    """The twin of ``DynamoTenantStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def get(self, tenant: TenantId) -> TenantSettings:
        """The settings of a tenant; the defaults for one without any."""
        return self.get_all([tenant])[tenant]

    def get_all(self, tenants: Collection[TenantId]) -> Mapping[TenantId, TenantSettings]:
        """Those of several tenants."""
        with self._tables.lock:
            stored = self._tables.tenants
            return {each: stored.get(each, TenantSettings(tenant=each)) for each in tenants}

    def put(
        self,
        tenant: TenantId,
        before: TenantSettings,
        after: TenantSettings,
        *,
        freeze: Freeze | None = None,
    ) -> bool:
        """Store ``after``, at the version that follows; ``False``: no more as read, ``before``."""
        with self._tables.lock:
            if self.get(tenant).version != before.version:
                return False
            stored = replace(after, tenant=tenant, version=before.version + 1)
            self._tables.tenants[tenant] = in_milliseconds(stored)
            resource = (ResourceKind.TENANT, tenant)
            self._tables.told(tenant, resource, before=before, after=stored, version=stored.version)
            if freeze is not None:
                now = freeze.lifted_at or freeze.created_at
                self._tables.put_freeze(tenant, freeze, now=now)
            return True

    def list_tenants(self, *, limit: int, cursor: str | None) -> Page[TenantSettings]:
        """Those on record, by name; raises ``InvalidInput`` for a cursor that is none."""
        first = read_cursor(_LISTING, cursor) if cursor is not None else ""
        with self._tables.lock:
            rows = [each for name, each in sorted(self._tables.tenants.items()) if name >= first]
        more = write_cursor(_LISTING, rows[limit].tenant) if len(rows) > limit else None
        return Page(rows=tuple(rows[:limit]), cursor=more)
