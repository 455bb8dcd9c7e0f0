"""Business days: which days of a calendar are, and which of them is the n-th of its month.

A day is a business day unless it is in the calendar's ``weekend``, its ``weekdays`` or its
``days``. Hours make no day free: windows and periods do not count. Days are counted from
1970-01-01, on the calendar's own clock.
"""

from datetime import date, datetime

from timegate.domain.calendars.calendar import Calendar, covers
from timegate.domain.calendars.roll import Roll
from timegate.domain.recurrence.zones.local_days import EPOCH_DAY, weekday_of

#: A month has no more days from Monday to Friday.
MAX_BUSINESS_DAY = 23
#: An instant rolls so many days at most.
MAX_ROLL_DAYS = 31
#: A rare business day of the month is looked for in so many months.
_MONTHS_AHEAD = 12
_DECEMBER = 12
_SUNDAY_AND_MONDAY = frozenset({6, 0})


def is_business_day(calendar: Calendar, day: int) -> bool:
    """Tell if a local day is a business day of the calendar."""
    return not calendar.outside_business.holds_date(day)


def monthly_business_day(calendar: Calendar, day: int, number: int) -> int | None:
    """The n-th business day of the month of ``day``; ``None``: the month has not so many.

    ``number``: 1 is the first, -1 the last.
    """
    first, after = _month_of(day)
    days = range(first, after) if number > 0 else range(after - 1, first - 1, -1)
    left = abs(number)
    for each in days:
        left -= is_business_day(calendar, each)
        if not left:
            return each
    return None


def rolled_day(calendar: Calendar, day: int, roll: Roll) -> int | None:
    """The business day to which a day that is none rolls; ``None``: there is none near enough.

    It is at most ``MAX_ROLL_DAYS`` away. ``modified_following`` never leaves the month.
    """
    after, before = _business_day_beyond(calendar, day, 1), _business_day_beyond(calendar, day, -1)
    match roll:
        case Roll.NEXT:
            return after
        case Roll.PREVIOUS:
            return before
        case Roll.NEAREST:
            return _nearest(day, before, after)
        case Roll.MODIFIED_FOLLOWING:
            first, following = _month_of(day)
            if after is not None and after < following:
                return after
            return before if before is not None and before >= first else None


def days_rolling_to(calendar: Calendar, day: int, roll: Roll) -> list[int]:
    """The days that are no business days and roll to this one, in order."""
    found = []
    for step in (-1, 1):
        for distance in range(1, MAX_ROLL_DAYS + 1):
            each = day + step * distance
            if is_business_day(calendar, each):
                break
            if rolled_day(calendar, each, roll) == day:
                found.append(each)
    return sorted(found)


def _business_day_beyond(calendar: Calendar, day: int, step: int) -> int | None:
    days = (day + step * distance for distance in range(1, MAX_ROLL_DAYS + 1))
    return next((each for each in days if is_business_day(calendar, each)), None)


def _nearest(day: int, before: int | None, after: int | None) -> int | None:
    if before is None or after is None:
        return after if before is None else before
    if after - day == day - before:
        return after if weekday_of(day) in _SUNDAY_AND_MONDAY else before
    return min(before, after, key=lambda each: abs(each - day))


def is_monthly_business_day(calendar: Calendar, moment: datetime, number: int) -> bool:
    """Tell if a moment lies on the n-th business day of its month, outside of covered hours."""
    day = calendar.outside_business.day_of(moment)
    return monthly_business_day(calendar, day, number) == day and not covers(calendar, moment)


def next_monthly_change(calendar: Calendar, moment: datetime, number: int) -> datetime:
    """A later moment up to which ``is_monthly_business_day`` stays what it is.

    There it may change, or only the clock jumps, or the search ends: a year ahead.
    """
    own = calendar.outside_business
    border = own.start_of(_next_border(calendar, own.day_of(moment), number))
    soonest = min(border, own.next_jump(moment))
    covered = calendar.coverage.next_change(moment)
    return soonest if covered is None else min(soonest, covered)


def _next_border(calendar: Calendar, day: int, number: int) -> int:
    """The first day after ``day`` on which an n-th business day begins, or has ended."""
    month = day
    for _ in range(_MONTHS_AHEAD):
        picked = monthly_business_day(calendar, month, number)
        if picked is not None and picked >= day:
            return picked if picked > day else picked + 1
        month = _month_of(month)[1]
    return month


def _month_of(day: int) -> tuple[int, int]:
    """The first day of the month of ``day``, and the first of the following month."""
    first = date.fromordinal(day + EPOCH_DAY).replace(day=1)
    if first.month == _DECEMBER:
        following = date(first.year + 1, 1, 1)
    else:
        following = first.replace(month=first.month + 1)
    return first.toordinal() - EPOCH_DAY, following.toordinal() - EPOCH_DAY
