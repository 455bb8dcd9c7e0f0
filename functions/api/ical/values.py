"""The values of an event's properties: moments, lengths and rules."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from icalendar import Component, vRecur

from api.ical.refusal import InvalidIcal, excerpt
from timegate.value_classes import dataclass

_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class EventLength:
    """Length of an event: days of the calendar, then real time."""

    days: int = 0
    time: timedelta = timedelta(0)


def the(component: Component, name: str) -> Any:  # noqa: ANN401 - icalendar's
    """A property that is there; its type is whichever the file gives it."""
    return component[name]


def listed(component: Component, name: str) -> list[Any]:
    """A property that may be there once, several times, or not at all."""
    value: Any = component.get(name, [])
    return value if isinstance(value, list) else [value]


def wall_time(moment: Any, clock: tzinfo) -> datetime:  # noqa: ANN401 - icalendar's
    """A moment on a wall clock; a day is its midnight. Raises ``InvalidIcal``."""
    return _on_wall(_known(moment), clock)


def named_day(moment: Any, clock: tzinfo) -> date:  # noqa: ANN401 - icalendar's
    """Return the day of a moment for an event of whole days; raises ``InvalidIcal``.

    Midnight names its own day, whatever its zone: Outlook so names occurrences of such events.
    """
    value = _known(moment)
    if isinstance(value, datetime) and value.time() != time():
        value = _on_wall(value, clock)
    return value.date() if isinstance(value, datetime) else value


def utc(wall: datetime, clock: tzinfo) -> datetime:
    """The instant at which a wall clock shows a time.

    RFC 5545 takes the first of two, and for a time that a day does not have the one that the offset
    before it gives.
    """
    instant = wall.replace(tzinfo=clock).astimezone(UTC)
    if instant.astimezone(clock).replace(tzinfo=None, fold=0) == wall:
        return instant
    before = (wall - _DAY).replace(tzinfo=clock).utcoffset() or timedelta(0)
    return (wall - before).replace(tzinfo=UTC)


def stretch(component: Component, zone: tzinfo) -> EventLength:
    """Return the length of an event; raises ``InvalidIcal``."""
    begin = _known(the(component, "DTSTART"))
    if "DTEND" in component:
        return _between(begin, _known(the(component, "DTEND")), zone)
    if "DURATION" in component:
        lasts: timedelta = the(component, "DURATION").dt
        if lasts < timedelta(0):
            raise InvalidIcal("invalid_ical", f"A duration is negative: {lasts}.")
        return EventLength(days=lasts.days, time=lasts - timedelta(days=lasts.days))
    return EventLength(days=0 if isinstance(begin, datetime) else 1)


def addition(
    moment: Any,  # noqa: ANN401 - icalendar's
    clock: tzinfo,
    *,
    whole_days: bool,
) -> tuple[datetime, EventLength | None]:
    """A further start, and the length that it brings along, if any."""
    if whole_days and not isinstance(moment.dt, tuple):
        return datetime.combine(named_day(moment, clock), time()), None
    if not isinstance(moment.dt, tuple):
        return wall_time(moment, clock), None
    begin, end = moment.dt
    if isinstance(end, timedelta):
        return _on_wall(begin, clock), EventLength(time=end)
    return _on_wall(begin, clock), _between(begin, end, clock)


def rule_text(rule: vRecur, clock: tzinfo) -> str:
    """A rule as it is on the wall clock: its end loses its zone."""
    parts: dict[str, Any] = dict(rule)
    untils = parts.pop("UNTIL", [])
    written: bytes = vRecur(parts).to_ical()  # type: ignore[no-untyped-call]
    text = written.decode()
    for until in untils:
        last = _on_wall(until, clock)
        if not isinstance(until, datetime):
            last = datetime.combine(until, time(23, 59, 59))
        text += f";UNTIL={last:%Y%m%dT%H%M%S}"
    return text


def _known(moment: Any) -> date | datetime:  # noqa: ANN401 - icalendar's
    """The moment itself, unless its zone is unknown."""
    value: date | datetime = moment.dt
    named = moment.params.get("TZID")
    if isinstance(value, datetime) and value.tzinfo is None and named is not None:
        detail = f"{excerpt(named)} is no IANA time zone, and the file does not define it."
        raise InvalidIcal("unknown_timezone", detail)
    return value


def _on_wall(value: date | datetime, clock: tzinfo) -> datetime:
    if not isinstance(value, datetime):
        return datetime.combine(value, time())
    if value.tzinfo is not None:
        value = value.astimezone(clock)
    return value.replace(tzinfo=None, fold=0)


def _between(begin: date | datetime, end: date | datetime, zone: tzinfo) -> EventLength:
    if not isinstance(begin, datetime) and not isinstance(end, datetime):
        # DTEND is the day after the last; the same day twice is a common slip.
        return EventLength(days=max(1, (end - begin).days))
    if not isinstance(begin, datetime) or not isinstance(end, datetime):
        raise InvalidIcal("invalid_ical", "DTSTART and DTEND are not both days or both times.")
    length = _instant(end, zone) - _instant(begin, zone)
    if length < timedelta(0):
        raise InvalidIcal("invalid_ical", f"An event ends before it begins: {begin} to {end}.")
    return EventLength(time=length)


def _instant(value: datetime, zone: tzinfo) -> datetime:
    """Return the instant of a datetime with a zone or without."""
    clock = value.tzinfo or zone
    return utc(value.replace(tzinfo=None, fold=0), clock)
