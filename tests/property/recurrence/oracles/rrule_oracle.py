"""A slow reading of RFC 5545: every day, hour, minute or second is looked at and judged.

It is written from section 3.3.10 and knows no bits, phases or kinds of years. A rule is drawn as
numbers and then written; nothing here reads a rule.
"""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
UNITS = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall clock has no zone


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule in numbers, and the wall time that it begins at."""

    start: datetime
    freq: str
    interval: int = 1
    count: int | None = None
    months: tuple[int, ...] = ()
    weeks: tuple[int, ...] = ()
    yeardays: tuple[int, ...] = ()
    monthdays: tuple[int, ...] = ()
    #: Ordinal, 0 without one, and weekday from Monday 0.
    weekdays: tuple[tuple[int, int], ...] = ()
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    seconds: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    week_start: int = 0

    @property
    def text(self) -> str:
        """Write it."""
        days = ",".join(f"{nth or ''}{WEEKDAYS[day]}" for nth, day in self.weekdays)
        numbers = {
            "BYMONTH": self.months,
            "BYWEEKNO": self.weeks,
            "BYYEARDAY": self.yeardays,
            "BYMONTHDAY": self.monthdays,
            "BYHOUR": self.hours,
            "BYMINUTE": self.minutes,
            "BYSECOND": self.seconds,
            "BYSETPOS": self.positions,
        }
        parts = [
            f"FREQ={self.freq}",
            f"INTERVAL={self.interval}",
            f"WKST={WEEKDAYS[self.week_start]}",
        ]
        parts += [f"{name}={','.join(map(str, them))}" for name, them in numbers.items() if them]
        parts += [f"BYDAY={days}"] if days else []
        parts += [f"COUNT={self.count}"] if self.count is not None else []
        return ";".join(parts)


def walls_of(rule: Rule, until: datetime) -> Iterator[datetime]:
    """The times of a rule from its beginning to a time of its wall, in order."""
    found = 0
    for wall in _stepped(rule, until) if rule.freq in UNITS else _periodic(rule, until):
        if wall > until or found == rule.count:
            return
        if wall >= rule.start:
            found += 1
            yield wall


def _periodic(rule: Rule, until: datetime) -> Iterator[datetime]:
    first = _period_of(rule, rule.start.date())[0]
    while first <= until.date():
        first, last, index = _period_of(rule, first)
        if index % rule.interval == 0:
            days = (first + n * DAY for n in range((last - first).days + 1))
            passing = [day for day in days if passes(rule, day)]
            yield from picked(rule, [_at(d, t) for d, t in product(passing, times_of(rule))])
        first = last + DAY


def _period_of(rule: Rule, day: date) -> tuple[date, date, int]:
    """The period that holds a day: its first and last, and how many it is after the beginning."""
    start = rule.start.date()
    match rule.freq:
        case "YEARLY":
            return date(day.year, 1, 1), date(day.year, 12, 31), day.year - start.year
        case "MONTHLY":
            last = day.replace(day=monthrange(day.year, day.month)[1])
            return day.replace(day=1), last, _months(day) - _months(start)
        case "WEEKLY":
            monday = _week_of(rule, day)
            return monday, monday + 6 * DAY, (monday - _week_of(rule, start)).days // 7
        case _:
            return day, day, (day - start).days


def _week_of(rule: Rule, day: date) -> date:
    while day.weekday() != rule.week_start:
        day -= DAY
    return day


def _months(day: date) -> int:
    return day.year * 12 + day.month


def times_of(rule: Rule) -> list[timedelta]:
    """The times of a day of a rule whose period is a day or longer."""
    hours = sorted(rule.hours) or [rule.start.hour]
    minutes = sorted(rule.minutes) or [rule.start.minute]
    seconds = sorted(rule.seconds) or [rule.start.second]
    return [
        timedelta(hours=hour, minutes=minute, seconds=second)
        for hour, minute, second in product(hours, minutes, seconds)
    ]


def _at(day: date, time: timedelta) -> datetime:
    return datetime(day.year, day.month, day.day) + time  # noqa: DTZ001 - a wall clock


def picked(rule: Rule, walls: list[datetime]) -> list[datetime]:
    """Apply BYSETPOS to the times of a period."""
    if not rule.positions:
        return walls
    return [
        wall
        for index, wall in enumerate(walls)
        if index + 1 in rule.positions or index - len(walls) in rule.positions
    ]


def _stepped(rule: Rule, until: datetime) -> Iterator[datetime]:
    """Each hour, minute or second from that of the beginning on."""
    unit = timedelta(seconds=UNITS[rule.freq])
    step = EPOCH + (rule.start - EPOCH) // unit * unit
    while step <= until:
        if unit_passes(rule, step) and passes(rule, step.date()):
            yield from picked(rule, within_unit(rule, step))
        step += rule.interval * unit


def unit_passes(rule: Rule, step: datetime) -> bool:
    """Return whether an hour, minute or second may be stepped on."""
    return (
        (not rule.hours or step.hour in rule.hours)
        and (rule.freq == "HOURLY" or not rule.minutes or step.minute in rule.minutes)
        and (rule.freq != "SECONDLY" or not rule.seconds or step.second in rule.seconds)
    )


def within_unit(rule: Rule, step: datetime) -> list[datetime]:
    """The times of an hour or minute; a second is one."""
    minutes = [step.minute]
    seconds = [step.second]
    if rule.freq == "HOURLY":
        minutes = sorted(rule.minutes) or [rule.start.minute]
    if rule.freq != "SECONDLY":
        seconds = sorted(rule.seconds) or [rule.start.second]
    return [step.replace(minute=m, second=s) for m, s in product(minutes, seconds)]


def passes(rule: Rule, day: date) -> bool:
    """Return whether the rule names a day, in a period that counts."""
    monthdays, weekdays, months = rule.monthdays, rule.weekdays, rule.months
    if not (monthdays or weekdays or rule.yeardays):
        if rule.freq == "WEEKLY" or rule.weeks:
            weekdays = ((0, rule.start.weekday()),)
        elif rule.freq in {"YEARLY", "MONTHLY"}:
            monthdays = (rule.start.day,)
            months = months or ((rule.start.month,) if rule.freq == "YEARLY" else ())
    length = monthrange(day.year, day.month)[1]
    year = 366 if monthrange(day.year, 2)[1] == 29 else 365
    yearday = (day - date(day.year, 1, 1)).days + 1
    return (
        (not months or day.month in months)
        and (not monthdays or day.day in monthdays or day.day - length - 1 in monthdays)
        and (not rule.yeardays or yearday in rule.yeardays or yearday - year - 1 in rule.yeardays)
        and (not rule.weeks or bool(_weeks(rule, day) & {*rule.weeks}))
        and (not weekdays or any(_is_weekday(rule, day, nth, wd) for nth, wd in weekdays))
    )


def _is_weekday(rule: Rule, day: date, nth: int, weekday: int) -> bool:
    if day.weekday() != weekday:
        return False
    if not nth:
        return True
    by_month = rule.freq == "MONTHLY" or bool(rule.months)
    first = day.replace(day=1) if by_month else date(day.year, 1, 1)
    last = date(day.year, 12, 31)
    if by_month:
        last = day.replace(day=monthrange(day.year, day.month)[1])
    days = [first + n * DAY for n in range((last - first).days + 1)]
    alike = [each for each in days if each.weekday() == weekday]
    return nth in {alike.index(day) + 1, alike.index(day) - len(alike)}


def _weeks(rule: Rule, day: date) -> set[int]:
    """The number of a day's week, from both ends of the year that the week belongs to.

    A week belongs to the year that has four days of it or more.
    """
    first = _week_of(rule, day)
    year = (first + 3 * DAY).year
    number, of_year = 1, _week_of(rule, date(year, 1, 4))
    while of_year < first:
        number, of_year = number + 1, of_year + 7 * DAY
    left = 1
    while (of_year + 7 * DAY + 3 * DAY).year == year:
        left, of_year = left + 1, of_year + 7 * DAY
    return {number, -left}


def is_interval(rule: Rule) -> bool:
    """Return whether a day has all 24 hours, or all 60 minutes of its hours."""
    if rule.positions and rule.freq not in UNITS:
        return False
    midnight = rule.start.replace(hour=0, minute=0, second=0)
    if rule.freq not in UNITS:
        walls = [midnight + time for time in times_of(rule)]
    else:
        unit = timedelta(seconds=UNITS[rule.freq])
        anchor = (rule.start - EPOCH) // unit
        steps = (midnight + n * unit for n in range(DAY // unit))
        walls = [
            wall
            for step in steps
            if ((step - EPOCH) // unit - anchor) % rule.interval == 0 and unit_passes(rule, step)
            for wall in picked(rule, within_unit(rule, step))
        ]
    hours = {wall.hour for wall in walls}
    minutes = {(wall.hour, wall.minute) for wall in walls}
    return len(hours) == 24 or len(minutes) == len(hours) * 60


def instants_of(zone: ZoneInfo, wall: datetime) -> list[datetime]:
    """Every instant at which a zone's clock shows a time; none within a gap."""
    utc = wall.replace(tzinfo=UTC)
    offsets = {(utc + n * DAY).astimezone(zone).utcoffset() for n in (-2, -1, 0, 1, 2)}
    candidates = sorted(utc - offset for offset in offsets if offset is not None)
    return [each for each in candidates if each.astimezone(zone).replace(tzinfo=None) == wall]


