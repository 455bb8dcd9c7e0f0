"""Calendars at hand: what is in force says which versions there are, and they never change."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from threading import Lock

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.jobs.job import Timing
from timegate.domain.restrictions.restrictions import CalendarRef, Restrictions, RestrictionsInForce
from timegate.domain.values.tenant import TenantId
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry

#: Calendars that a process keeps: of the size that most have, a few megabytes.
MOST_KEPT = 500


class CalendarsAtHand:
    """The calendars that this process has read before, for as long as it lives."""

    def __init__(
        self,
        store: RestrictionStore,
        telemetry: Telemetry,
        *,
        lost_until: Callable[[], datetime | None] = lambda: None,
    ) -> None:
        self._store = store
        self._lost_until = lost_until
        self._telemetry = telemetry
        self._lock = Lock()
        self._kept: OrderedDict[CalendarRef, Calendar] = OrderedDict()

    def restrictions(
        self, timings: Iterable[Timing], in_force: Mapping[TenantId, RestrictionsInForce]
    ) -> dict[TenantId, Restrictions]:
        """Return the restrictions that decide about these jobs, by tenant.

        Costs one read for all calendars that are new here, and none without any.
        """
        wanted = {ref for timing in timings for ref in self._refs(timing, in_force)}
        found = self._take(wanted)
        calendars: dict[TenantId, dict[str, Calendar]] = {tenant: {} for tenant in in_force}
        for ref, calendar in found.items():
            calendars[ref.tenant][ref.name] = calendar
        lost_until = self._lost_until()
        return {
            tenant: Restrictions(
                freezes=each.freezes, calendars=calendars[tenant], lost_until=lost_until
            )
            for tenant, each in in_force.items()
        }

    def _refs(
        self, timing: Timing, in_force: Mapping[TenantId, RestrictionsInForce]
    ) -> Iterable[CalendarRef]:
        versions = in_force[timing.tenant].calendars
        for rule in timing.calendars:
            if rule.calendar in versions:
                version = versions[rule.calendar]
                yield CalendarRef(tenant=timing.tenant, name=rule.calendar, version=version)
            else:
                # It was deleted: it keeps the job from nothing, and operators should hear.
                self._telemetry.event(
                    service_events.CALENDAR_MISSING,
                    tenant_id=timing.tenant,
                    job_id=timing.job_id,
                    calendar=rule.calendar,
                )

    def _take(self, wanted: set[CalendarRef]) -> dict[CalendarRef, Calendar]:
        with self._lock:
            found = {ref: self._kept[ref] for ref in wanted if ref in self._kept}
        missing = wanted - found.keys()
        if missing:
            read = self._store.calendars(missing)
            found |= read
            self._keep(read.values())
        return found

    def _keep(self, calendars: Iterable[Calendar]) -> None:
        with self._lock:
            for each in calendars:
                ref = CalendarRef(tenant=each.tenant, name=each.name, version=each.version)
                self._kept[ref] = each
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
