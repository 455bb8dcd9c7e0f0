"""Looking up what keeps jobs from running, tenant by tenant, once for a piece of work."""

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from timegate.domain.jobs.job import Timing
from timegate.domain.restrictions.restrictions import Restrictions, RestrictionsInForce
from timegate.domain.values.tenant import TenantId
from timegate.ports.restrictions import RestrictionStore
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand


class RestrictionLookup:
    """Restrictions in force, as they were at the first question of a tick or a request.

    A change meanwhile is seen by the next one, and by the worker that claims the runs.
    """

    def __init__(self, store: RestrictionStore, calendars: CalendarsAtHand) -> None:
        self._store = store
        self._calendars = calendars
        self._lock = Lock()
        self._in_force: dict[TenantId, RestrictionsInForce] = {}

    def of(self, timings: Sequence[Timing]) -> Mapping[TenantId, Restrictions]:
        """The restrictions of these jobs, by tenant; one read for all tenants that are new."""
        tenants = self.learn(timing.tenant for timing in timings)
        return self._calendars.restrictions(timings, tenants)

    def learn(self, tenants: Iterable[TenantId]) -> dict[TenantId, RestrictionsInForce]:
        """Return restrictions in force at these tenants; one read covers all new tenants."""
        wanted = set(tenants)
        with self._lock:
            new = wanted - self._in_force.keys()
            if new:
                self._in_force |= self._store.in_force(new)
            return {tenant: self._in_force[tenant] for tenant in wanted}
