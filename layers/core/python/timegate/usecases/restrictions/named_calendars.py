"""Calendars that are named, as the tenant has them now."""

from collections.abc import Iterable

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.restrictions import CalendarRef, RestrictionsInForce
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices


def named_calendars(
    tenant: TenantId, names: Iterable[str], in_force: RestrictionsInForce, services: ApiServices
) -> dict[str, Calendar]:
    """Return the calendars of these names that exist: one read for all, none for no name."""
    wanted = [
        CalendarRef(tenant=tenant, name=name, version=in_force.calendars[name])
        for name in sorted(set(names))
        if name in in_force.calendars
    ]
    found = services.restrictions.calendars(wanted) if wanted else {}
    return {ref.name: calendar for ref, calendar in found.items()}
