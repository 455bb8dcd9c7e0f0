"""A slow cron: every minute of a window is looked at, on a clock that ``zoneinfo`` shows.

It knows no stretches, no jumps and no arithmetic of months: a gap is a minute at which the clock
shows more than one minute more than the minute before, a fold one it has shown before.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from tests.property.recurrence.strategies.cron_strategies import Cron
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
#: How long before a window the clock is watched, to know what it has shown.
LOOK_BACK = timedelta(hours=30)


@dataclass(frozen=True, slots=True)
class Minute:
    """One real minute, and what happened on the wall when it began."""

    instant: datetime
    wall: datetime
    skipped: tuple[datetime, ...]
    shown_before: bool


@dataclass(frozen=True, slots=True)
class Window:
    """Some whole days in UTC, and the zone whose wall is looked at."""

    zone: str
    begin: datetime
    days: int = 3

    @property
    def end(self) -> datetime:
        """The first instant after it."""
        return self.begin + self.days * DAY


@lru_cache(maxsize=256)
def minutes_of(window: Window) -> tuple[Minute, ...]:
    """Every minute of a window."""
    zone = ZoneInfo(window.zone)
    shown: set[datetime] = set()
    minutes = []
    instant = window.begin - LOOK_BACK
    last: datetime | None = None
    while instant < window.end:
        wall = instant.astimezone(zone).replace(tzinfo=None, fold=0)
        skipped = []
        if last is not None:
            missing = last + MINUTE
            while missing < wall:
                skipped.append(missing)
                missing += MINUTE
        if instant >= window.begin:
            minutes.append(Minute(instant, wall, tuple(skipped), wall in shown))
        shown.add(wall)
        last = wall
        instant += MINUTE
    return tuple(minutes)


def changes_of(window: Window) -> list[datetime]:
    """The first minute after each change of the clock."""
    minutes = minutes_of(window)
    return [
        minute.instant
        for before, minute in pairwise(minutes)
        if minute.skipped or (minute.shown_before and not before.shown_before)
    ]


def is_workday_for(day: int, wall: datetime) -> bool:
    """The Monday to Friday of the month that is nearest to its day; of 0, to its last day."""
    first = wall.replace(day=1)
    month = [first + n * DAY for n in range(31) if (first + n * DAY).month == wall.month]
    if day > len(month):
        return False
    wanted = month[day - 1]
    workdays = [each for each in month if each.weekday() < 5]
    # Two days away on either side is never a tie: a Saturday has its Friday, a Sunday its Monday.
    return min(workdays, key=lambda each: abs(each - wanted)).date() == wall.date()


def matches_day(cron: Cron, wall: datetime) -> bool:
    """Both fields, or either when neither begins with a star."""
    weekday = (wall.weekday() + 1) % 7
    by_number = wall.day in cron.day.values
    by_number = by_number or (cron.day.last_day and (wall + DAY).day == 1)
    by_number = by_number or any(
        (wall + (n + 1) * DAY).day == 1 and (wall + n * DAY).month == wall.month
        for n in cron.day.before_last
    )
    by_number = by_number or any(is_workday_for(day, wall) for day in cron.day.workdays)
    week = (wall.day - 1) // 7 + 1
    is_last = (wall + 7 * DAY).month != wall.month
    by_weekday = (
        weekday in cron.weekday.values
        or (weekday, week) in cron.weekday.nth_weekdays
        or (is_last and (weekday, 0) in cron.weekday.nth_weekdays)
    )
    if cron.day.begins_with_star or cron.weekday.begins_with_star:
        return by_number and by_weekday
    return by_number or by_weekday


def matches(cron: Cron, wall: datetime) -> bool:
    """Return whether the wall shows a matching minute."""
    return (
        (cron.year is None or wall.year in cron.year.values)
        and wall.minute in cron.minute.values
        and wall.hour in cron.hour.values
        and wall.month in cron.month.values
        and matches_day(cron, wall)
    )


@dataclass(frozen=True, slots=True)
class Policies:
    """All that a job says of clock changes."""

    gap: GapPolicy = GapPolicy.RUN_AFTER
    fold: FoldPolicy = FoldPolicy.FIRST
    dst: DstPolicy | None = None


def fires_of(cron: Cron, window: Window, policies: Policies) -> list[datetime]:
    """Name the instants from the window's beginning to its end, which is not in it."""
    gap, fold = policies.gap, policies.fold
    by_itself = DstPolicy.INTERVAL if cron.is_interval else DstPolicy.FIXED
    fixed = (policies.dst or by_itself) is DstPolicy.FIXED
    found: set[datetime] = set()
    for minute in minutes_of(window):
        makes_up = fixed and gap is GapPolicy.RUN_AFTER
        if makes_up and minute.skipped and any(matches(cron, wall) for wall in minute.skipped):
            found.add(minute.instant)
        is_repeated = fixed and fold is FoldPolicy.FIRST and minute.shown_before
        if matches(cron, minute.wall) and not is_repeated:
            found.update(minute.instant + timedelta(seconds=s) for s in cron.seconds)
    return sorted(found)


def window_around(zone: str, day: str) -> Window:
    """The day before, the day, and the day after."""
    return Window(zone, datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=UTC) - DAY)


#: Days on which clocks were or will be changed, and days on which nothing happens.
WINDOWS = [
    window_around(zone, day)
    for zone, dates in {
        "Europe/Berlin": ["2026-03-29", "2026-10-25", "2026-07-01", "2028-02-29"],
        "Europe/London": ["2026-03-29", "2026-10-25"],
        "America/New_York": ["2026-03-08", "2026-11-01", "2026-12-31"],
        "America/St_Johns": ["2011-03-13", "2010-11-07"],
        "America/Santiago": ["2026-04-05", "2026-09-06", "1973-03-11"],
        "America/Havana": ["2026-03-08", "2026-11-01"],
        "America/Caracas": ["2007-12-09", "2016-05-01"],
        "Australia/Lord_Howe": ["2026-04-04", "2026-10-03"],
        "Antarctica/Troll": ["2026-03-29", "2026-10-25"],
        "Africa/Casablanca": ["2026-02-15", "2026-03-22"],
        "Asia/Pyongyang": ["2015-08-14", "2018-05-04"],
        "Asia/Kathmandu": ["2026-01-31"],
        "Pacific/Apia": ["2011-12-30"],
        "Pacific/Kwajalein": ["1993-08-21"],
        "Pacific/Chatham": ["2026-04-04", "2026-09-26"],
        "UTC": ["2026-11-30"],
    }.items()
    for day in dates
]
