"""Coverage: which instants a set of days, weekdays, hours and periods holds, and until when.

Days and hours are read on the wall clock of a zone. Between two jumps of that clock it runs
evenly, so every question is answered within such a stretch by arithmetic on numbers: wall times
are seconds from 1970-01-01 00:00 on the local clock, as in ``recurrence.zone_clock``.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS, EPOCH_DAY
from timegate.domain.recurrence.zones.local_days import at_wall, wall_of, weekday_of
from timegate.domain.recurrence.zones.zone_clock import EvenPeriod
from timegate.value_classes import dataclass

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_WEEK_SECONDS = 7 * DAY_SECONDS
#: 1970-01-01 was a Thursday; weeks are counted from the Monday before.
_FIRST_WEEKDAY = 3

_Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Numbers that lie in none, one or more stretches, as the points where that changes.

    Sorted: the first point begins a stretch, the second ends it, and so on.
    """

    points: tuple[int, ...]

    @classmethod
    def of(cls, intervals: Iterable[_Interval]) -> "Intervals":
        """The union of intervals; each holds its first number and not its last."""
        points: list[int] = []
        for begin, end in sorted(intervals):
            if points and begin <= points[-1]:
                points[-1] = max(points[-1], end)
            else:
                points += (begin, end)
        return cls(tuple(points))

    def hold(self, number: int) -> bool:
        """Tell if an interval holds the number."""
        return bisect_right(self.points, number) % 2 == 1

    def next_point(self, number: int) -> int | None:
        """The first point beyond it; ``None`` when nothing changes any more."""
        index = bisect_right(self.points, number)
        return self.points[index] if index < len(self.points) else None


@dataclass(frozen=True, slots=True)
class Coverage:
    """A set of time, ready for questions."""

    timezone: str
    #: Days, counted from 1970-01-01.
    days: Intervals
    weekdays: frozenset[int]
    #: Weekdays and windows, in seconds of the week.
    weekly: Intervals
    #: In microseconds from 1970-01-01 UTC.
    periods: Intervals

    def holds(self, instant: datetime) -> bool:
        """Tell if the instant is in the set."""
        if self.periods.hold(_microseconds(instant)):
            return True
        wall, _ = self._wall(instant)
        day, _ = divmod(wall, DAY_SECONDS)
        return self.days.hold(day) or self.weekly.hold(_second_of_week(wall))

    def holds_day(self, instant: datetime) -> bool:
        """Tell if the whole local day of the instant is in the set, by date or by weekday."""
        return self.holds_date(self.day_of(instant))

    def holds_date(self, day: int) -> bool:
        """Tell if a whole local day, counted from 1970-01-01, is in the set."""
        return self.days.hold(day) or weekday_of(day) in self.weekdays

    def day_of(self, instant: datetime) -> int:
        """The local day of an instant, counted from 1970-01-01."""
        return self._wall(instant)[0] // DAY_SECONDS

    def start_of(self, day: int) -> datetime:
        """The first moment of a local day, counted from 1970-01-01."""
        return self._at_wall(day * DAY_SECONDS)

    def next_jump(self, instant: datetime) -> datetime:
        """The next moment at which the local clock jumps; there may be none at it."""
        return _EPOCH + self._wall(instant)[1].end * _SECOND

    def next_change(self, instant: datetime) -> datetime | None:
        """Up to this later moment the answer stays the same; ``None``: for ever.

        At that moment it may change, or only the clock jumps.
        """
        found = [_EPOCH + at * timedelta(microseconds=1) for at in self._next_of_periods(instant)]
        if self.days.points or self.weekly.points:
            wall, stretch = self._wall(instant)
            ends = (each - stretch.offset for each in self._next_walls(wall))
            found.append(_EPOCH + min([*ends, stretch.end]) * _SECOND)
        return min(found, default=None)

    def same_time_next_day(self, instant: datetime) -> datetime:
        """Return the instant at which the local clock shows the same time on the following day.

        A time that the clock jumps over is the first moment after the jump; of one that it shows
        twice, the first.
        """
        wall, _ = self._wall(instant)
        return self._at_wall(wall + DAY_SECONDS)

    def same_time_on_day_of(self, instant: datetime, other: datetime) -> datetime:
        """Return the instant at which the local clock shows ``instant``'s time on the day of
        ``other``.
        """
        time_of_day = self._wall(instant)[0] % DAY_SECONDS
        day = self._wall(other)[0] // DAY_SECONDS
        return self._at_wall(day * DAY_SECONDS + time_of_day)

    def _wall(self, instant: datetime) -> tuple[int, EvenPeriod]:
        return wall_of(self.timezone, instant)

    def _at_wall(self, wall: int) -> datetime:
        return at_wall(self.timezone, wall)

    def _next_of_periods(self, instant: datetime) -> list[int]:
        point = self.periods.next_point(_microseconds(instant))
        return [] if point is None else [point]

    def _next_walls(self, wall: int) -> list[int]:
        found = []
        day = self.days.next_point(wall // DAY_SECONDS)
        if day is not None:
            found.append(day * DAY_SECONDS)
        if self.weekly.points:
            second = _second_of_week(wall)
            point = self.weekly.next_point(second)
            found.append(wall - second + (point or _WEEK_SECONDS + self.weekly.points[0]))
        return found


def covered_by(
    timezone: str,
    *,
    days: Sequence[tuple[date, date]],
    weekdays: Collection[int],
    windows: Sequence[tuple[Collection[int], time, time]],
    periods: Sequence[tuple[datetime, datetime]],
) -> Coverage:
    """The union of all of these; the last of days is inclusive, the end of a period is not."""
    weekly = [(day * DAY_SECONDS, (day + 1) * DAY_SECONDS) for day in weekdays]
    for opening_days, opens, closes in windows:
        weekly += _hours(opening_days, opens, closes)
    return Coverage(
        timezone=timezone,
        days=Intervals.of((_day(first), _day(last) + 1) for first, last in days),
        weekdays=frozenset(weekdays),
        weekly=Intervals.of(weekly),
        periods=Intervals.of((_microseconds(start), _microseconds(end)) for start, end in periods),
    )


def _hours(weekdays: Collection[int], opens: time, closes: time) -> Iterable[_Interval]:
    begin, end = _second_of_day(opens), _second_of_day(closes)
    if end <= begin:
        end += DAY_SECONDS
    for day in weekdays:
        first, last = day * DAY_SECONDS + begin, day * DAY_SECONDS + end
        yield first, min(last, _WEEK_SECONDS)
        if last > _WEEK_SECONDS:
            yield 0, last - _WEEK_SECONDS


def _second_of_week(wall: int) -> int:
    return (wall + _FIRST_WEEKDAY * DAY_SECONDS) % _WEEK_SECONDS


def _second_of_day(at: time) -> int:
    return at.hour * 3600 + at.minute * 60 + at.second


def _day(each: date) -> int:
    return each.toordinal() - EPOCH_DAY


def _microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // timedelta(microseconds=1)