def end_of_gap(zone: ZoneInfo, wall: datetime) -> datetime:
    """The first instant at which the clock shows more than a time that it skips."""
    early = wall.replace(tzinfo=UTC) - 2 * DAY
    late = early + 4 * DAY
    while late - early > SECOND:
        middle = early + (late - early) // 2 // SECOND * SECOND
        if middle.astimezone(zone).replace(tzinfo=None) < wall:
            early = middle
        else:
            late = middle
    return late


def fires_of(
    rule: Rule, zone_name: str, policies: tuple[GapPolicy, FoldPolicy], until: datetime
) -> list[datetime]:
    """Name the instants of a rule up to one, in order and each once."""
    gap, fold = policies
    zone, fixed = ZoneInfo(zone_name), not is_interval(rule)
    found: set[datetime] = set()
    # A gap shows the local time of an instant up to some hours late.
    for wall in walls_of(rule, until.astimezone(zone).replace(tzinfo=None) + DAY / 6):
        instants = instants_of(zone, wall)
        if fixed and fold is FoldPolicy.FIRST:
            instants = instants[:1]
        if not instants and fixed and gap is GapPolicy.RUN_AFTER:
            instants = [end_of_gap(zone, wall)]
        found.update(instants)
    begin = instants_of(zone, rule.start)[0]
    return sorted(each for each in found if begin <= each <= until)
