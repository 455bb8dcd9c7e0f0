"""Advice: the jitter that would flatten the busiest minute of a queue, and which jobs take it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.job import Timing
from timegate.domain.jobs.rules.job_rules import check_jitter
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import due_minutes
from timegate.domain.previews.load.forecast import LoadedJob, MinuteRange, QueueLoad, at_minute
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: Spreads that are tried, in seconds: from a minute to an hour.
CANDIDATES = (60, 300, 900, 3600)
#: A peak of fewer runs is none.
LEAST_RUNS = 10
#: A job with more runs than that within the jitter of the peak is left as it is: its jitter would
#: end before its next run, and trying it is dear.
MOST_NEAR = 10
#: Fewer than one in so many of a peak's runs are enough; a longer jitter is not tried.
_ENOUGH = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class JitterAdvice:
    """A jitter that would flatten a peak."""

    #: The busiest minute of its queue, counted from 1970.
    minute: int
    #: Its runs, and those of the busiest minute within the jitter of it afterwards.
    before: int
    after: int
    jitter_seconds: int
    #: They take it; all have runs in that minute, or in a crowded one near it.
    jobs: tuple[LoadedJob, ...]


def advise(
    queue: QueueLoad, span: MinuteRange, restrictions: Restrictions, *, now: datetime
) -> JitterAdvice | None:
    """The shortest jitter that quarters the busiest minute, or the one that flattens it most.

    Computed with the jitter that each job would really have. ``None`` for a queue without a peak,
    and where no jitter helps.
    """
    if not queue.busiest:
        return None
    peak = queue.busiest[0]
    before = queue.counts[peak - span.first]
    if before < LEAST_RUNS:
        return None
    found: list[JitterAdvice] = []
    for seconds in CANDIDATES:
        near = _around(peak, seconds, span)
        jobs = _crowding(queue, near, span, before)
        able = tuple(
            each
            for each in jobs
            if _runs_near(each, near) <= MOST_NEAR and _may_take(each.job.timing, seconds, now)
        )
        if able:
            after = _peak_with(able, queue, seconds, (near, span), restrictions)
            found.append(
                JitterAdvice(
                    minute=peak, before=before, after=after, jitter_seconds=seconds, jobs=able
                )
            )
            if after * _ENOUGH <= before:
                break
    best = min(found, key=lambda each: each.after, default=None)
    return best if best is not None and best.after < before else None


def _may_take(timing: Timing, seconds: int, now: datetime) -> bool:
    """It recurs, has less jitter, and would not be refused with more."""
    schedule = timing.schedule
    if not schedule.is_recurring or schedule.jitter_seconds >= seconds:
        return False
    wanted = replace(schedule, jitter_seconds=seconds)
    try:
        check_jitter(wanted, timing.precision)
        validate_schedule(wanted, now=now)
    except InvalidInput:
        return False
    return timing.precision is not Precision.SUBSECOND


def _runs_near(job: LoadedJob, near: MinuteRange) -> int:
    return sum(job.minutes[minute] for minute in range(near.first, near.behind))


def _around(peak: int, seconds: int, span: MinuteRange) -> MinuteRange:
    """The minutes that the jitter reaches from the peak, before and behind it."""
    reach = -(-seconds // 60)
    return MinuteRange(
        first=max(peak - reach, span.first), behind=min(peak + reach + 1, span.behind)
    )


def _crowding(
    queue: QueueLoad, near: MinuteRange, span: MinuteRange, before: int
) -> list[LoadedJob]:
    """The jobs with runs in minutes that have more than half as many runs as the peak."""
    crowded = [
        minute
        for minute in range(near.first, near.behind)
        if queue.counts[minute - span.first] * 2 > before
    ]
    return [each for each in queue.jobs if any(minute in each.minutes for minute in crowded)]


def _peak_with(
    jobs: Sequence[LoadedJob],
    queue: QueueLoad,
    seconds: int,
    at: tuple[MinuteRange, MinuteRange],
    restrictions: Restrictions,
) -> int:
    """The busiest minute around the peak, with these jobs spread."""
    near, span = at
    counts = list(queue.counts[near.first - span.first : near.behind - span.first])
    # Minutes from which a run may move into these, and no instant before the forecast.
    start = max(at_minute(near.first) - timedelta(seconds=seconds), at_minute(span.first))
    window = PreviewWindow(start=start - MILLISECOND, end=at_minute(near.behind) - MILLISECOND)
    for each in jobs:
        timing = each.job.timing
        spread = replace(timing, schedule=replace(timing.schedule, jitter_seconds=seconds))
        moved = due_minutes(spread, window, restrictions)
        for number in range(len(counts)):
            minute = near.first + number
            counts[number] += moved[minute] - each.minutes[minute]
    return max(counts)
