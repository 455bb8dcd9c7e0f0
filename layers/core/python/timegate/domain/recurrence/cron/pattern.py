"""A cron expression as sets of numbers: croniter expands the text, this keeps what it means."""

from calendar import monthrange
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from datetime import date
from functools import lru_cache
from typing import Any

from timegate.domain.recurrence.cron.day_rule import LAST_WEEK, WEEK, DayRule
from timegate.domain.recurrence.cron.grammar import GRAMMARS
from timegate.domain.recurrence.cron.text import ANY, CronFields, read_fields
from timegate.domain.recurrence.schedule import CronDialect, Schedule
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_FIRST_YEAR = 1970
_HOURS = 24
_MINUTES = 60
#: The lengths each month can have.
_MONTH_LENGTHS = (
    *((31,), (28, 29), (31,), (30,), (31,), (30,)),
    *((31,), (31,), (30,), (31,), (30,), (31,)),
)
#: Enough repetitions of a week to lay it over any month, whatever day that begins on.
_WEEKS_OVER_A_MONTH = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class CronPattern:
    """Fields that a wall clock must match."""

    #: The text it came from, normalised.
    fields: CronFields
    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    months: tuple[int, ...]
    #: In order; ``None`` is every year.
    years: tuple[int, ...] | None
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
        """Tell whether some day of the Gregorian calendar matches.

        Every length of every month comes with every first weekday, so looking at each pair once
        decides it. Named years are looked at themselves.
        """
        if self.years is not None:
            return any(
                self.day_rule.days_of(monthrange(year, month)[1], date(year, month, 1).weekday())
                for year in self.years
                for month in self.months
            )
        return any(
            self.day_rule.days_of(length, first_weekday)
            for month in self.months
            for length in _MONTH_LENGTHS[month - 1]
            for first_weekday in range(WEEK)
        )


def pattern_of(schedule: Schedule) -> CronPattern:
    """Read the expression of a cron schedule, as ``parse_cron``."""
    return parse_cron(schedule.cron or "", schedule.dialect)


@lru_cache(maxsize=16_384)
def parse_cron(expression: str, dialect: CronDialect = CronDialect.TIMEGATE) -> CronPattern:
    """Read an expression; raises ``InvalidInput`` with code ``invalid_cron``."""
    # An executor reads no expression, and the package takes a twentieth of its imports' time.
    from croniter import CroniterError  # noqa: PLC0415

    fields = read_fields(expression, dialect)
    try:
        return _pattern(fields, dialect)
    except CroniterError as error:
        raise InvalidInput("schedule.cron", "invalid_cron", str(error)) from error


def _pattern(fields: CronFields, dialect: CronDialect) -> CronPattern:
    special_days, plain_days = _parted(fields.day, "lw")
    special_weekdays, plain_weekdays = _parted(fields.weekday, "#l")
    plain = fields._replace(
        day=",".join(plain_days) or ANY, weekday=",".join(plain_weekdays) or ANY, year=ANY
    )
    from croniter import croniter  # noqa: PLC0415 - see parse_cron

    expanded, _ = croniter.expand(" ".join(plain[:-1]), second_at_beginning=True)
    minutes, hours, days, months, weekdays, seconds = map(set, expanded)
    by_weekday = _weekday_bits(_numbers(weekdays, range(WEEK)))
    rule = DayRule(
        days=_bits(day - 1 for day in _numbers(days, range(1, 32))) if plain_days else 0,
        before_last=tuple(int(item[2:] or 0) for item in special_days if "w" not in item),
        near=tuple(int(item[:-1]) for item in special_days if item[0] != "l"),
        last_workday="lw" in special_days,
        weekdays=by_weekday if plain_weekdays else 0,
        nth_weekdays=_nth_weekdays(special_weekdays),
        either=not fields.day.startswith(ANY) and not fields.weekday.startswith(ANY),
    )
    return CronPattern(
        fields=fields,
        seconds=_numbers(seconds, range(60)),
        minutes=_numbers(minutes, range(60)),
        hours=_numbers(hours, range(24)),
        months=_numbers(months, range(1, 13)),
        years=_years(fields.year, GRAMMARS[dialect].fields[-1].high),
        day_rule=rule,
    )


def _parted(field: str, marks: str) -> tuple[list[str], list[str]]:
    """Part the items of a field into those with one of these marks, and the others."""
    items = field.split(",")
    special = [item for item in items if any(mark in item for mark in marks)]
    return special, [item for item in items if item not in special]


def _years(field: str, last: int) -> tuple[int, ...] | None:
    """Expand the seventh field up to the last year of its dialect; croniter reads none past 2099.

    A range that wraps around has no years.
    """
    items = field.split(",")
    if ANY in items:
        return None
    years: set[int] = set()
    for item in items:
        base, _, step = item.partition("/")
        first, _, end = base.partition("-")
        start = _FIRST_YEAR if first == ANY else int(first)
        stop = int(end) if end else last if step else start
        years.update(range(start, stop + 1, int(step or 1)))
    return tuple(sorted(years))


def _nth_weekdays(items: list[str]) -> tuple[tuple[int, int], ...]:
    """Croniter reads ``fri#2`` too, but refuses it beside a plain weekday."""
    if not items:
        return ()
    from croniter import croniter  # noqa: PLC0415 - see parse_cron

    # Its stubs take weekdays for text; they are numbers, from Sunday 0.
    nth: Any = croniter.expand(f"0 0 * * {','.join(items)}")[1]
    return tuple(
        sorted(
            (_from_monday(weekday), LAST_WEEK if week == "l" else week)
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
    return sum(week << (WEEK * number) for number in range(_WEEKS_OVER_A_MONTH))


def _from_monday(weekday: int) -> int:
    """Cron counts from Sunday, the calendar from Monday."""
    return (weekday - 1) % WEEK


def _bits(positions: Iterable[int]) -> int:
    return sum(1 << position for position in set(positions))
