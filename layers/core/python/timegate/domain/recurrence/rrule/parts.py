"""The text of a recurrence rule: its parts, what each accepts, and which go together.

The grammar and the table of parts that exclude each other are those of RFC 5545, section 3.3.10.
"""

import re
from collections.abc import Callable
from datetime import datetime
from enum import IntEnum
from functools import lru_cache
from typing import Any, NoReturn

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: A longer rule names nothing that a shorter one could not, and every distinct one is cached.
MAX_RRULE_CHARACTERS = 1000
MAX_INTERVAL = 1_000_000
MAX_COUNT = 1_000_000_000
#: No rule begins before it.
FIRST_YEAR = 1900

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_LEAP_SECOND = 60
_DAY = re.compile(r"(?P<nth>[+-]?\d{1,2})?(?P<weekday>[A-Z]{2})", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,10}", re.ASCII)
_UNTIL = re.compile(r"\d{8}(?:T\d{6}Z?)?", re.ASCII)
_MOST_WEEKS = 53
_FIRST_WEEK_FROM_END = -52


class Frequency(IntEnum):
    """The period of a rule, from the longest to the shortest."""

    YEARLY = 0
    MONTHLY = 1
    WEEKLY = 2
    DAILY = 3
    HOURLY = 4
    MINUTELY = 5
    SECONDLY = 6


@dataclass(frozen=True, slots=True)
class Until:
    """The last time that a rule may name: an instant (``is_utc``), or a time of its zone."""

    text: str
    #: Without a zone; of a date, the last second of that day.
    at: datetime
    is_utc: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RruleParts:
    """A rule as it was written; an empty tuple stands for a part that is absent."""

    freq: Frequency
    interval: int = 1
    count: int | None = None
    until: Until | None = None
    bysecond: tuple[int, ...] = ()
    byminute: tuple[int, ...] = ()
    byhour: tuple[int, ...] = ()
    #: Weekdays from Monday 0, each with its ordinal; 0 stands for every such day.
    byday: tuple[tuple[int, int], ...] = ()
    bymonthday: tuple[int, ...] = ()
    byyearday: tuple[int, ...] = ()
    byweekno: tuple[int, ...] = ()
    bymonth: tuple[int, ...] = ()
    bysetpos: tuple[int, ...] = ()
    wkst: int = 0


@lru_cache(maxsize=4096)
def parse_rrule(text: str) -> RruleParts:
    """Read ``FREQ=…;…``; raises ``InvalidInput`` with code ``invalid_rrule`` naming the part."""
    if len(text) > MAX_RRULE_CHARACTERS:
        refuse(f"The rule is longer than {MAX_RRULE_CHARACTERS} characters.")
    given: dict[str, Any] = {}
    for part in text.strip().upper().removeprefix("RRULE:").rstrip(";").split(";"):
        name, equals, value = part.strip().partition("=")
        if not equals or name not in _READERS:
            refuse(f"{part!r} is no part of a rule; there are {', '.join(_READERS)}.")
        if name.lower() in given:
            refuse(f"{name} is given twice.")
        given[name.lower()] = _READERS[name](name, value.strip())
    if "freq" not in given:
        refuse("It has no FREQ, such as FREQ=DAILY.")
    parts = RruleParts(**given)
    _check_together(parts)
    return parts


def canonical_rrule(parts: RruleParts) -> str:
    """Write a rule in one way: equal rules have equal texts."""
    days = [f"{nth or ''}{WEEKDAYS[weekday]}" for weekday, nth in parts.byday]
    written: dict[str, object] = {
        "FREQ": parts.freq.name,
        "INTERVAL": parts.interval if parts.interval > 1 else None,
        "COUNT": parts.count,
        "UNTIL": parts.until.text if parts.until is not None else None,
        "BYMONTH": _joined(parts.bymonth),
        "BYWEEKNO": _joined(parts.byweekno),
        "BYYEARDAY": _joined(parts.byyearday),
        "BYMONTHDAY": _joined(parts.bymonthday),
        "BYDAY": ",".join(days),
        "BYHOUR": _joined(parts.byhour),
        "BYMINUTE": _joined(parts.byminute),
        "BYSECOND": _joined(parts.bysecond),
        "BYSETPOS": _joined(parts.bysetpos),
        "WKST": WEEKDAYS[parts.wkst] if parts.wkst else None,
    }
    return ";".join(f"{name}={value}" for name, value in written.items() if value)


def refuse(detail: str) -> NoReturn:
    """Raise ``InvalidInput`` for the field ``schedule.rrule``."""
    raise InvalidInput("schedule.rrule", "invalid_rrule", detail)


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _read_freq(name: str, value: str) -> Frequency:
    if value not in Frequency.__members__:
        refuse(f"{name}={value} is none of {', '.join(Frequency.__members__)}.")
    return Frequency[value]


def _read_number(most: int) -> Callable[[str, str], int]:
    def read(name: str, value: str) -> int:
        if not _NUMBER.fullmatch(value) or not 1 <= int(value) <= most:
            refuse(f"{name}={value} is no whole number from 1 to {most}.")
        return int(value)

    return read


