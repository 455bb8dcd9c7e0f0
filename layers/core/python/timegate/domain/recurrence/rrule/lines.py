"""The text of a rule as calendars export it: lines of DTSTART, RRULE, EXDATE and RDATE."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from timegate.domain.recurrence.cron.wall_clock import LAST_YEAR
from timegate.domain.recurrence.rrule.parts import FIRST_YEAR, canonical_rrule, parse_rrule, refuse
from timegate.domain.recurrence.schedule import MAX_LINES_CHARACTERS, Schedule
from timegate.domain.recurrence.wall_times.fires import instant_of
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput

_FOLDED = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r"(?P<name>[A-Z]+)(?P<parameters>(?:;[^:]*)?):(?P<value>.*)", re.IGNORECASE)
_LOCAL = re.compile(r"\d{8}T\d{6}Z?", re.ASCII)
_LOCAL_CHARACTERS = len("20261127T090000")
_NAMES = ("DTSTART", "RRULE", "EXDATE", "RDATE")
_ONCE = ("DTSTART", "RRULE")
_UTC = "UTC"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


class _Line(NamedTuple):
    name: str
    #: Zone of TZID; ``None`` without one.
    zone: str | None
    value: str


def read_lines(schedule: Schedule) -> Schedule:
    """Bring an ``rrule`` schedule into the form in which it is stored.

    Lines fill ``starts_at``, ``timezone``, ``exdates`` and ``rdates``. Dates are in order, each
    once; the rule's parts are in one order. Raises ``InvalidInput``.
    """
    text = schedule.rrule or ""
    if len(text) > MAX_LINES_CHARACTERS:
        refuse(f"The text is longer than {MAX_LINES_CHARACTERS} characters.")
    lines = [_read_line(line) for line in _FOLDED.sub("", text).splitlines() if line.strip()]
    for name in _ONCE:
        if sum(line.name == name for line in lines) > 1:
            refuse(f"There is more than one line {name}.")
    rule = next((line.value for line in lines if line.name == "RRULE"), "")
    schedule = replace(schedule, rrule=canonical_rrule(parse_rrule(rule)))
    for line in lines:
        if line.name == "DTSTART":
            schedule = _begun(schedule, line)
    exdates = [each for line in lines if line.name == "EXDATE" for each in _dates(schedule, line)]
    rdates = [each for line in lines if line.name == "RDATE" for each in _dates(schedule, line)]
    return replace(
        schedule,
        exdates=tuple(sorted({*schedule.exdates, *exdates})),
        rdates=tuple(sorted({*schedule.rdates, *rdates})),
    )


def _read_line(text: str) -> _Line:
    if "=" in text and ":" not in text:
        text = f"RRULE:{text}"
    match = _LINE.fullmatch(text.strip())
    name = match["name"].upper() if match else ""
    if match is None or name not in _NAMES:
        refuse(f"{text[:60]!r} is none of the lines {', '.join(_NAMES)}.")
    zone = None
    for parameter in filter(None, match["parameters"].split(";")):
        key, _, value = parameter.partition("=")
        if key.upper() == "TZID":
            zone = value.strip('"')
        elif parameter.upper() != "VALUE=DATE-TIME":
            refuse(f"{parameter!r} in {name} is not read: write a time such as 20261127T090000.")
    return _Line(name, zone, match["value"].strip())


def _begun(schedule: Schedule, line: _Line) -> Schedule:
    if line.zone is not None:
        if schedule.timezone not in {_UTC, line.zone}:
            detail = f"DTSTART says {line.zone}. Leave one of the two out."
            raise InvalidInput("schedule.timezone", "contradictory", detail)
        schedule = replace(schedule, timezone=line.zone)
    load_zone(schedule.timezone)
    begin = _instant(schedule.timezone, line.value)
    if not _shows(schedule.timezone, begin, line.value):
        refuse(
            f"DTSTART {line.value} is a time that the clock of {schedule.timezone} skips, so that"
            " the rule would take another time of day from it: begin at one that it shows."
        )
    if schedule.starts_at not in {None, begin}:
        detail = "DTSTART says another instant. Leave one of the two out."
        raise InvalidInput("schedule.starts_at", "contradictory", detail)
    return replace(schedule, starts_at=begin)


def _shows(zone: str, instant: datetime, text: str) -> bool:
    """Tell if the clock shows a written time at the instant that it became; or it is in UTC."""
    wall = instant if text.upper().endswith("Z") else instant.astimezone(load_zone(zone))
    return f"{wall:%Y%m%dT%H%M%S}" == text.upper().removesuffix("Z")


def _dates(schedule: Schedule, line: _Line) -> list[datetime]:
    zone = line.zone or schedule.timezone
    load_zone(zone)
    return [_instant(zone, text) for text in line.value.split(",")]


def _instant(zone: str, text: str) -> datetime:
    """Read ``20261127T090000`` on the wall of a zone, or with a Z in UTC."""
    written = text.strip().upper()
    try:
        local = datetime.strptime(written[:_LOCAL_CHARACTERS], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        local = None
    if local is None or not _LOCAL.fullmatch(written):
        refuse(f"{text[:40]!r} is no time such as 20261127T090000.")
    if not FIRST_YEAR <= local.year <= LAST_YEAR:
        refuse(f"{written} is not of the years {FIRST_YEAR} to {LAST_YEAR}.")
    if written.endswith("Z"):
        return local
    seconds = instant_of(zone, (local - _EPOCH) // _SECOND)
    return datetime.fromtimestamp(seconds, UTC)
