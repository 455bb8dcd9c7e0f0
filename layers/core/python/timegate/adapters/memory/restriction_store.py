"""Calendars and freezes, in memory."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze, FreezeId, lifted
from timegate.domain.restrictions.restrictions import (
    NOTHING_IN_FORCE,
    CalendarRef,
    InForce,
    with_calendar,
    without_calendar,
)
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.values.errors import CalendarNotFound, CalendarVersionMismatch, FreezeNotFound
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page


class MemoryRestrictionStore:
    """The twin of ``DynamoRestrictionStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def put_calendar(
        self, tenant: TenantId, calendar: Calendar, *, expected_version: int | None
    ) -> Calendar:
        """Store a calendar in place of the one of its name; returns it with its new version."""
        key = (tenant, calendar.name)
        with self._tables.lock:
            self._check_version(tenant, calendar.name, expected_version)
            version = self._tables.calendar_versions.get(key, 0) + 1
            stored = in_milliseconds(replace(calendar, tenant=tenant, version=version))
            self._tables.in_force[tenant] = with_calendar(self._in_force(tenant), stored)
            self._tables.calendar_versions[key] = version
            self._tables.told(
                tenant,
                (ResourceKind.CALENDAR, calendar.name),
                before=self._tables.calendars.get(key),
                after=stored,
                version=version,
            )
            self._tables.calendars[key] = stored
            return replace(calendar, tenant=tenant, version=version)

    def get_calendar(self, tenant: TenantId, name: str) -> Calendar:
        """A calendar; raises ``CalendarNotFound``."""
        with self._tables.lock:
            found = self._tables.calendars.get((tenant, name))
        if found is None:
            raise CalendarNotFound(name)
        return found

    def delete_calendar(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> None:
        """Forget a calendar; raises ``CalendarNotFound`` and ``CalendarVersionMismatch``."""
        del now
        with self._tables.lock:
            before = self.get_calendar(tenant, name)
            self._check_version(tenant, name, expected_version)
            self._tables.told(
                tenant,
                (ResourceKind.CALENDAR, name),
                before=before,
                after=None,
                version=before.version,
            )
            self._tables.in_force[tenant] = without_calendar(self._in_force(tenant), name)
            del self._tables.calendars[tenant, name]

    def list_calendars(self, tenant: TenantId, *, limit: int, cursor: str | None) -> Page[Calendar]:
        """The calendars of a tenant, by name."""
        listing = f"calendars#{tenant}"
        after = read_cursor(listing, cursor) if cursor is not None else ""
        with self._tables.lock:
            own = [each for each in self._tables.calendars.values() if each.tenant == tenant]
        rows = sorted((each for each in own if each.name > after), key=lambda each: each.name)
        more = write_cursor(listing, rows[limit - 1].name) if len(rows) > limit else None
        return Page(rows=tuple(rows[:limit]), cursor=more)

    def put_freeze(self, tenant: TenantId, freeze: Freeze, *, now: datetime) -> Freeze:
        """Store a freeze unless its id exists; returns what is stored, new or old."""
        with self._tables.lock:
            stored = self._tables.freezes.get((tenant, freeze.freeze_id))
            if stored is not None:
                return stored
            self._tables.put_freeze(tenant, freeze, now=now)
            self._told(None, freeze)
            return freeze

    def get_freeze(self, tenant: TenantId, freeze_id: FreezeId) -> Freeze:
        """A freeze, whether or not it has ended; raises ``FreezeNotFound``."""
        with self._tables.lock:
            found = self._tables.freezes.get((tenant, freeze_id))
        if found is None:
            raise FreezeNotFound(freeze_id)
        return found

    def lift_freeze(self, tenant: TenantId, freeze_id: FreezeId, *, now: datetime) -> Freeze:
        """End a freeze at ``now``; one that has ended stays as it is; raises ``FreezeNotFound``."""
        with self._tables.lock:
            before = self.get_freeze(tenant, freeze_id)
            after = lifted(before, now=now)
            if after != before:
                self._tables.put_freeze(tenant, after, now=now)
                self._told(before, after)
            return after

    def _told(self, before: Freeze | None, after: Freeze) -> None:
        resource = (ResourceKind.FREEZE, after.freeze_id)
        self._tables.told(after.tenant, resource, before=before, after=after)

    def unended_freezes(self, tenant: TenantId, *, now: datetime) -> tuple[Freeze, ...]:
        """Those that have not ended, by the instant at which they start."""
        with self._tables.lock:
            freezes = self._in_force(tenant).freezes
        return tuple(freeze for freeze in freezes if not freeze.has_ended(now))

    def list_freezes(self, tenant: TenantId, *, limit: int, cursor: str | None) -> Page[Freeze]:
        """All freezes on record, the last to start first."""
        listing = f"freezes#{tenant}"
        first = read_cursor(listing, cursor) if cursor is not None else "~"
        with self._tables.lock:
            own = [each for each in self._tables.freezes.values() if each.tenant == tenant]
        newest = sorted(own, key=lambda freeze: freeze.freeze_id, reverse=True)
        rows = [freeze for freeze in newest if freeze.freeze_id <= first]
        more = write_cursor(listing, rows[limit].freeze_id) if len(rows) > limit else None
        return Page(rows=tuple(rows[:limit]), cursor=more)

    def in_force(self, tenants: Collection[TenantId]) -> Mapping[TenantId, InForce]:
        """What is in force at each of these tenants."""
        with self._tables.lock:
            return {tenant: self._in_force(tenant) for tenant in tenants}

    def calendars(self, wanted: Collection[CalendarRef]) -> Mapping[CalendarRef, Calendar]:
        """Calendars by version: those that still are, each at that version or a later one."""
        with self._tables.lock:
            stored = self._tables.calendars
            return {
                ref: stored[ref.tenant, ref.name]
                for ref in wanted
                if (ref.tenant, ref.name) in stored
            }

    def _in_force(self, tenant: TenantId) -> InForce:
        return self._tables.in_force.get(tenant, NOTHING_IN_FORCE)

    def _check_version(self, tenant: TenantId, name: str, expected: int | None) -> None:
        stored = self._in_force(tenant).calendars.get(name, 0)
        if expected not in {None, stored}:
            raise CalendarVersionMismatch(name, stored)