def _read_list(low: int, high: int, *, signed: bool = False) -> Callable[[str, str], Any]:
    bounds = f"{low} to {high}" + (f", or -{high} to -{low}" if signed else "")

    def read(name: str, value: str) -> tuple[int, ...]:
        numbers = set()
        for item in value.split(","):
            number = int(item) if _NUMBER.fullmatch(item) else None
            size = abs(number) if signed and number is not None else number
            if number is None or size is None or not low <= size <= high:
                refuse(f"{item!r} in {name} is not within {bounds}.")
            numbers.add(number)
        return tuple(sorted(numbers))

    return read


def _read_seconds(name: str, value: str) -> tuple[int, ...]:
    """Read 60 as 59, as the RFC asks of schedulers without leap seconds."""
    seconds: tuple[int, ...] = _read_list(0, _LEAP_SECOND)(name, value)
    return tuple(sorted({min(second, _LEAP_SECOND - 1) for second in seconds}))


def _read_days(name: str, value: str) -> tuple[tuple[int, int], ...]:
    days = set()
    for item in value.split(","):
        match = _DAY.fullmatch(item)
        if match is None or match["weekday"] not in WEEKDAYS:
            refuse(f"{item!r} in {name} is no weekday such as MO, 2TU or -1FR.")
        nth = int(match["nth"] or 0)
        if match["nth"] is not None and not 1 <= abs(nth) <= _MOST_WEEKS:
            refuse(f"{item!r} in {name} counts beyond {_MOST_WEEKS} weeks.")
        days.add((WEEKDAYS.index(match["weekday"]), nth))
    return tuple(sorted(days))


def _read_weeks(name: str, value: str) -> tuple[int, ...]:
    weeks: tuple[int, ...] = _read_list(1, _MOST_WEEKS, signed=True)(name, value)
    if weeks[0] <= _FIRST_WEEK_FROM_END:
        refuse(f"{weeks[0]} in {name} is the first week of some years only: write 1 or 2.")
    return weeks


def _read_weekday(name: str, value: str) -> int:
    if value not in WEEKDAYS:
        refuse(f"{name}={value} is none of {', '.join(WEEKDAYS)}.")
    return WEEKDAYS.index(value)


def _read_until(name: str, value: str) -> Until:
    whole = f"{value}T235959" if "T" not in value else value.removesuffix("Z")
    try:
        at = datetime.strptime(whole, "%Y%m%dT%H%M%S")  # noqa: DTZ007 - a wall clock has no zone
    except ValueError:
        at = None
    if at is None or not _UNTIL.fullmatch(value):
        refuse(f"{name}={value} is no time such as 20271231T235959Z, or date such as 20271231.")
    if at.year < FIRST_YEAR:
        refuse(f"{name}={value} is before {FIRST_YEAR}.")
    return Until(text=value, at=at, is_utc=value.endswith("Z"))


_READERS: dict[str, Callable[[str, str], Any]] = {
    "FREQ": _read_freq,
    "INTERVAL": _read_number(MAX_INTERVAL),
    "COUNT": _read_number(MAX_COUNT),
    "UNTIL": _read_until,
    "BYMONTH": _read_list(1, 12),
    "BYWEEKNO": _read_weeks,
    "BYYEARDAY": _read_list(1, 366, signed=True),
    "BYMONTHDAY": _read_list(1, 31, signed=True),
    "BYDAY": _read_days,
    "BYHOUR": _read_list(0, 23),
    "BYMINUTE": _read_list(0, 59),
    "BYSECOND": _read_seconds,
    "BYSETPOS": _read_list(1, 366, signed=True),
    "WKST": _read_weekday,
}


def _check_together(parts: RruleParts) -> None:
    """Refuse combinations that the RFC forbids: no two programs agree on them."""
    freq = parts.freq
    has_ordinals = any(nth for _, nth in parts.byday)
    by_parts = [name for name in RruleParts.__slots__ if name.startswith("by")]
    alone = not any(getattr(parts, name) for name in by_parts if name != "bysetpos")
    forbidden = {
        "COUNT and UNTIL exclude each other.": parts.count and parts.until,
        "BYWEEKNO goes with FREQ=YEARLY only.": parts.byweekno and freq is not Frequency.YEARLY,
        "BYYEARDAY does not go with FREQ=MONTHLY, WEEKLY and DAILY.": parts.byyearday
        and freq in {Frequency.MONTHLY, Frequency.WEEKLY, Frequency.DAILY},
        "BYMONTHDAY does not go with FREQ=WEEKLY.": parts.bymonthday and freq is Frequency.WEEKLY,
        "BYDAY has ordinals with FREQ=MONTHLY and YEARLY only.": has_ordinals
        and freq > Frequency.MONTHLY,
        "BYDAY has no ordinals beside BYWEEKNO.": has_ordinals and parts.byweekno,
        "BYSETPOS picks from what another BY… part names: add one.": parts.bysetpos and alone,
    }
    for detail, applies in forbidden.items():
        if applies:
            refuse(detail)
