"""Calendar events and time spans of systemd, as cron patterns and seconds.

Source: systemd.time(7). Weekday and day must both match there, as they do here beside a star.
"""

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput

_SHORT = {
    "minutely": "*-*-* *:*:00",
    "hourly": "*-*-* *:00:00",
    "daily": "*-*-* 00:00:00",
    "monthly": "*-*-01 00:00:00",
    "weekly": "Mon *-*-* 00:00:00",
    "yearly": "*-01-01 00:00:00",
    "annually": "*-01-01 00:00:00",
    "quarterly": "*-01,04,07,10-01 00:00:00",
    "semiannually": "*-01,07-01 00:00:00",
    "semi-annually": "*-01,07-01 00:00:00",
    "biannually": "*-01,07-01 00:00:00",
    "bi-annually": "*-01,07-01 00:00:00",
}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = re.compile(r"[a-z]++(?:(?:\.\.|-|,)[a-z]++)*+,?", re.ASCII)
_RANGE = re.compile(r"\.\.|-")
_DATE = re.compile(
    r"(?:(?P<year>[\d*.,/]++)-(?=[^-~]*+[-~]))?(?P<month>[\d*.,/]++)(?P<mark>[-~])(?P<day>[\d*.,/]++)"
)
_TIME = re.compile(r"(?P<hour>[\d*.,/]++):(?P<minute>[\d*.,/]++)(?::(?P<second>[\d*.,/]++))?+")
_COMPONENT = re.compile(
    r"(?P<first>\d{1,4}+)(?:\.\.(?P<last>\d{1,4}+))?+(?:/(?P<step>\d{1,4}+))?+", re.ASCII
)
#: Values of each component; days from the end of a month have their own.
_VALUES = {
    "year": range(1970, 2200),
    "month": range(1, 13),
    "day": range(1, 32),
    "hour": range(24),
    "minute": range(60),
    "second": range(60),
}
_DAYS_FROM_END = range(1, 29)
_SPAN_PART = re.compile(r"(\d{1,18}+(?:\.\d{1,18}+)?+)(?![\d.])\s*+([a-zA-Zµ]*+)\s*+")
_UNITS: dict[str, Fraction] = {
    **dict.fromkeys(("us", "usec", "µs"), Fraction(1, 1_000_000)),
    **dict.fromkeys(("ms", "msec"), Fraction(1, 1000)),
    **dict.fromkeys(("", "s", "sec", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("m", "min", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hr", "hour", "hours"), Fraction(3600)),
    **dict.fromkeys(("d", "day", "days"), Fraction(86_400)),
    **dict.fromkeys(("w", "week", "weeks"), Fraction(604_800)),
    # 30.44 and 365.25 days.
    **dict.fromkeys(("M", "month", "months"), Fraction(2_630_016)),
    **dict.fromkeys(("y", "year", "years"), Fraction(31_557_600)),
}
_WEEK = 7
_LAST_WEEK_BEGINS = 29


class CalendarEvent(NamedTuple):
    """A pattern, and the zone that the text names itself."""

    cron: str
    timezone: str | None


class _Parts(NamedTuple):
    weekdays: str
    date: str
    time: str
    timezone: str | None


def read_calendar_event(text: str) -> CalendarEvent:
    """Read ``Mon..Fri *-*-* 02:00:00 Europe/Berlin``; raises ``InvalidInput``."""
    parts = _split(text)
    year, month, mark, day = _date(parts.date)
    time = _TIME.fullmatch(parts.time)
    if time is None:
        _refuse(f"{parts.time!r} is no time of day such as 02:00:00 or *:0/15.")
    second, minute, hour = (
        _field(time[name] or "0", _VALUES[name]) for name in ("second", "minute", "hour")
    )
    weekdays = _weekdays(parts.weekdays)
    days = _from_end(day) if mark == "~" else _field(day, _VALUES["day"])
    if weekdays != "*" and days != "*":
        days, weekdays = "*", _nth_weekdays(day, mark, weekdays)
    fields = [minute, hour, days, _field(month, _VALUES["month"]), weekdays]
    years = _field(year, _VALUES["year"])
    if years != "*":
        fields = [second, *fields, years]
    elif second not in {"0", "00"}:
        fields = [second, *fields]
    return CalendarEvent(" ".join(fields), parts.timezone)


def read_time_span(text: str) -> Fraction:
    """Read ``1h 30min`` in seconds; raises ``InvalidInput``."""
    total, position = Fraction(0), 0
    stripped = text.strip()
    while match := _SPAN_PART.match(stripped, position):
        if match[2] not in _UNITS:
            break
        total += Fraction(match[1]) * _UNITS[match[2]]
        position = match.end()
    if not stripped or position < len(stripped):
        _refuse(f"{text!r} is no time span such as 5min or 1h 30min.")
    return total


def _split(text: str) -> _Parts:
    words = text.split()
    if not words:
        _refuse("It is empty.")
    if words[0].startswith("@"):
        _refuse("Seconds since 1970 name one instant: use a schedule of kind at.")
    words[:1] = _SHORT.get(words[0].lower(), words[0]).split()
    weekdays, date, time, zone = "", "*-*-*", "00:00:00", None
    if _WEEKDAYS.fullmatch(words[0].lower()) and words[0].upper() != "UTC":
        weekdays = words.pop(0).lower()
    if words and words[-1][0].isalpha():
        zone = _zone(words.pop())
    if words and ":" not in words[0]:
        date = words.pop(0)
    if words and ":" in words[0]:
        time = words.pop(0)
    if words:
        _refuse(f"{words[0]!r} is not read there: weekdays, date, time and zone, in this order.")
    return _Parts(weekdays, date, time, zone)


def _zone(word: str) -> str:
    name = "UTC" if word.upper() == "UTC" else word
    load_zone(name)
    return name


def _date(text: str) -> tuple[str, str, str, str]:
    match = _DATE.fullmatch(text)
    if match is None:
        _refuse(f"{text!r} is no date such as *-*-01, 2026-12-* or *-02~01.")
    return match["year"] or "*", match["month"], match["mark"], match["day"]


def _field(text: str, values: range, *, from_end: bool = False) -> str:
    """Write a component as cron does: ``1..5/2,9`` as ``1-5/2,9``."""
    if text == "*":
        return text
    items = text.split(",")
    for item in items:
        match = _COMPONENT.fullmatch(item)
        if match is None:
            _refuse(f"{item!r} is no value, range a..b or repetition a/n of whole numbers.")
        first, last, step = (None if each is None else int(each) for each in match.groups())
        if first is None or not _is_taken(first, last, step, values, from_end=from_end):
            _refuse(
                f"systemd refuses {item!r}: values are {values[0]} to {values[-1]}, ranges rise,"
                " and a repetition comes once more within them."
            )
    return ",".join(item.replace("..", "-") for item in items)


def _is_taken(
    first: int, last: int | None, step: int | None, values: range, *, from_end: bool
) -> bool:
    """Judge as systemd's ``chain_valid`` does: a repetition has to come at least once more."""
    repeat = step if step is not None else int(last is not None)
    if first not in values or step == 0 or repeat > values[-1] - values[0]:
        return False
    if last is None:
        return (first - repeat if from_end else first + repeat) in values
    # A range ends with its last repetition.
    end = last - (last - first) % repeat if last > first else last
    return last in values and first + repeat <= end


def _from_end(day: str) -> str:
    """Write days counted from the end: ``~03`` is ``L-2``, ``~07/1`` the last seven days."""
    return ",".join(f"L-{back}" if back else "L" for back in _backs(day))


def _backs(day: str) -> list[int]:
    """Count days back from the last one, which is 0."""
    backs: list[int] = []
    for item in _field(day, _DAYS_FROM_END, from_end=True).split(","):
        base, _, step = item.partition("/")
        if not base.isdigit() or (step and step != "1") or int(base) < 1:
            _refuse(f"~{day} is read with single days, or as ~n/1 for the last n days.")
        backs += range(int(base) - 1, -1, -1) if step else [int(base) - 1]
    return backs


def _weekdays(text: str) -> str:
    if not text:
        return "*"
    items = [[_weekday(name) for name in _RANGE.split(item)] for item in text.split(",") if item]
    for names in items:
        if sorted(names, key=_DAYS.index) != names:
            _refuse(
                f"systemd refuses {'..'.join(names)!r}: ranges of weekdays rise from Monday on."
            )
    return ",".join("-".join(names) for names in items)


def _weekday(name: str) -> str:
    short = name[:3]
    if short not in _DAYS or name not in {short, _FULL_NAMES[_DAYS.index(short)]}:
        _refuse(f"{name!r} is no weekday.")
    return short


def _nth_weekdays(day: str, mark: str, weekdays: str) -> str:
    """Write a weekday within one week of the month: ``Mon *-*-1..7`` as ``mon#1``.

    No cron pattern asks for a weekday and a set of days at once, other than in these cases.
    """
    names = _named_weekdays(weekdays)
    if mark == "~" and sorted(_backs(day)) == list(range(_WEEK)):
        return ",".join(f"{name}L" for name in names)
    first, _, last = day.partition("..")
    if mark == "-" and first.isdigit() and last.isdigit():
        begin = int(first)
        whole = int(last) == begin + _WEEK - 1 and begin % _WEEK == 1
        if whole and begin < _LAST_WEEK_BEGINS:
            return ",".join(f"{name}#{begin // _WEEK + 1}" for name in names)
    detail = "Weekday and day must both match there; only whole weeks such as 1..7 can be written."
    raise InvalidInput("schedule.cron", "invalid_calendar_event", detail)


def _named_weekdays(weekdays: str) -> list[str]:
    """List each weekday of a field such as ``mon-wed,fri``."""
    names: list[str] = []
    for item in weekdays.split(","):
        first, _, last = item.partition("-")
        begin = _DAYS.index(first)
        length = (_DAYS.index(last or first) - begin) % _WEEK
        names += [_DAYS[(begin + step) % _WEEK] for step in range(length + 1)]
    return names


def _refuse(detail: str) -> NoReturn:
    raise InvalidInput("schedule.cron", "invalid_calendar_event", detail)
