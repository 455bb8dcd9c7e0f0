"""From a file's text to its events: parsed by ``icalendar``, and checked for what it lets pass."""

import re
from collections.abc import Iterator
from datetime import date, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from icalendar import Calendar, Component
from icalendar.error import InvalidCalendar

from api.ical.refusal import InvalidIcal, excerpt
from api.ical.revisions import latest
from api.ical.values import (
    EventLength,
    addition,
    listed,
    named_day,
    rule_text,
    stretch,
    the,
    wall_time,
)
from timegate.value_classes import dataclass

#: Properties that rule an event's instants; without one of these it would be another event.
_RULING = re.compile(r"DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS")


@dataclass(frozen=True, kw_only=True, slots=True)
class IcalEvent:
    """An event with all its repetitions."""

    uid: str
    #: The wall clock's time; midnight for an event of whole days.
    starts: datetime
    #: Its wall clock.
    clock: tzinfo
    whole_days: bool
    lasts: EventLength
    rules: tuple[str, ...] = ()
    rules_out: tuple[str, ...] = ()
    #: Further starts, each with a length of its own or ``None``.
    added: tuple[tuple[datetime, EventLength | None], ...] = ()
    left_out: frozenset[datetime] = frozenset()
    days_left_out: frozenset[date] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarFile:
    """A file: its events, and the zone in which its days are days."""

    zone: ZoneInfo
    events: tuple[IcalEvent, ...]


def read_events(text: str, timezone: str | None) -> CalendarFile:
    """The events that are not cancelled; raises ``InvalidIcal``."""
    calendars = _parse(text)
    said = next((str(c["X-WR-TIMEZONE"]) for c in calendars if "X-WR-TIMEZONE" in c), "UTC")
    zone = _zone(timezone or said.strip())
    components = [event for calendar in calendars for event in calendar.walk("VEVENT")]
    return CalendarFile(zone=zone, events=tuple(_events(components, zone)))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        detail = f"The file's days are those of {excerpt(name)}, which is no IANA time zone."
        raise InvalidIcal("unknown_timezone", detail) from error


def _parse(text: str) -> list[Component]:
    try:
        found: list[Component] = list(
            Calendar.from_ical(text.removeprefix("\ufeff"), multiple=True)
        )
    except (InvalidCalendar, ValueError, IndexError, KeyError, RecursionError) as error:
        raise InvalidIcal("invalid_ical", f"It is no iCal file: {excerpt(error)}") from error
    calendars = [each for each in found if each.name == "VCALENDAR"]
    if not calendars:
        raise InvalidIcal("invalid_ical", "It is no iCal file: it has no VCALENDAR.")
    return calendars


def _events(components: list[Component], zone: ZoneInfo) -> Iterator[IcalEvent]:
    instead: dict[str, list[Component]] = {}
    for each in components:
        _check(each)
    components = latest(components)
    for each in components:
        if "RECURRENCE-ID" in each:
            instead.setdefault(_whole_uid(each), []).append(each)
    for each in components:
        if str(each.get("STATUS", "")).upper() != "CANCELLED":
            try:
                moved = [] if "RECURRENCE-ID" in each else instead.get(_whole_uid(each), [])
                yield _event(each, moved, zone)
            except (InvalidCalendar, OverflowError, AttributeError, ValueError) as error:
                # Values that the library lets pass, and that then are none.
                raise _invalid(each, excerpt(error)) from error


def _check(component: Component) -> None:
    """Refuse what would be another event without what could not be read of it."""
    for name, why in component.errors:
        if _RULING.search(name or str(why)):
            raise _invalid(component, f"{name or 'a line'} cannot be read ({excerpt(why)})")
    if "DTSTART" not in component:
        raise _invalid(component, "it has no DTSTART")
    if any("RANGE" in each.params for each in listed(component, "RECURRENCE-ID")):
        detail = f"Event {_uid(component)}: RANGE=THISANDFUTURE is not read; split the event."
        raise InvalidIcal("unsupported_recurrence", detail)


def _event(component: Component, moved: list[Component], zone: ZoneInfo) -> IcalEvent:
    starts = the(component, "DTSTART")
    clock = getattr(starts.dt, "tzinfo", None) or zone
    whole_days = not isinstance(starts.dt, datetime)
    rules = {name: _rules(component, name, clock) for name in ("RRULE", "EXRULE")}
    gone = [*_dates(component, "EXDATE"), *(the(each, "RECURRENCE-ID") for each in moved)]
    hours, days = set(), set()
    for moment in gone:
        if whole_days or not isinstance(moment.dt, datetime):
            days.add(named_day(moment, clock))
        else:
            hours.add(wall_time(moment, clock))
    return IcalEvent(
        uid=_uid(component),
        starts=wall_time(starts, clock),
        clock=clock,
        whole_days=whole_days,
        lasts=stretch(component, zone),
        rules=rules["RRULE"],
        rules_out=rules["EXRULE"],
        added=tuple(
            addition(moment, clock, whole_days=whole_days) for moment in _dates(component, "RDATE")
        ),
        left_out=frozenset(hours),
        days_left_out=frozenset(days),
    )


def _rules(component: Component, name: str, clock: tzinfo) -> tuple[str, ...]:
    """Return the rules of an event; an empty one, as feeds of holidays write it, is none.

    A component that stands for one occurrence repeats nothing.
    """
    rules = [] if "RECURRENCE-ID" in component else listed(component, name)
    return tuple(rule_text(rule, clock) for rule in rules if rule)


def _dates(component: Component, name: str) -> list[Any]:
    """Return further or left out dates; a component that stands for one occurrence has none."""
    found = [] if "RECURRENCE-ID" in component else listed(component, name)
    return [moment for dates in found for moment in dates.dts]


def _whole_uid(component: Component) -> str:
    """Return what tells events apart; those of Exchange are alike for 100 characters and more."""
    return str(component.get("UID", ""))


def _uid(component: Component) -> str:
    return excerpt(component.get("UID", "without UID"))


def _invalid(component: Component, why: str) -> InvalidIcal:
    return InvalidIcal("invalid_ical", f"Event {_uid(component)}: {why}.")
