"""A cron pattern in words, from what it means and not from how it was written."""

from collections.abc import Iterator, Sequence
from itertools import product

from timegate.domain.recurrence.cron.day_rule import DayRule
from timegate.domain.recurrence.cron.pattern import CronPattern
from timegate.domain.recurrence.wall_times.phrases import MONTHS as _MONTHS
from timegate.domain.recurrence.wall_times.phrases import WEEKDAYS as _WEEKDAYS
from timegate.domain.recurrence.wall_times.phrases import listed as _listed
from timegate.domain.recurrence.wall_times.phrases import ordinal as _ordinal
from timegate.domain.recurrence.wall_times.phrases import rows as _rows

#: More times of day than this are described by their fields.
_MAX_CLOCK_TIMES = 8
_LONGEST_MONTH = 31
#: A unit, its values, and how many values the unit has.
_Field = tuple[str, Sequence[int], int]


def describe_pattern(pattern: CronPattern) -> str:
    """Times, then days, then months: ``Every 5 minutes of hours 9 to 17 on Friday in May``."""
    days = _days(pattern.day_rule)
    if names_clock_times(pattern):
        words = [f"At {_clock_times(pattern)}", days or "every day"]
    else:
        words = [_fields(pattern), days]
    named_months = len(pattern.months) < len(_MONTHS)
    if named_months:
        words.append(f"in {_rows([month - 1 for month in pattern.months], _MONTHS)}")
    if pattern.years is not None:
        words.append(f"{'of' if named_months else 'in'} {_rows(pattern.years)}")
    return " ".join(word for word in words if word)


def names_clock_times(pattern: CronPattern) -> bool:
    """Tell whether the words list each time of the day, rather than the fields."""
    times = len(pattern.hours) * len(pattern.minutes) * len(pattern.seconds)
    return times <= _MAX_CLOCK_TIMES


def _clock_times(pattern: CronPattern) -> str:
    shows_seconds = any(pattern.seconds)
    return _listed(
        f"{hour:02}:{minute:02}" + (f":{second:02}" if shows_seconds else "")
        for hour, minute, second in product(pattern.hours, pattern.minutes, pattern.seconds)
    )


def _fields(pattern: CronPattern) -> str:
    """From the finest field that says something to the coarsest that does."""
    fields: list[_Field] = [("minute", pattern.minutes, 60), ("hour", pattern.hours, 24)]
    if pattern.seconds != (0,):
        fields.insert(0, ("second", pattern.seconds, 60))
    # ``every minute`` already means: of every hour.
    while len(fields) > 1 and _is_whole(fields[-1]) and _step(fields[-2]):
        fields.pop()
    return " of ".join([_leading(fields[0]), *map(_following, fields[1:])])


def _leading(field: _Field) -> str:
    unit, values, _ = field
    step = _step(field)
    if step == 1:
        return f"Every {unit}"
    return f"Every {step} {unit}s" if step else f"At {_numbered(unit, values)}"


def _following(field: _Field) -> str:
    unit, values, _ = field
    step = _step(field)
    if step == 1:
        return f"every {unit}"
    return f"every {_ordinal(step)} {unit}" if step else _numbered(unit, values)


def _is_whole(field: _Field) -> bool:
    return _step(field) == 1


def _step(field: _Field) -> int:
    """The even distance between its values all round the clock; 0 when they are uneven."""
    _, values, size = field
    step = size // len(values)
    return step if step < size and tuple(values) == tuple(range(0, size, step)) else 0


def _days(rule: DayRule) -> str:
    by_number = list(_by_number(rule))
    by_weekday = list(_by_weekday(rule))
    numbers = f"on {_listed(by_number)}" if by_number else ""
    weekdays = f"on {_listed(by_weekday)}" if by_weekday else ""
    if rule.either:
        # A day that matches either is enough: a side that names every day leaves no restriction.
        return f"{numbers} or {weekdays}" if numbers and weekdays else ""
    if numbers and weekdays:
        return f"{numbers} if that is {_listed(by_weekday)}"
    return numbers + weekdays


def _by_number(rule: DayRule) -> Iterator[str]:
    days = [day for day in range(_LONGEST_MONTH) if rule.days >> day & 1]
    if len(days) == _LONGEST_MONTH:
        return
    if days:
        yield _numbered("day", [day + 1 for day in days])
    for back in rule.before_last:
        yield f"the {f'{_ordinal(back)} day before the last' if back else 'last day'} of the month"
    for day in rule.near:
        yield f"the workday nearest to day {day}"
    if rule.last_workday:
        yield "the last workday of the month"


def _by_weekday(rule: DayRule) -> Iterator[str]:
    weekdays = [weekday for weekday in range(len(_WEEKDAYS)) if rule.weekdays >> weekday & 1]
    if len(weekdays) == len(_WEEKDAYS):
        return
    if weekdays:
        yield _rows(weekdays, _WEEKDAYS)
    for weekday, week in rule.nth_weekdays:
        yield f"the {_ordinal(week) if week else 'last'} {_WEEKDAYS[weekday]}"


def _numbered(unit: str, values: Sequence[int]) -> str:
    return f"{unit}{'s' if len(values) > 1 else ''} {_rows(values)}"
