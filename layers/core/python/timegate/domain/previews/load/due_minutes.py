"""The minutes in which runs of one job fall due."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.roll_ahead import LONGEST_ROLL, may_precede
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import (
    instants_between,
    next_instant,
)
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.minute_counts import minute_counts
from timegate.domain.recurrence.spread import jitter
from timegate.domain.restrictions.calendar_filter import FURTHEST, is_admitted, stretches
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.instants import MILLISECOND

#: A job with more instants, one for each five minutes of a week, is counted without its jitter:
#: that is shorter than the time between them.
MOST_SPREAD = 2_016


def load_minutes(timing: Timing, window: PreviewWindow, restrictions: Restrictions) -> Counter[int]:
    """Count the runs that start in each minute of the window, whatever their instants.

    Jitter and calendars move runs into the window and out of it. Otherwise as ``due_minutes``.
    """
    reach = within_reach(timing, window)
    start = _last_put_off(timing, reach.start, restrictions) or reach.start
    # A recurring schedule begins behind its anchor, one that runs once at its anchor.
    anchor = timing.anchored_at - (timedelta(0) if timing.schedule.is_recurring else MILLISECOND)
    start = max(start, anchor)
    if start >= reach.end:
        return Counter()
    found = due_minutes(timing, replace(reach, start=start), restrictions)
    first, last = minute_number(window.start + MILLISECOND), minute_number(window.end)
    return Counter({minute: found[minute] for minute in found if first <= minute <= last})


def within_reach(timing: Timing, window: PreviewWindow) -> PreviewWindow:
    """The window in which instants lie whose jitter or roll may start a run in this one."""
    before, after = timedelta(seconds=timing.schedule.jitter_seconds), timedelta(0)
    if timing.precision is Precision.SUBSECOND:
        before = timedelta(0)
    if any(rule.roll is not None for rule in timing.calendars):
        before += LONGEST_ROLL
    if may_precede(timing):
        after = LONGEST_ROLL
    return PreviewWindow(start=window.start - before, end=window.end + after)


def _last_put_off(timing: Timing, before: datetime, restrictions: Restrictions) -> datetime | None:
    """Return where the last instant up to a moment begins to count, if calendars put it off."""
    if not timing.calendars:
        return None
    found = series_between(timing, first=before - FURTHEST, until=before)
    if found is None or is_admitted(timing, found.last, restrictions):
        return None
    return found.last - MILLISECOND


def due_minutes(timing: Timing, window: PreviewWindow, restrictions: Restrictions) -> Counter[int]:
    """Count the runs of the window's instants in each minute; minutes count from 1970.

    Calendars, the bounds of the schedule and what is left of ``max_runs`` count. Freezes do not,
    nor does overlap. Jitter moves an instant to the minute in which it starts.
    """
    found: Counter[int] = Counter()
    if timing.status is not JobStatus.ACTIVE:
        return found
    left = _left(timing, window.start, restrictions)
    for first, until, moment in _ranges(timing, window, restrictions):
        if moment is not None:
            is_new = timing.next_run_at is not None and until >= timing.next_run_at
            if is_new and left <= 0:
                break
            found[minute_number(_spread(timing, moment, next_instant(timing, until)))] += 1
            left -= is_new
            continue
        last, used = _bounded(timing, first, until, left)
        left -= used
        if last is not None:
            _count(timing, first, last, found)
        if left <= 0:
            break
    return found


def _left(timing: Timing, start: datetime, restrictions: Restrictions) -> float:
    """Return how many runs ``max_runs`` allows beyond those planned, and those up to ``start``."""
    limit = timing.schedule.max_runs
    if limit is None:
        return float("inf")
    if timing.full:
        return 0
    return max(limit - timing.runs_begun - _uncounted(timing, start, restrictions), 0)


def _uncounted(timing: Timing, start: datetime, restrictions: Restrictions) -> int:
    """Count the runs that are planned or come up to ``start``, and are not counted yet."""
    since = max(timing.anchored_at, timing.counted_until or timing.anchored_at)
    if timing.next_run_at is None:
        return 0
    until = max(timing.next_run_at - MILLISECOND, start)
    if until < since:
        return 0
    planned = PreviewWindow(start=since, end=until)
    return sum(
        _between(timing, first, until) if moment is None else 1
        for first, until, moment in _ranges(timing, planned, restrictions)
    )


def _ranges(
    timing: Timing, window: PreviewWindow, restrictions: Restrictions
) -> Iterator[tuple[datetime, datetime, datetime | None]]:
    """First and last instant of what runs together, or one instant and when it runs instead."""
    first, until = window.start + MILLISECOND, window.end
    if not timing.calendars:
        yield first, until, None
        return
    for each in stretches(timing, first, until, restrictions):
        if each.admitted:
            yield each.span.first, each.span.last, None
        elif each.last_runs_at is not None:
            yield each.span.last, each.span.last, each.last_runs_at


def _bounded(
    timing: Timing, first: datetime, until: datetime, left: float
) -> tuple[datetime | None, int]:
    """Return the end that ``max_runs`` sets to a range, and how much of it the range takes.

    An instant before the job's next one is planned, and takes nothing. So are all of a job that has
    no next one.
    """
    if timing.schedule.max_runs is None:
        return until, 0
    begin = timing.next_run_at
    if begin is None or begin > until:
        return until, 0
    begin = max(begin, first)
    if left <= 0:
        return begin - MILLISECOND, 0
    whole = _between(timing, begin, until)
    if whole <= left:
        return until, whole
    return _nth(timing, begin, until, int(left)), int(left)


def _nth(timing: Timing, first: datetime, until: datetime, number: int) -> datetime:
    """The instant from ``first`` on with this number, by halving the range."""
    if number <= MOST_SPREAD:
        fires = _fires(timing, first, until)
        return next(islice(fires, number - 1, None))
    earliest, latest = first, until
    while latest - earliest > MILLISECOND:
        middle = earliest + (latest - earliest) / 2
        if _between(timing, first, middle) >= number:
            latest = middle
        else:
            earliest = middle
    return latest


def _count(timing: Timing, first: datetime, until: datetime, found: Counter[int]) -> None:
    schedule, anchor = timing.schedule, timing.anchored_at
    spread = schedule.jitter_seconds and timing.precision is not Precision.SUBSECOND
    if not spread or _between(timing, first, until) > MOST_SPREAD:
        for minute, count in minute_counts(schedule, created_at=anchor, first=first, until=until):
            found[minute] += count
        return
    fires = _fires(timing, first, until)
    at = next(fires, None)
    while at is not None:
        following = next(fires, None)
        found[minute_number(_spread(timing, at, following or next_instant(timing, at)))] += 1
        at = following


def _spread(timing: Timing, at: datetime, following: datetime | None) -> datetime:
    """Return the start of a run, as the planner spreads it."""
    seconds = timing.schedule.jitter_seconds
    if not seconds or timing.precision is Precision.SUBSECOND:
        return at
    return at + jitter(timing.job_id, at, seconds, following)


def _between(timing: Timing, first: datetime, until: datetime) -> int:
    span = series_between(timing, first=first, until=until)
    return span.count if span is not None else 0


def _fires(timing: Timing, first: datetime, until: datetime) -> Iterator[datetime]:
    return instants_between(timing, after=first - MILLISECOND, until=until)
