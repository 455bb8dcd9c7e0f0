"""Event triggers at hand: what a process read of them a moment ago."""

from dataclasses import replace
from datetime import datetime, timedelta
from threading import Lock

from timegate.domain.values.tenant import TenantId
from timegate.ports.event_triggers import EventTriggerPage, EventTriggerStore

#: A change is known in every process within this time; the price is a query for each process,
#: tenant and so long, while events come.
KNOWN_WITHIN = timedelta(seconds=10)
#: Tenants whose triggers a process keeps: those that were read first are read again.
MOST_KEPT = 100


class EventTriggersAtHand:
    """The triggers of tenants that this process has read lately."""

    def __init__(self, store: EventTriggerStore) -> None:
        self._store = store
        self._lock = Lock()
        self._read: dict[TenantId, tuple[datetime, EventTriggerPage]] = {}

    def own(self, tenant: TenantId, *, now: datetime) -> EventTriggerPage:
        """The active triggers of a tenant's own events, as they are, or were ten seconds ago.

        Those of web hooks have events of their own. Damaged ones may be such.
        """
        with self._lock:
            read_at, kept = self._read.get(tenant, (now, None))
        if kept is not None and abs(now - read_at) < KNOWN_WITHIN:
            return kept
        found = self._store.all_of(tenant)
        rows = tuple(each for each in found.rows if each.is_active and each.hook is None)
        own = replace(found, rows=rows)
        with self._lock:
            self._read[tenant] = (now, own)
            while len(self._read) > MOST_KEPT:
                self._read.pop(next(iter(self._read)))
        return own

    def forget(self, tenant: TenantId) -> None:
        """Forget a tenant's triggers, so that the next event reads them anew."""
        with self._lock:
            self._read.pop(tenant, None)
