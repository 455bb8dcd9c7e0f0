"""Tenant settings at hand: what a process read of them a moment ago."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from threading import Lock

from timegate.domain.limits.quotas import Quotas
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.tenant_store import TenantStore

#: A change is known everywhere within this time; the price is a read per process, tenant and so
#: long.
HEARD_WITHIN = timedelta(seconds=10)
#: Then those that were read first are read again: a few hundred bytes each.
MOST_KEPT = 10_000


class TenantsAtHand:
    """The settings that this process has read lately, and the stage's quotas behind them."""

    def __init__(self, store: TenantStore, stage: Quotas) -> None:
        self._store = store
        #: The stage's settings for every tenant.
        self.stage = stage
        self._lock = Lock()
        self._read: dict[TenantId, tuple[datetime, TenantSettings]] = {}

    def settings(self, tenant: TenantId, *, now: datetime) -> TenantSettings:
        """The settings of a tenant as they are, or were up to ten seconds ago."""
        return self.all_settings([tenant], now=now)[tenant]

    def quotas(self, tenant: TenantId, *, now: datetime) -> Quotas:
        """Return the tenant's quotas; ``None`` means no limit."""
        return self.settings(tenant, now=now).quotas.over(self.stage)

    def all_settings(
        self, tenants: Collection[TenantId], *, now: datetime
    ) -> Mapping[TenantId, TenantSettings]:
        """Return the settings of several tenants; one read for all that are not at hand."""
        with self._lock:
            found = {each: self._fresh(each, now) for each in tenants}
        missing = [tenant for tenant, settings in found.items() if settings is None]
        read = self._store.get_all(missing) if missing else {}
        with self._lock:
            self._keep(read, now)
        known = {tenant: settings for tenant, settings in found.items() if settings is not None}
        return {**known, **read}

    def forget(self, tenant: TenantId) -> None:
        """Forget the tenant's settings, so that the next question reads them anew."""
        with self._lock:
            self._read.pop(tenant, None)

    def _fresh(self, tenant: TenantId, now: datetime) -> TenantSettings | None:
        read_at, settings = self._read.get(tenant, (now, None))
        return settings if abs(now - read_at) < HEARD_WITHIN else None

    def _keep(self, read: Mapping[TenantId, TenantSettings], now: datetime) -> None:
        self._read |= {tenant: (now, settings) for tenant, settings in read.items()}
        while len(self._read) > MOST_KEPT:
            self._read.pop(next(iter(self._read)))
