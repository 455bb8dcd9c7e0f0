"""The forecast: runs by minute and queue, and the minutes that have the most."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import nsmallest

from timegate.domain.forthcoming import Window
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Job, JobStatus, Timing
from timegate.domain.load.due_minutes import due_minutes
from timegate.domain.recurrence import minute_of
from timegate.domain.restrictions import Restrictions
from timegate.domain.schedule import Schedule

MINUTE = timedelta(minutes=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Of each queue.
MOST_BUSIEST = 5
#: A minute of a job with jitter takes so many times as long to count.
_JITTER_COST = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedJob:
    """A job and the minutes in which its runs fall due."""

    job: Job
    minutes: Counter[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueLoad:
    """The runs of one queue."""

    #: ``<priority>-<class>``, or the name of a pool.
    name: str
    is_pool: bool
    #: Of each minute of the range, in order.
    counts: tuple[int, ...]
    #: Minutes from 1970 with the most runs, most first.
    busiest: tuple[int, ...]
    jobs: tuple[LoadedJob, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """Whole minutes, counted from 1970: ``first`` belongs to it, ``behind`` does not."""

    first: int
    behind: int

    @classmethod
    def of(cls, now: datetime, days: int) -> "Range":
        """So many days from the minute of ``now`` on."""
        first = minute_of(now)
        return cls(first=first, behind=first + days * 24 * 60)

    @property
    def window(self) -> Window:
        """The same as instants."""
        start, end = at_minute(self.first), at_minute(self.behind)
        return Window(start=start - MILLISECOND, end=end - MILLISECOND)

    def holds(self, minute: int) -> bool:
        """Tell whether the minute is one of them."""
        return self.first <= minute < self.behind


@dataclass(kw_only=True, slots=True)
class Loads:
    """Jobs as they are counted; schedules that many share are counted once."""

    span: Range
    _known: dict[tuple[Schedule, datetime], Counter[int]] = field(default_factory=dict)
    _queues: dict[tuple[str, bool], list[LoadedJob]] = field(default_factory=dict)
    #: How many have been counted, schedules that are shared once.
    minutes: int = 0

    def add(self, job: Job, restrictions: Restrictions) -> None:
        """Count a job into its queue."""
        timing = job.timing
        if timing.status is not JobStatus.ACTIVE:
            return
        minutes = self._minutes(timing, restrictions)
        if minutes:
            loaded = LoadedJob(job=job, minutes=minutes)
            self._queues.setdefault(queue_of(timing), []).append(loaded)

    def queues(self) -> tuple[QueueLoad, ...]:
        """What each queue has, by name."""
        return tuple(_queue(key, jobs, self.span) for key, jobs in sorted(self._queues.items()))

    def _minutes(self, timing: Timing, restrictions: Restrictions) -> Counter[int]:
        schedule = timing.schedule
        # Calendars, the job's id and what it has left of ``max_runs`` are its own.
        own = timing.calendars or schedule.jitter_seconds or schedule.max_runs is not None
        key = (schedule, timing.anchored_at)
        known = None if own else self._known.get(key)
        if known is not None:
            return known
        found = due_minutes(timing, self.span.window, restrictions)
        self.minutes += len(found) * (_JITTER_COST if schedule.jitter_seconds else 1)
        if not own:
            self._known[key] = found
        return found


def queue_of(timing: Timing) -> tuple[str, bool]:
    """Where runs of a job wait to be executed, and whether that is a pool."""
    if timing.offer is not None:
        return timing.offer.pool, True
    return timing.queue_key, False


def at_minute(minute: int) -> datetime:
    """The instant at which a minute, counted from 1970, begins."""
    return _EPOCH + minute * MINUTE


def summed(jobs: Iterable[LoadedJob], span: Range) -> list[int]:
    """The runs of these jobs in each minute of the range."""
    counts = [0] * (span.behind - span.first)
    for each in jobs:
        for minute, count in each.minutes.items():
            if span.holds(minute):
                counts[minute - span.first] += count
    return counts


def busiest(counts: Sequence[int], span: Range) -> tuple[int, ...]:
    """The minutes with the most runs, most first, and the earliest of those that are equal."""
    ranked = nsmallest(
        MOST_BUSIEST, ((-count, number) for number, count in enumerate(counts) if count)
    )
    return tuple(span.first + number for _, number in ranked)


def _queue(key: tuple[str, bool], jobs: Sequence[LoadedJob], span: Range) -> QueueLoad:
    counts = summed(jobs, span)
    return QueueLoad(
        name=key[0],
        is_pool=key[1],
        counts=tuple(counts),
        busiest=busiest(counts, span),
        jobs=tuple(jobs),
    )
