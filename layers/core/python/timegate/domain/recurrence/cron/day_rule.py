"""Days of a month that a cron pattern names. A set of days is a number whose bit 0 is day 1."""

from timegate.value_classes import dataclass

#: The week of an ``nth_weekdays`` entry that means the last one.
LAST_WEEK = 0
WEEK = 7
_SATURDAY = 5
_SUNDAY = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class DayRule:
    """The days of a month that match."""

    #: Days of the month by number.
    days: int
    #: ``L`` as 0, ``L-3`` as 3: days before the last day of the month.
    before_last: tuple[int, ...]
    #: ``15W``: the weekday (Monday to Friday) nearest to the day, within its month.
    near: tuple[int, ...]
    #: ``LW``: the last weekday (Monday to Friday) of the month.
    last_workday: bool
    #: Weekdays, Monday in bit 0, repeated for six weeks.
    weekdays: int
    #: ``fri#2`` and ``fri`` last, as (weekday from Monday 0, week from 1; 0 for the last).
    nth_weekdays: tuple[tuple[int, int], ...]
    #: Both fields restrict: a day that matches either is enough, as in every cron.
    either: bool

    def days_of(self, length: int, first_weekday: int) -> int:
        """Compute the matching days of a month so long that begins on this weekday (Monday 0)."""
        by_number = self._by_number(length, first_weekday)
        by_weekday = (self.weekdays >> first_weekday) & _whole(length)
        for weekday, week in self.nth_weekdays:
            by_weekday |= _nth_weekday(weekday, week, length, first_weekday)
        return by_number | by_weekday if self.either else by_number & by_weekday

    def _by_number(self, length: int, first_weekday: int) -> int:
        found = self.days & _whole(length)
        for back in self.before_last:
            found |= 1 << (length - 1 - back) if back < length else 0
        for day in self.near:
            found |= _nearest_workday(day, length, first_weekday)
        if self.last_workday:
            found |= _nearest_workday(length, length, first_weekday)
        return found


def _whole(length: int) -> int:
    return (1 << length) - 1


def _nearest_workday(day: int, length: int, first_weekday: int) -> int:
    """Find the nearest Monday to Friday within the month; none in a month without the day.

    A Saturday moves to the Friday before, a Sunday to the Monday after, but neither leaves the
    month: Saturday the 1st moves to Monday the 3rd, a Sunday at the end to the Friday before
    (Quartz, CronTrigger tutorial).
    """
    if day > length:
        return 0
    weekday = (first_weekday + day - 1) % WEEK
    if weekday == _SATURDAY:
        day += 2 if day == 1 else -1
    elif weekday == _SUNDAY:
        day += -2 if day == length else 1
    return 1 << (day - 1)


def _nth_weekday(weekday: int, week: int, length: int, first_weekday: int) -> int:
    offset = (weekday - first_weekday) % WEEK
    if week == LAST_WEEK:
        offset += (length - 1 - offset) // WEEK * WEEK
    else:
        offset += (week - 1) * WEEK
    return 1 << offset if offset < length else 0
