"""Times that a schedule names on the wall clock of its zone, whatever notation names them."""

from collections.abc import Iterator
from typing import Protocol

from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.cron.walls import CronWalls
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind


class WallPattern(Protocol):
    """Wall times: seconds from 1970-01-01 00:00 to what the clock shows."""

    @property
    def is_interval(self) -> bool:
        """Tell whether they mean real hours or minutes rather than times of the day."""

    def walls_from(self, start: int) -> Iterator[int]:
        """Yield walls from ``start`` on, in order; ends when none comes for decades."""

    def count_walls(self, begin: int, end: int) -> int:
        """Count those with ``begin`` <= wall < ``end``, in bounded time."""

    def day_key(self, day: int) -> int | None:
        """Give days with the same times the same key; ``None`` to a day that has none."""


def wall_pattern(schedule: Schedule) -> WallPattern:
    """Find the pattern of a schedule that names wall times; raises ``InvalidInput``."""
    if schedule.kind is ScheduleKind.RRULE:
        # Imported here: few schedules need it, and every function would pay for it.
        from timegate.domain.recurrence.rrule.reading import rule_of  # noqa: PLC0415

        return rule_of(schedule)
    return CronWalls(pattern_of(schedule))
