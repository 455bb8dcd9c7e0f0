"""Refusing jobs that name calendars that do not exist."""

from collections.abc import Collection, Sequence

from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices


def refuse_unknown_calendars(
    tenant: TenantId, rules: Sequence[CalendarRule], services: ApiServices
) -> None:
    """Raise ``InvalidInput`` for the first rule whose calendar the tenant does not have.

    One may be deleted later: what its jobs do then is said at ``delete_calendar``.
    """
    if not rules:
        return
    in_force = services.restrictions.in_force([tenant]).get(tenant, NOTHING_IN_FORCE)
    refuse_unknown(rules, in_force.calendars.keys())


def refuse_unknown(rules: Sequence[CalendarRule], known: Collection[str]) -> None:
    """Refuse calendars whose names are not among the known ones."""
    for number, rule in enumerate(rules):
        if rule.calendar not in known:
            detail = f"There is no calendar {rule.calendar}."
            raise InvalidInput(f"calendars.{number}.calendar", "unknown_calendar", detail)
