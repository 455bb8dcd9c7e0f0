"""Times at which the wall clock of a zone matches a pattern."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.cron.covering import covers
from timegate.domain.recurrence.cron.minutes import cron_minutes
from timegate.domain.recurrence.cron.pattern import pattern_of
from timegate.domain.recurrence.cron.spellings import respelt
from timegate.domain.recurrence.cron.walls import CronWalls
from timegate.domain.recurrence.kinds.kind import (
    BOUNDS,
    EPOCH,
    SECOND,
    MemberDays,
    MinuteCount,
    TextRefusal,
)
from timegate.domain.recurrence.kinds.wall import CLOCK, WallKind, zone_in_words
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.clock_changes import NamedTimes
from timegate.domain.values.errors import InvalidInput


class CronKind(WallKind):
    """A pattern of one of the dialects."""

    fields = ("cron", "dialect", *CLOCK, *BOUNDS)
    malformed = TextRefusal("invalid_cron", "is no cron expression")

    def written(self, schedule: Schedule) -> Schedule:
        """Turn ``rate(…)``, ``at(…)`` and ``@every`` into the kinds that they name."""
        return respelt(schedule)

    def pattern(self, schedule: Schedule) -> CronWalls:
        """Read its expression."""
        return CronWalls(pattern_of(schedule))

    def checked(self, schedule: Schedule) -> NamedTimes:
        """Refuse one that no date matches."""
        pattern = pattern_of(schedule)
        if not pattern.can_match:
            detail = "No date matches its day, month and weekday together."
            raise InvalidInput("schedule.cron", "never_fires", detail)
        return pattern

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say its times and their zone."""
        # Imported here: those who plan never say it.
        from timegate.domain.recurrence.cron.words import (  # noqa: PLC0415
            describe_pattern,
            names_clock_times,
        )

        pattern = pattern_of(schedule)
        yield describe_pattern(pattern)
        yield from zone_in_words(schedule, pattern, lists_times=names_clock_times(pattern))

    def minutes(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the clock is their anchor
        within: tuple[datetime, datetime],
    ) -> Iterator[MinuteCount]:
        """Count whole minutes where its clock runs evenly."""
        begin, end = ((each - EPOCH) // SECOND for each in within)
        return cron_minutes(schedule, begin, end)

    def holds(self, wide: Schedule, narrow: Schedule) -> bool:
        """Compare the values of each field."""
        return covers(pattern_of(wide), pattern_of(narrow))

    def days(self, schedule: Schedule, created_at: datetime) -> tuple[int, MemberDays]:  # noqa: ARG002
        """Gather its days from local ones."""
        # Imported here: unions alone need it.
        from timegate.domain.recurrence.union.wall_days import WallDays  # noqa: PLC0415

        return 0, WallDays(schedule, self.pattern(schedule))


KIND = CronKind()
