"""Calendars and freezes, as the use cases see them."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze, FreezeId
from timegate.domain.restrictions.restrictions import CalendarRef, RestrictionsInForce
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarPage(NamedPage[Calendar]):
    """Calendars, and those between them whose records cannot be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FreezePage(NamedPage[Freeze]):
    """Freezes, and those between them whose records cannot be read."""


class RestrictionStore(Protocol):
    """Calendars and freezes, tenant by tenant. Raises ``Throttled`` everywhere.

    Every write changes the record of what is in force together with the calendar or freeze, so
    neither is ever without the other.
    """

    def put_calendar(
        self, tenant: TenantId, calendar: Calendar, *, expected_version: int | None
    ) -> Calendar:
        """Store a calendar in place of the one of its name; returns it with its new version.

        ``expected_version``: the version that it replaces, 0 if there must be none; ``None``:
        whatever there is. Raises ``CalendarVersionMismatch`` and ``TooManyCalendars``.
        """

    def get_calendar(self, tenant: TenantId, name: str) -> Calendar:
        """A calendar, strongly consistent; raises ``CalendarNotFound``."""

    def delete_calendar(
        self, tenant: TenantId, name: str, *, expected_version: int | None, now: datetime
    ) -> None:
        """Forget a calendar; raises ``CalendarNotFound`` and ``CalendarVersionMismatch``."""

    def list_calendars(self, tenant: TenantId, *, limit: int, cursor: str | None) -> CalendarPage:
        """The calendars of a tenant, by name; raises ``InvalidInput`` for a cursor that is none."""

    def put_freeze(self, tenant: TenantId, freeze: Freeze, *, now: datetime) -> Freeze:
        """Store a freeze unless its id exists; returns what is stored, new or old.

        One that was asked for with the same Idempotency-Key is the same, while it lasts and a
        month longer. Raises ``TooManyFreezes``.
        """

    def get_freeze(self, tenant: TenantId, freeze_id: FreezeId) -> Freeze:
        """A freeze, whether or not it has ended; raises ``FreezeNotFound``."""

    def lift_freeze(self, tenant: TenantId, freeze_id: FreezeId, *, now: datetime) -> Freeze:
        """End a freeze at ``now``; one that has ended stays as it is; raises ``FreezeNotFound``."""

    def unended_freezes(self, tenant: TenantId, *, now: datetime) -> tuple[Freeze, ...]:
        """Return freezes that have not ended, by the instant at which they start."""

    def list_freezes(self, tenant: TenantId, *, limit: int, cursor: str | None) -> FreezePage:
        """All freezes on record, the last to start first; raises ``InvalidInput`` for a cursor
        that is none. One that has ended is kept as long as runs are.
        """

    def in_force(self, tenants: Collection[TenantId]) -> Mapping[TenantId, RestrictionsInForce]:
        """Return the restrictions in force at each of these tenants: one read for up to
        ninety-nine.

        Freezes of the whole stage are among them. ``ADMINISTRATION`` alone has those.

        A record that cannot be read raises ``Malformed`` once it is asked for, and hides no other.
        """

    def calendars(self, wanted: Collection[CalendarRef]) -> Mapping[CalendarRef, Calendar]:
        """Calendars by version: those that still are, each at that version or a later one."""
