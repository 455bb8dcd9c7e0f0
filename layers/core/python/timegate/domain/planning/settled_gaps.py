"""The gaps of a settlement: what is skipped, and what calendars leave out beside it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.ledger import Gap, gap_of
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import moved_earlier
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.restrictions.calendar_filter import InstantGroup
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND


def gaps_of(
    timing: Timing, found: Sequence[InstantGroup], until: datetime, reason: Reason, now: datetime
) -> list[Gap]:
    """Build gaps of skipped instants; each has the reason that applied first."""
    gaps: list[Gap] = []
    for stretch in found:
        for span, why in _parts(timing, stretch, until, reason):
            rolled_to = stretch.rolled_to if why is Reason.ROLLED else None
            if gaps and (gaps[-1].reason, gaps[-1].rolled_to) == (why, rolled_to):
                count = gaps[-1].count + span.count
                gaps[-1] = replace(gaps[-1], last=span.last, count=count)
            else:
                gaps.append(gap_of(timing, span, why, now=now, rolled_to=rolled_to))
    return gaps


def _parts(
    timing: Timing, stretch: InstantGroup, until: datetime, reason: Reason
) -> list[tuple[InstantSeries, Reason]]:
    span, end = stretch.span, min(stretch.span.last, until)
    if stretch.admitted:
        spans = [(series_between(timing, first=span.first, until=end), reason)]
    elif stretch.last_runs_at is None:
        spans = [(series_between(timing, first=span.first, until=end), stretch.reason)]
    else:
        before = min(span.last - MILLISECOND, until)
        spans = [
            (series_between(timing, first=span.first, until=before), Reason.EXCLUDED),
            (series_between(timing, first=span.last, until=end), reason),
        ]
    return [(part, why) for part, why in spans if part is not None]


def set_back(timing: Timing, first: datetime) -> Timing | None:
    """Return the job with its next instant where a zone's new rules have moved it; ``None``: not
    earlier.

    Nothing else would decide about the earlier one: planners go on from the stored one.
    """
    anchored_at = timing.anchored_at
    after = max(anchored_at, timing.decided_until or anchored_at)
    earlier = moved_earlier(timing.schedule, created_at=anchored_at, instant=first, after=after)
    return None if earlier is None else replace(timing, next_run_at=earlier)
