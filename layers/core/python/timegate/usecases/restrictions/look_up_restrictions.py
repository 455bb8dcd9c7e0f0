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
        self._stored: dict[TenantId, Mapping[TenantId, RestrictionsInForce]] = {}

    def of(self, timings: Sequence[Timing]) -> Mapping[TenantId, Restrictions]:
        """The restrictions of these jobs, by tenant; one read for all tenants that are new.

        Raises ``Malformed`` where a record of one of these tenants cannot be read.
        """
        tenants = {timing.tenant for timing in timings}
        self.learn(tenants)
        in_force = {tenant: self._stored[tenant][tenant] for tenant in tenants}
        return self._calendars.restrictions(timings, in_force)

    def learn(self, tenants: Iterable[TenantId]) -> None:
        """Read the restrictions in force at these tenants: one read for all that are new."""
        wanted = set(tenants)
        with self._lock:
            new = wanted - self._stored.keys()
            if new:
                self._stored |= dict.fromkeys(new, self._store.in_force(new))
