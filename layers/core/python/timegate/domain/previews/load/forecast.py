"""The forecast: runs by minute and queue, and the minutes that have the most."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import field
from datetime import UTC, datetime, timedelta
from heapq import nsmallest

from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import MOST_SPREAD, load_minutes, within_reach
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

MINUTE = timedelta(minutes=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Minutes of each queue.
MOST_BUSIEST = 5
#: An instant of a job with jitter takes so many times as long to count as a minute without.
_JITTER_STEPS = 6
#: A rule that is written to cost takes as long as so many, however few instants it has.
RULE_STEPS = 10_000


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
    #: Count for each minute of the range, in order.
    counts: tuple[int, ...]
    #: Minutes from 1970 with the most runs, most first.
    busiest: tuple[int, ...]
    jobs: tuple[LoadedJob, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MinuteRange:
    """Whole minutes, counted from 1970: ``first`` belongs to it, ``behind`` does not."""

    first: int
    behind: int

    @classmethod
    def of(cls, now: datetime, days: int) -> "MinuteRange":
        """So many days from the minute of ``now`` on."""
        first = minute_number(now)
        return cls(first=first, behind=first + days * 24 * 60)

    @property
    def window(self) -> PreviewWindow:
        """The same as instants."""
        start, end = at_minute(self.first), at_minute(self.behind)
        return PreviewWindow(start=start - MILLISECOND, end=end - MILLISECOND)

    def holds(self, minute: int) -> bool:
        """Tell whether the minute is one of them."""
        return self.first <= minute < self.behind


#: A schedule, and what its instants count from.
_Key = tuple[Schedule, datetime]


@dataclass(kw_only=True, slots=True)
class Loads:
    """Jobs as they are counted; schedules that many share are counted once."""

    span: MinuteRange
    _known: dict[_Key, Counter[int]] = field(default_factory=dict)
    _queues: dict[tuple[str, bool], list[LoadedJob]] = field(default_factory=dict)
    #: The work done: a minute that is counted is one, and so is an instant of a rule.
    steps: int = 0

    def fitting(self, jobs: Sequence[Job], most: int) -> int:
        """Count the jobs that so many steps allow; one at least.

        Calendars and ``max_runs`` only leave instants out. Each look costs less than a millisecond.
        """
        known, steps = set(self._known), self.steps
        for number, job in enumerate(jobs):
            if number and steps >= most:
                return number
            timing = job.timing
            if timing.status is JobStatus.ACTIVE:
                key = _shared_key(timing)
                # A damaged schedule takes no step: ``add`` meets it again.
                with suppress(*DAMAGE):
                    steps += _steps_of(timing, self.span, is_known=key in known)
                known |= {key} if key is not None else set()
        return len(jobs)

    def add(self, job: Job, restrictions: Restrictions) -> None:
        """Count a job into its queue; raises one of ``DAMAGE`` for a damaged schedule."""
        timing = job.timing
        if timing.status is not JobStatus.ACTIVE:
            return
        minutes = self._minutes(timing, restrictions)
        if minutes:
            loaded = LoadedJob(job=job, minutes=minutes)
            self._queues.setdefault(queue_of(timing), []).append(loaded)

    def queues(self) -> tuple[QueueLoad, ...]:
        """Return the load of each queue, by name."""
        return tuple(_queue(key, jobs, self.span) for key, jobs in sorted(self._queues.items()))

    def _minutes(self, timing: Timing, restrictions: Restrictions) -> Counter[int]:
        key = _shared_key(timing)
        known = None if key is None else self._known.get(key)
        self.steps += _steps_of(timing, self.span, is_known=known is not None)
        if known is not None:
            return known
        found = load_minutes(timing, self.span.window, restrictions)
        if key is not None:
            self._known[key] = found
        return found


def _shared_key(timing: Timing) -> _Key | None:
    """Return the key that jobs of equal instants share; ``None``: calendars or jitter are its
    own.
    """
    schedule = timing.schedule
    own = timing.calendars or schedule.jitter_seconds or schedule.max_runs is not None
    return None if own else (schedule, timing.anchored_at)


def _steps_of(timing: Timing, span: MinuteRange, *, is_known: bool) -> int:
    """Return the most steps that counting takes; ``is_known``: its instants have been counted."""
    schedule = timing.schedule
    # Each instant or minute of a union is put to its members.
    members = schedule.any_of or (schedule,)
    least = RULE_STEPS * sum(kind_of(each.kind).is_walked for each in members)
    if is_known:
        return least
    window = within_reach(timing, span.window)
    found = span_between(
        schedule, created_at=timing.anchored_at, first=window.start, until=window.end
    )
    instants = found.count if found is not None else 0
    if schedule.jitter_seconds and instants <= MOST_SPREAD:
        return least + instants * _JITTER_STEPS * len(members)
    is_walked = kind_of(schedule.kind).is_walked
    counted = instants if is_walked else min(instants, span.behind - span.first)
    return least + counted * len(members)


def queue_of(timing: Timing) -> tuple[str, bool]:
    """Return the queue or pool in which runs of a job wait, and if it is a pool."""
    if timing.offer is not None:
        return timing.offer.pool, True
    return timing.queue_key, False


def at_minute(minute: int) -> datetime:
    """The instant at which a minute, counted from 1970, begins."""
    return _EPOCH + minute * MINUTE


def summed(jobs: Iterable[LoadedJob], span: MinuteRange) -> list[int]:
    """The runs of these jobs in each minute of the range."""
    counts = [0] * (span.behind - span.first)
    for each in jobs:
        for minute, count in each.minutes.items():
            if span.holds(minute):
                counts[minute - span.first] += count
    return counts


def busiest(counts: Sequence[int], span: MinuteRange) -> tuple[int, ...]:
    """The minutes with the most runs, most first, and the earliest of those that are equal."""
    ranked = nsmallest(
        MOST_BUSIEST, ((-count, number) for number, count in enumerate(counts) if count)
    )
    return tuple(span.first + number for _, number in ranked)


def _queue(key: tuple[str, bool], jobs: Sequence[LoadedJob], span: MinuteRange) -> QueueLoad:
    counts = summed(jobs, span)
    return QueueLoad(
        name=key[0],
        is_pool=key[1],
        counts=tuple(counts),
        busiest=busiest(counts, span),
        jobs=tuple(jobs),
    )
