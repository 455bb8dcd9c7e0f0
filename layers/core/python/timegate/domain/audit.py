"""The audit: which instants of a job should have a record by now, and which have none."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.damaged_records import GapRecord
from timegate.domain.frozen_spans import frozen_until
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.domain.recurrence import fires_between
from timegate.domain.restrictions import UNRESTRICTED, Restrictions

#: What a job did is looked at this far back, if that is not too much ...
FAR_BACK = timedelta(hours=26)
#: ... and otherwise this far.
NEAR_BACK = timedelta(hours=1)
#: An instant has this long to get its record: planning is ahead of it by minutes.
SETTLED_AFTER = timedelta(minutes=5)
#: An instant that is still to be planned is late work until then, and a miss from then on.
OVERDUE_AFTER = timedelta(minutes=15)
#: Most instants of one job that one audit looks at.
MAX_INSTANTS = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """The instants that must have a record, in order; there is at least one."""

    instants: tuple[datetime, ...]

    @property
    def first(self) -> datetime:
        """Where to begin reading records."""
        return self.instants[0]

    @property
    def last(self) -> datetime:
        """Where to stop."""
        return self.instants[-1]

    def without(
        self, runs: Collection[datetime], gaps: Sequence[GapRecord]
    ) -> tuple[datetime, ...]:
        """The instants that neither a run nor a gap accounts for."""
        recorded = frozenset(runs)
        return tuple(
            instant
            for instant in self.instants
            if instant not in recorded and not any(gap.first <= instant <= gap.last for gap in gaps)
        )


def expected_instants(
    timing: Timing, *, now: datetime, restrictions: Restrictions = UNRESTRICTED
) -> Expected | None:
    """What the job's schedule named and must be on record by ``now``; ``None``: nothing yet.

    Everything before the job's next instant is on record, except what passed so lately that its
    record may still be on its way. What a freeze holds back gets its record when that ends. A
    schedule answers for the time since it was given.
    """
    upcoming = timing.next_run_at
    if upcoming is None:
        return None
    until = max(min(now - SETTLED_AFTER, upcoming - MILLISECOND), now - OVERDUE_AFTER)
    if frozen_until(timing, upcoming, restrictions) > max(upcoming, now - OVERDUE_AFTER):
        until = min(until, upcoming - MILLISECOND)
    for back in (FAR_BACK, NEAR_BACK):
        instants = _instants(timing, max(timing.anchored_at, now - back), until)
        if len(instants) <= MAX_INSTANTS:
            break
    latest = instants[:MAX_INSTANTS]
    return Expected(instants=tuple(latest)) if latest else None


def _instants(timing: Timing, first: datetime, until: datetime) -> list[datetime]:
    fires = fires_between(
        timing.schedule, created_at=timing.anchored_at, after=first - MILLISECOND, until=until
    )
    return list(islice(fires, MAX_INSTANTS + 1))
