"""Times of a recurrence rule (RFC 5545) on the wall clock of a zone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import groupby, takewhile

from timegate.domain.recurrence.kinds.kind import (
    BOUNDS,
    EPOCH,
    MINUTE_SECONDS,
    SECOND,
    MemberDays,
    MinuteCount,
    TextRefusal,
)
from timegate.domain.recurrence.kinds.wall import CLOCK, WallKind, zone_in_words
from timegate.domain.recurrence.rrule.lines import read_lines
from timegate.domain.recurrence.rrule.named import count_rrule, rrule_instants
from timegate.domain.recurrence.rrule.pattern import RrulePattern
from timegate.domain.recurrence.rrule.reading import rule_of
from timegate.domain.recurrence.rrule.rules import check_rrule
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.clock_changes import NamedTimes
from timegate.domain.values.errors import InvalidInput


class RruleKind(WallKind):
    """A rule that is counted from ``starts_at``, with dates added and left out."""

    fields = ("rrule", "exdates", "rdates", *CLOCK, *BOUNDS)
    malformed = TextRefusal("invalid_rrule", "is no recurrence rule of RFC 5545")
    is_walked = True

    def written(self, schedule: Schedule) -> Schedule:
        """Read the lines of a calendar; a rule that cannot be read stays as it is."""
        try:
            return read_lines(schedule)
        except InvalidInput:
            # Validation refuses it, and names its field.
            return schedule

    def pattern(self, schedule: Schedule) -> RrulePattern:
        """Read its rule."""
        return rule_of(schedule)

    def checked(self, schedule: Schedule) -> NamedTimes:
        """Refuse a rule that is not bounded in cost, or dates that cannot matter."""
        return check_rrule(schedule)

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say its rule, its zone, and the dates that differ."""
        # Imported here: those who plan never say it.
        from timegate.domain.recurrence.rrule.words import (  # noqa: PLC0415
            describe_exceptions,
            describe_rule,
            lists_clock_times,
        )

        rule = rule_of(schedule)
        yield describe_rule(rule.parts)
        yield from zone_in_words(schedule, rule, lists_times=lists_clock_times(rule.parts))
        yield from describe_exceptions(schedule, rule.parts)

    def instants(self, schedule: Schedule, start: int) -> Iterator[int]:
        """Yield those of the rule up to UNTIL, and the dates."""
        return rrule_instants(schedule, start)

    def count(self, schedule: Schedule, begin: int, end: int) -> int:
        """Count those of the rule, and correct the number by the dates."""
        return count_rrule(schedule, begin, end)

    def minutes(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the clock is their anchor
        within: tuple[datetime, datetime],
    ) -> Iterator[MinuteCount]:
        """Walk its instants."""
        begin, end = ((each - EPOCH) // SECOND for each in within)
        instants = takewhile(lambda each: each <= end, rrule_instants(schedule, begin))
        for minute, those in groupby(instants, lambda each: each // MINUTE_SECONDS):
            yield minute, sum(1 for _ in those)

    def holds(self, wide: Schedule, narrow: Schedule) -> bool:
        """Compare all but the policies, whose rules are equal."""
        return wide == replace(narrow, dst=wide.dst, gap=wide.gap, fold=wide.fold)

    def days(self, schedule: Schedule, created_at: datetime) -> tuple[int, MemberDays]:  # noqa: ARG002
        """Gather its days from local ones, UNTIL and the dates."""
        # Imported here: unions alone need it.
        from timegate.domain.recurrence.rrule.named_days import RruleDays  # noqa: PLC0415

        return 0, RruleDays(schedule, self.pattern(schedule))


KIND = RruleKind()
