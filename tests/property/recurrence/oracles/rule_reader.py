"""Read the words of unions, rates and recurrence rules back, as a person would.

Rules are those of days, weeks and months that list the times of a day.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.property.recurrence.oracles.rrule_oracle import Rule
from tests.property.recurrence.oracles.words_reader import MONTHS, WEEKDAYS
from timegate.domain.calendars.roll import Roll
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy

_MONTH, _WEEKDAY = "|".join(MONTHS), "|".join(WEEKDAYS)
_RATE = re.compile(r"Every (?:(\d+) )?(second|minute|hour|day|week)s?")
_TIME = r"\d\d:\d\d(?::\d\d)?"
_RULE = re.compile(rf"At ({_TIME}(?:(?:, | and ){_TIME})*) (.*?), (UTC|\S+ time)((?:, .*)?)")
_PERIOD = re.compile(r"(.*?) ?of every (?:(\d+)\w\w )?(month|week)")
_EVERY = re.compile(r"every (?:(\d+)\w\w )?day(.*)")
_IN_MONTHS = re.compile(rf"(.*?) ?in ((?:{_MONTH})(?:(?:, | and | to )(?:{_MONTH}))*)")
_NTH = re.compile(rf"the (?:(\d+)\w\w)? ?(last )?({_WEEKDAY})")
_ROLL = re.compile(
    r"(.*), rolled to the (next|previous|nearest) business day of (\S+?)(, or within its month)?"
)
_POLICIES: dict[str, GapPolicy | FoldPolicy] = {
    "never in place of a time its clock skips": GapPolicy.SKIP,
    "both times when its clock shows a time twice": FoldPolicy.BOTH,
}
FREQUENCIES = {"month": "MONTHLY", "week": "WEEKLY"}


@dataclass(frozen=True)
class SpokenRule:
    """A recurrence rule as its words tell it."""

    rule: Rule
    zone: str
    policies: tuple[GapPolicy, FoldPolicy]


def members_of(words: str) -> tuple[list[str], str]:
    """The members of a union, each as it would be described alone, and what is said of all."""
    parts = words.split("; ")
    rest = parts.pop() if parts[-1].startswith("all of it") else ""
    assert all(part.startswith("and ") for part in parts[1:]), words
    others = [part.removeprefix("and ") for part in parts[1:]]
    return [parts[0], *(part[:1].upper() + part[1:] for part in others)], rest


def bound_in(words: str, name: str) -> datetime | None:
    """The instant after ``from`` or ``until``."""
    found = re.search(rf"\b{name} (\d{{4}}-\S+Z)", words)
    return datetime.fromisoformat(found[1]) if found else None


def span_of(words: str) -> timedelta | None:
    """The interval of a rate; ``None``: it is none."""
    found = _RATE.fullmatch(words)
    return timedelta(**{f"{found[2]}s": int(found[1] or 1)}) if found else None


def read_rule(words: str) -> SpokenRule:
    """A recurrence rule; fails when a part of it means nothing."""
    whole = _RULE.fullmatch(words)
    assert whole, words
    times, days, zone = whole[1], whole[2], whole[3].removesuffix(" time")
    start, rest = bound_in(whole[4], "from"), whole[4]
    assert start is not None, words
    count = re.search(r"(\d+) times? in all", rest)
    told = {policy for text, policy in _POLICIES.items() if text in rest}
    clock = [tuple(map(int, time.split(":"))) for time in re.findall(_TIME, times)]
    given = _days(days)
    rule = Rule(
        start=start.astimezone(ZoneInfo(zone)).replace(tzinfo=None),
        count=int(count[1]) if count else None,
        hours=tuple(sorted({each[0] for each in clock})),
        minutes=tuple(sorted({each[1] for each in clock})),
        seconds=tuple(sorted({each[2] if len(each) > 2 else 0 for each in clock})),
        **given,
    )
    gap = GapPolicy.SKIP if GapPolicy.SKIP in told else GapPolicy.RUN_AFTER
    fold = FoldPolicy.BOTH if FoldPolicy.BOTH in told else FoldPolicy.FIRST
    return SpokenRule(rule, zone, (gap, fold))


def _days(words: str) -> dict[str, Any]:
    found: dict[str, Any] = {"freq": "DAILY"}
    if period := _PERIOD.fullmatch(words):
        words, found["freq"] = period[1], FREQUENCIES[period[3]]
        found["interval"] = int(period[2] or 1)
    if months := _IN_MONTHS.fullmatch(words):
        words = months[1]
        found["months"] = tuple(month + 1 for month in _spans(months[2], MONTHS))
    if every := _EVERY.fullmatch(words):
        words, found["interval"] = every[2], int(every[1] or 1)
    for limit in re.split(r",? ?(?:if that is|on) ", words):
        if re.search(_WEEKDAY, limit):
            found["weekdays"] = _weekdays(limit)
        elif limit.strip(", "):
            found["monthdays"] = _monthdays(limit)
    return found


def _weekdays(words: str) -> tuple[tuple[int, int], ...]:
    nth = []
    for number, last, day in _NTH.findall(words):
        place = int(number or 1)
        nth.append((-place if last else place, WEEKDAYS.index(day)))
    plain = re.search(rf"(?:{_WEEKDAY})(?:(?:, | and | to )(?:{_WEEKDAY}))*", _NTH.sub("", words))
    return (*nth, *((0, day) for day in (_spans(plain[0], WEEKDAYS) if plain else [])))


def _monthdays(words: str) -> tuple[int, ...]:
    last = [-int(place or 1) for place in re.findall(r"the (?:(\d+)\w\w )?last day", words)]
    numbers = re.search(r"days? (\d+(?:(?:, | and | to )\d+)*)", words)
    names = tuple(str(number) for number in range(32))
    found = (*(_spans(numbers[1], names) if numbers else ()), *last)
    assert found, words
    return found


def _spans(words: str, names: tuple[str, ...]) -> list[int]:
    """Positions in ``names``: ``a, b to d and f``."""
    found: list[int] = []
    for part in re.split(r", | and ", words):
        first, _, last = part.partition(" to ")
        found += range(names.index(first), names.index(last or first) + 1)
    return found


def roll_in(words: str) -> tuple[str, Roll, str]:
    """Return the schedule's own words, the roll of its instants, and the calendar."""
    found = _ROLL.fullmatch(words)
    assert found, words
    roll = Roll.MODIFIED_FOLLOWING if found[4] else Roll(found[2])
    return found[1], roll, found[3]
