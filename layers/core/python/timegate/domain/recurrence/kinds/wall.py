"""Ground of the kinds that are read on the wall clock of a zone."""

from abc import abstractmethod
from collections.abc import Iterator
from datetime import UTC, datetime

from timegate.domain.recurrence.cron.wall_clock import LAST_YEAR
from timegate.domain.recurrence.kinds.kind import (
    EPOCH,
    SECOND,
    InstantSeries,
    MemberKind,
)
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule
from timegate.domain.recurrence.wall_times.counts import count_instants
from timegate.domain.recurrence.wall_times.fires import wall_instants
from timegate.domain.recurrence.wall_times.pattern import WallPattern
from timegate.domain.recurrence.zones.clock_changes import (
    ClockRule,
    NamedTimes,
    clock_rule,
    is_interval,
)
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes
from timegate.domain.values.errors import InvalidInput

#: Fields of each kind that names wall times: what they do when the clock is changed.
CLOCK = ("timezone", "dst", "gap", "fold")

_END = datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC)
_POLICIES = {"dst": None, "gap": GapPolicy.RUN_AFTER, "fold": FoldPolicy.FIRST}


class WallKind(MemberKind):
    """A kind whose pattern names wall times."""

    @abstractmethod
    def pattern(self, schedule: Schedule) -> WallPattern:
        """Read its pattern; raises ``InvalidInput``."""

    @abstractmethod
    def checked(self, schedule: Schedule) -> NamedTimes:
        """Refuse a pattern that names nothing, or costs too much; returns it."""

    def check(self, schedule: Schedule, now: datetime) -> None:  # noqa: ARG002 - at any time
        """Refuse an unknown zone, its pattern, and policies that can have no effect."""
        load_zone(schedule.timezone)
        _check_policies(schedule, self.checked(schedule))

    def instants(self, schedule: Schedule, start: int) -> Iterator[int]:
        """Yield its instants from ``start`` on, in seconds from 1970."""
        pattern = self.pattern(schedule)
        return wall_instants(pattern, schedule.timezone, clock_rule(schedule, pattern), start)

    def count(self, schedule: Schedule, begin: int, end: int) -> int:
        """Count its instants from ``begin`` to ``end``, both included, in seconds from 1970."""
        pattern = self.pattern(schedule)
        rule = clock_rule(schedule, pattern)
        return count_instants(pattern, schedule.timezone, rule, begin, end)

    def fires(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the clock is their anchor
        after: datetime,
    ) -> Iterator[datetime]:
        """Walk its instants; none lies before 1970."""
        if after >= _END:
            return
        start = (max(after, EPOCH - SECOND) - EPOCH) // SECOND + 1
        for instant in self.instants(schedule, start):
            yield datetime.fromtimestamp(instant, UTC)

    def span(
        self,
        schedule: Schedule,
        created_at: datetime,  # noqa: ARG002 - the clock is their anchor
        within: tuple[datetime, datetime],
        at_most: int | None,
    ) -> InstantSeries:
        """Count along the stretches of its clock, and find both ends by halving."""
        begin, end = ((each - EPOCH) // SECOND for each in within)
        total = self.count(schedule, begin, end)
        count = total if at_most is None else min(total, at_most)
        return InstantSeries(
            first=within[0] if count == total else self._from_end(schedule, count, begin, end),
            last=self._from_end(schedule, 1, begin, end),
            count=count,
        )

    def _from_end(self, schedule: Schedule, number: int, begin: int, end: int) -> datetime:
        """The instant at which the last ``number`` instants of a range begin."""
        earliest, latest = begin, end
        while earliest < latest:
            middle = (earliest + latest + 1) // 2
            if self.count(schedule, middle, end) >= number:
                earliest = middle
            else:
                latest = middle - 1
        return datetime.fromtimestamp(earliest, UTC)

    def names_all_of(self, wide: Schedule, narrow: Schedule) -> bool:
        """Compare zones, the rules that their policies come to, and patterns."""
        if wide.timezone != narrow.timezone or self._rule(wide) != self._rule(narrow):
            return False
        return self.holds(wide, narrow)

    @abstractmethod
    def holds(self, wide: Schedule, narrow: Schedule) -> bool:
        """Tell if the pattern of ``wide`` names each wall time of ``narrow``."""

    def _rule(self, schedule: Schedule) -> ClockRule | None:
        if never_changes(schedule.timezone):
            return None
        return clock_rule(schedule, self.pattern(schedule))


def zone_in_words(schedule: Schedule, pattern: NamedTimes, *, lists_times: bool) -> Iterator[str]:
    """Name the zone, and tell an interval from fixed times where the times themselves do not."""
    yield "UTC" if schedule.timezone == "UTC" else f"{schedule.timezone} time"
    if never_changes(schedule.timezone):
        return
    if is_interval(schedule, pattern):
        yield "following real time when its clock changes"
    elif not lists_times:
        yield "as fixed times of the day"
    if schedule.gap is GapPolicy.SKIP:
        yield "never in place of a time its clock skips"
    if schedule.fold is FoldPolicy.BOTH:
        yield "both times when its clock shows a time twice"


def _check_policies(schedule: Schedule, pattern: NamedTimes) -> None:
    """Refuse a policy that can have no effect: its writer expects one."""
    for name, default in _POLICIES.items():
        if getattr(schedule, name) == default:
            continue
        if never_changes(schedule.timezone):
            detail = f"The clock of {schedule.timezone} is never changed. Leave it out."
            raise InvalidInput(f"schedule.{name}", "without_effect", detail)
        if name != "dst" and is_interval(schedule, pattern):
            detail = (
                "The schedule is an interval, which follows real time through clock changes. "
                "Leave it out, or set dst to fixed."
            )
            raise InvalidInput(f"schedule.{name}", "without_effect", detail)
