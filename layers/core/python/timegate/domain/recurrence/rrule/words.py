"""A recurrence rule in words: ``At 09:00 on the last Friday of every month``."""

from collections.abc import Iterator, Sequence
from itertools import product

from timegate.domain.recurrence.rrule.parts import Frequency, RruleParts
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.phrases import MONTHS, WEEKDAYS, listed, ordinal, rows

#: More times of day than this are described by their fields.
_MAX_CLOCK_TIMES = 8
_WEEK = 7
_UNITS = {
    Frequency.YEARLY: "year",
    Frequency.MONTHLY: "month",
    Frequency.WEEKLY: "week",
    Frequency.DAILY: "day",
    Frequency.HOURLY: "hour",
    Frequency.MINUTELY: "minute",
    Frequency.SECONDLY: "second",
}


def describe_rule(parts: RruleParts) -> str:
    """Name times, then days, then the period; ``parts`` are those of a ``RrulePattern``."""
    if parts.freq > Frequency.DAILY:
        words = [_steps(parts), _days(parts), _months(parts)]
    elif parts.freq is Frequency.DAILY:
        words = [_times(parts), _daily(parts), _months(parts)]
    else:
        words = [_times(parts), _days(parts), _months(parts), _period(parts)]
    text = " ".join(word for word in words if word)
    if parts.bysetpos:
        text += f", only {listed(map(_place, parts.bysetpos))} of these"
    if parts.wkst and _counts_weeks(parts):
        text += f", in weeks that begin on {WEEKDAYS[parts.wkst]}"
    return text


def _counts_weeks(parts: RruleParts) -> bool:
    """Tell whether the first day of a week decides which instants the rule names.

    Source: RFC 5545, section 3.3.10, WKST. Positions in a week depend on it as well.
    """
    if parts.freq is Frequency.WEEKLY:
        return parts.interval > 1 or bool(parts.bysetpos)
    return bool(parts.byweekno)


def lists_clock_times(parts: RruleParts) -> bool:
    """Tell whether the words list each time of the day, rather than the fields."""
    times = len(parts.byhour) * len(parts.byminute) * len(parts.bysecond)
    return parts.freq <= Frequency.DAILY and times <= _MAX_CLOCK_TIMES


def describe_exceptions(schedule: Schedule, parts: RruleParts) -> Iterator[str]:
    """Name the end of the rule, and its dates."""
    if parts.count is not None:
        yield "1 time in all" if parts.count == 1 else f"{parts.count} times in all"
    if parts.until is not None:
        at = f"{parts.until.at:%Y-%m-%d %H:%M:%S}"
        yield f"up to {at} {'UTC' if parts.until.is_utc else 'local time'}"
    if schedule.exdates:
        yield f"except {_dates(len(schedule.exdates))}"
    if schedule.rdates:
        yield f"and on {_dates(len(schedule.rdates))} more"


def _dates(count: int) -> str:
    return "1 date" if count == 1 else f"{count} dates"


def _times(parts: RruleParts) -> str:
    if not lists_clock_times(parts):
        fields = [_numbered("minute", parts.byminute), _numbered("hour", parts.byhour)]
        if parts.bysecond != (0,):
            fields.insert(0, _numbered("second", parts.bysecond))
        return f"At {' of '.join(fields)}"
    shows_seconds = any(parts.bysecond)
    return "At " + listed(
        f"{hour:02}:{minute:02}" + (f":{second:02}" if shows_seconds else "")
        for hour, minute, second in product(parts.byhour, parts.byminute, parts.bysecond)
    )


def _steps(parts: RruleParts) -> str:
    unit = _UNITS[parts.freq]
    text = f"Every {unit}" if parts.interval == 1 else f"Every {parts.interval} {unit}s"
    if parts.freq is Frequency.HOURLY:
        text += f" at {_numbered('minute', parts.byminute)}"
    if parts.freq < Frequency.SECONDLY and parts.bysecond != (0,):
        joint = "," if parts.freq is Frequency.HOURLY else " at"
        text += f"{joint} {_numbered('second', parts.bysecond)}"
    limits = [("hour", parts.byhour)]
    if parts.freq > Frequency.HOURLY:
        limits.insert(0, ("minute", parts.byminute))
    if parts.freq is Frequency.SECONDLY:
        limits.insert(0, ("second", parts.bysecond))
    return " of ".join([text, *(_numbered(name, values) for name, values in limits if values)])


def _daily(parts: RruleParts) -> str:
    days = _days(parts)
    if parts.interval == 1:
        return days or "every day"
    every = f"every {ordinal(parts.interval)} day"
    return f"{every}, if that is {days.removeprefix('on ')}" if days else every


def _period(parts: RruleParts) -> str:
    unit = _UNITS[parts.freq]
    return f"of every {ordinal(parts.interval) + ' ' if parts.interval > 1 else ''}{unit}"


def _months(parts: RruleParts) -> str:
    if not parts.bymonth:
        return ""
    return f"in {rows([month - 1 for month in parts.bymonth], MONTHS)}"


def _days(parts: RruleParts) -> str:
    limits = [words for words in (_by_yearday(parts), _by_monthday(parts), _by_day(parts)) if words]
    text = f"on {limits[0]}" if limits else ""
    if not limits and parts.byday and parts.freq < Frequency.DAILY:
        # All seven of them: weekdays are Monday to Friday to most readers.
        text = "every day"
    text += "".join(f", if that is {limit}," for limit in limits[1:])
    if parts.byweekno:
        weeks = [f"week {week}" for week in parts.byweekno if week > 0]
        weeks += [f"the {_from_end(-week)} week" for week in parts.byweekno if week < 0]
        text += f" of {listed(weeks)}"
    return text


def _by_yearday(parts: RruleParts) -> str:
    of_year = "" if parts.freq is Frequency.YEARLY else " of the year"
    return _numbered_days(parts.byyearday, of_year)


def _by_monthday(parts: RruleParts) -> str:
    if parts.freq is Frequency.MONTHLY or (parts.freq is Frequency.YEARLY and parts.bymonth):
        return _numbered_days(parts.bymonthday, "")
    each = parts.freq is Frequency.YEARLY
    return _numbered_days(parts.bymonthday, " of each month" if each else " of the month")


def _numbered_days(days: Sequence[int], whole: str) -> str:
    if not days:
        return ""
    forward = [day for day in days if day > 0]
    words = [_numbered("day", forward)] if forward else []
    words += [f"the {_from_end(-day)} day" for day in days if day < 0]
    return listed(words) + whole


def _by_day(parts: RruleParts) -> str:
    plain = [weekday for weekday, nth in parts.byday if not nth]
    if len(plain) == _WEEK:
        return ""
    words = [rows(plain, WEEKDAYS)] if plain else []
    for weekday, nth in parts.byday:
        if nth:
            place = ordinal(nth) if nth > 0 else _from_end(-nth)
            words.append(f"the {place} {WEEKDAYS[weekday]}")
    return listed(words) if words else ""


def _from_end(number: int) -> str:
    return "last" if number == 1 else f"{ordinal(number)} last"


def _place(position: int) -> str:
    return f"the {ordinal(position) if position > 0 else _from_end(-position)}"


def _numbered(unit: str, values: Sequence[int]) -> str:
    return f"{unit}{'s' if len(values) > 1 else ''} {rows(values)}"
