"""Filling a calendar from a file: its days and periods are replaced, all else of it stays."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from timegate.domain.calendars.calendar import (
    Calendar,
    CalendarName,
    DayRange,
    Period,
    check_calendar,
)
from timegate.domain.values.errors import CalendarNotFound, CalendarVersionMismatch
from timegate.domain.values.tenant import TenantId
from timegate.usecases.restrictions.put_calendar import put_calendar
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: A writer that gets in between makes progress when it does.
MAX_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """Contents of a calendar file."""

    timezone: str
    days: tuple[DayRange, ...]
    periods: tuple[Period, ...]
    #: How many events the file has, and how often they occur in the time that was asked for.
    events: int
    occurrences: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportInto:
    """The calendar to fill."""

    tenant: TenantId
    name: str
    #: Fill this version only, 0: only if there is none; ``None``: whichever is stored.
    expected_version: int | None = None


#: Reads the file as a calendar of a zone; ``None``: of the zone that the file says.
Read = Callable[[str | None], Imported]


def import_calendar(
    into: ImportInto, read: Read, services: ApiServices, *, now: datetime
) -> tuple[Calendar, Imported]:
    """Replace the days and periods of a calendar, or create it; returns it and what was read.

    Importing a later edition of the same file so leaves nothing of the earlier one. Raises
    ``InvalidInput``, whatever ``read`` raises, and as ``put_calendar``.
    """
    blank = Calendar(tenant=into.tenant, name=CalendarName(into.name), updated_at=now)
    # Before a file is read for nothing.
    check_calendar(blank)
    before = _stored(into, services)
    imported = read(None if before is None else before.timezone)
    for _ in range(MAX_TRIES):
        calendar = replace(
            before or blank,
            timezone=imported.timezone,
            days=imported.days,
            periods=imported.periods,
            updated_at=now,
        )
        version = 0 if before is None else before.version
        expected = version if into.expected_version is None else into.expected_version
        try:
            stored = put_calendar(calendar, services, expected_version=expected)
        except CalendarVersionMismatch:
            if into.expected_version is not None:
                raise
            before = _stored(into, services)
        else:
            return stored, imported
    raise CalendarVersionMismatch(into.name, version)


def _stored(into: ImportInto, services: ApiServices) -> Calendar | None:
    try:
        return services.restrictions.get_calendar(into.tenant, into.name)
    except CalendarNotFound:
        return None
