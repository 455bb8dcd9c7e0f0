"""Read the words of a schedule back into what they mean, as a person would.

The words are all that this module knows of a schedule: the slow oracle then names the instants
that a reader of the words expects.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from tests.property.recurrence.oracles.wall_oracle import Policies
from tests.property.recurrence.strategies.cron_strategies import Cron, Field
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy

Policy = TypeVar("Policy")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SIZES = {"second": 60, "minute": 60, "hour": 24}
_MONTH, _WEEKDAY = "|".join(MONTHS), "|".join(WEEKDAYS)


def _row_of(item: str) -> str:
    return rf"(?:{item})(?:(?:, | and | to )(?:{item}))*"


_WHOLE = re.compile(r"(?P<pattern>.*?), (?P<zone>UTC|\S+ time)(?P<rest>, .*)?")
_YEARS = re.compile(rf"(?P<before>.*) (?:of|in) (?P<years>{_row_of('[0-9]{4}')})")
_IN_MONTHS = re.compile(rf"(?P<before>.*) in (?P<months>{_row_of(_MONTH)})")
_NUMBERS = re.compile(rf"days? ({_row_of('[0-9]+')})")
_NEAREST = re.compile(r"the workday nearest to day (\d+)")
_BEFORE_LAST = re.compile(r"the (\d+)\w\w day before the last of the month")
_NTH = re.compile(rf"the (?:(\d)\w\w|last) ({_WEEKDAY})")
_CLOCK_TIME = re.compile(r"(\d\d):(\d\d)(?::(\d\d))?")


@dataclass(frozen=True)
class Spoken:
    """A pattern as its words tell it."""

    cron: Cron
    zone: str
    policies: Policies


def read_words(words: str) -> Spoken:
    """The schedule that a description tells; fails when a part of it means nothing."""
    whole = _WHOLE.fullmatch(words)
    assert whole, words
    rest = set((whole["rest"] or "").split(", ")) - {""}
    lists_times = _CLOCK_TIME.search(whole["pattern"]) or whole["zone"] == "UTC"
    policies = Policies(
        dst=_told(rest, "following real time when its clock changes", DstPolicy.INTERVAL)
        or _told(rest, "as fixed times of the day", DstPolicy.FIXED)
        or (DstPolicy.FIXED if lists_times else None),
        gap=_told(rest, "never in place of a time its clock skips", GapPolicy.SKIP)
        or GapPolicy.RUN_AFTER,
        fold=_told(rest, "both times when its clock shows a time twice", FoldPolicy.BOTH)
        or FoldPolicy.FIRST,
    )
    assert not rest, f"nothing is known of {rest}"
    assert policies.dst is not None, f"silent about clock changes: {words}"
    zone = whole["zone"].removesuffix(" time")
    return Spoken(cron=_read_pattern(whole["pattern"]), zone=zone, policies=policies)


def _told(rest: set[str], words: str, policy: Policy) -> Policy | None:
    if words in rest:
        rest.remove(words)
        return policy
    return None


def _read_pattern(words: str) -> Cron:
    years = months = None
    if found := _YEARS.fullmatch(words):
        words, years = found["before"], _numbers(found["years"])
    if found := _IN_MONTHS.fullmatch(words):
        words, months = found["before"], _named(found["months"], MONTHS)
    times, _, days = words.removesuffix(" every day").partition(" on ")
    seconds, minutes, hours = _times(times)
    day, weekday = _days(days)
    return Cron(
        second=_field(seconds),
        minute=_field(minutes),
        hour=_field(hours),
        day=day,
        month=_field({month + 1 for month in months} if months else range(1, 13)),
        weekday=weekday,
        year=_field(years) if years else None,
    )


def _times(words: str) -> tuple[set[int], set[int], set[int]]:
    """Seconds, minutes and hours."""
    if clock := _CLOCK_TIME.findall(words):
        listed = {(int(hour), int(minute), int(second or 0)) for hour, minute, second in clock}
        hours, minutes, seconds = ({each[n] for each in listed} for n in range(3))
        assert len(listed) == len(hours) * len(minutes) * len(seconds), words
        return seconds, minutes, hours
    found = {"second": {0}, "minute": set(range(60)), "hour": set(range(24))}
    for part in words.split(" of "):
        unit, values = _unit(part)
        found[unit] = values
    return found["second"], found["minute"], found["hour"]


def _unit(words: str) -> tuple[str, set[int]]:
    """One field: ``Every 5 minutes``, ``every 2nd hour``, ``At minutes 1 and 2``."""
    if step := re.fullmatch(r"[Ee]very (?:(\d+)(?:st|nd|rd|th)? )?(second|minute|hour)s?", words):
        return step[2], set(range(0, SIZES[step[2]], int(step[1] or 1)))
    listed = re.fullmatch(r"(?:At )?(second|minute|hour)s? (.*)", words)
    assert listed, words
    return listed[1], _numbers(listed[2])


def _days(words: str) -> tuple[Field, Field]:
    """The days of the month and of the week; a star in front where both have to match."""
    if " or on " in words:
        numbers, weekdays = words.split(" or on ")
        return _by_number(numbers, "either"), _by_weekday(weekdays, "either")
    if " if that is " in words:
        numbers, weekdays = words.split(" if that is ")
        return _by_number(numbers, "*"), _by_weekday(weekdays, "*")
    if re.search(_WEEKDAY, words):
        return _field(range(1, 32), "*"), _by_weekday(words, "*")
    every = _field(range(7), "*")
    return (_by_number(words, "*") if words else _field(range(1, 32), "*")), every


def _by_number(words: str, text: str) -> Field:
    workdays = {int(day) for day in _NEAREST.findall(words)}
    words = _NEAREST.sub("", words)
    before_last = {int(back) for back in _BEFORE_LAST.findall(words)}
    words = _BEFORE_LAST.sub("", words)
    if "the last workday of the month" in words:
        workdays.add(0)
    numbers = _NUMBERS.search(words)
    return Field(
        text=text,
        values=frozenset(_numbers(numbers[1]) if numbers else ()),
        last_day="the last day of the month" in words,
        before_last=frozenset(before_last),
        workdays=frozenset(workdays),
    )


def _by_weekday(words: str, text: str) -> Field:
    nth = {
        (_from_sunday(WEEKDAYS.index(name)), int(week or 0)) for week, name in _NTH.findall(words)
    }
    plain = re.search(_row_of(_WEEKDAY), _NTH.sub("", words))
    named = _named(plain[0], WEEKDAYS) if plain else set()
    values = frozenset(_from_sunday(day) for day in named)
    return Field(text=text, values=values, nth_weekdays=frozenset(nth))


def _from_sunday(weekday: int) -> int:
    return (weekday + 1) % 7


def _numbers(words: str) -> set[int]:
    return _spans(words, [str(number) for number in range(10_000)])


def _named(words: str, names: Sequence[str]) -> set[int]:
    return _spans(words, names)


def _spans(words: str, names: Sequence[str]) -> set[int]:
    """Positions in ``names``: ``a, b to d and f``."""
    found: set[int] = set()
    for part in re.split(r", | and ", words):
        first, _, last = part.partition(" to ")
        found.update(range(names.index(first), names.index(last or first) + 1))
    return found


def _field(values: "set[int] | range", text: str = "told") -> Field:
    return Field(text=text, values=frozenset(values))
