"""A cron expression as sets of numbers: croniter expands the text, this keeps what it means."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from croniter import CroniterError, croniter

from timegate.domain.errors import InvalidInput
from timegate.domain.recurrence.cron_text import CronFields, read_fields

_HOURS = 24
_MINUTES = 60
_LAST = 0
_WEEK = 7
#: The lengths each month can have.
_MONTH_LENGTHS = (
    *((31,), (28, 29), (31,), (30,), (31,), (30,)),
    *((31,), (31,), (30,), (31,), (30,), (31,)),
)
#: Enough repetitions of a week to lay it over any month, whatever day that begins on.
_WEEKS_OVER_A_MONTH = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class DayRule:
    """Which days of a month match. A set of days is a number whose bit 0 is day 1."""

    #: Days of the month by number.
    days: int
    #: ``L``: the last day of the month.
    last_day: bool
    #: Weekdays, Monday in bit 0, repeated for six weeks.
    weekdays: int
    #: ``fri#2`` and ``fri`` last, as (weekday from Monday 0, week from 1; 0 for the last).
    nth_weekdays: tuple[tuple[int, int], ...]
    #: Both fields restrict: a day that matches either is enough, as in every cron.
    either: bool

    def days_of(self, length: int, first_weekday: int) -> int:
        """The matching days of a month so long that begins on this weekday (Monday is 0)."""
        whole = (1 << length) - 1
        by_number = self.days & whole
        if self.last_day:
            by_number |= 1 << (length - 1)
        by_weekday = (self.weekdays >> first_weekday) & whole
        for weekday, week in self.nth_weekdays:
            by_weekday |= _nth_weekday(weekday, week, length, first_weekday)
        return by_number | by_weekday if self.either else by_number & by_weekday


def _nth_weekday(weekday: int, week: int, length: int, first_weekday: int) -> int:
    offset = (weekday - first_weekday) % _WEEK
    if week == _LAST:
        offset += (length - 1 - offset) // _WEEK * _WEEK
    else:
        offset += (week - 1) * _WEEK
    return 1 << offset if offset < length else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class CronPattern:
    """What a wall clock must show."""

    #: The text it came from, normalised.
    fields: CronFields
    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    months: tuple[int, ...]
    day_rule: DayRule

    @property
    def is_interval(self) -> bool:
        """Tell whether it names all 24 hours, or all 60 minutes of its hours.

        Such a pattern means real hours or minutes, however it is written: ``*``, ``0-23``, ``0/1``.
        Any other names fixed times of the day.
        """
        return len(self.hours) == _HOURS or len(self.minutes) == _MINUTES

    @property
    def can_match(self) -> bool:
        """Some day of the Gregorian calendar matches.

        Every length of every month comes with every first weekday, so looking at each pair once
        decides it.
        """
        return any(
            self.day_rule.days_of(length, first_weekday)
            for month in self.months
            for length in _MONTH_LENGTHS[month - 1]
            for first_weekday in range(_WEEK)
        )


@lru_cache(maxsize=16_384)
def parse_cron(expression: str) -> CronPattern:
    """Read an expression; raises ``InvalidInput`` with code ``invalid_cron``."""
    fields = read_fields(expression)
    try:
        return _pattern(fields)
    except CroniterError as error:
        raise InvalidInput("schedule.cron", "invalid_cron", str(error)) from error


def _pattern(fields: CronFields) -> CronPattern:
    by_weekday = fields.weekday.split(",")
    special = [item for item in by_weekday if "#" in item or "l" in item]
    plain = [item for item in by_weekday if item not in special]
    expanded, _ = croniter.expand(
        " ".join(fields._replace(weekday=",".join(plain) or "*")), second_at_beginning=True
    )
    minutes, hours, days, months, weekdays, seconds = map(set, expanded)
    rule = DayRule(
        days=_bits(day - 1 for day in _numbers(days, range(1, 32))),
        last_day="l" in days,
        weekdays=_weekday_bits(_numbers(weekdays, range(_WEEK))) if plain else 0,
        nth_weekdays=_nth_weekdays(special),
        either=not fields.day.startswith("*") and not fields.weekday.startswith("*"),
    )
    return CronPattern(
        fields=fields,
        seconds=_numbers(seconds, range(60)),
        minutes=_numbers(minutes, range(60)),
        hours=_numbers(hours, range(24)),
        months=_numbers(months, range(1, 13)),
        day_rule=rule,
    )


def _nth_weekdays(items: list[str]) -> tuple[tuple[int, int], ...]:
    """Croniter reads ``fri#2`` too, but refuses it beside a plain weekday."""
    if not items:
        return ()
    # Its stubs take weekdays for text; they are numbers, from Sunday 0.
    nth: Any = croniter.expand(f"0 0 * * {','.join(items)}")[1]
    return tuple(
        sorted(
            (_from_monday(weekday), _LAST if week == "l" else week)
            for weekday, weeks in nth.items()
            for week in weeks
        )
    )


def _numbers(values: AbstractSet[int | str], whole: range) -> tuple[int, ...]:
    """The values in order; a star is the whole range, whatever else is listed beside it."""
    if "*" in values:
        return tuple(whole)
    return tuple(sorted(value for value in values if isinstance(value, int)))


def _weekday_bits(weekdays: tuple[int, ...]) -> int:
    week = _bits(_from_monday(weekday) for weekday in weekdays)
    return sum(week << (_WEEK * number) for number in range(_WEEKS_OVER_A_MONTH))


def _from_monday(weekday: int) -> int:
    """Cron counts from Sunday, the calendar from Monday."""
    return (weekday - 1) % _WEEK


def _bits(positions: Iterable[int]) -> int:
    return sum(1 << position for position in set(positions))
