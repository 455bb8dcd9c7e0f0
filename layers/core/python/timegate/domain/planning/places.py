"""Places: how many of a job's ``max_runs`` its runs hold, counted from their records.

A full job plans nothing until a run changes. A job without ``max_runs`` is full only while it waits
for last runs that an earlier schedule had planned (``Plan.as_stored``): its places have no limit.

A run that began holds its place for ever. A planned run holds one until it begins or ends. A run
that ended before it began holds none. The count is a function of the records, so no crash and no
replay can falsify it, and it does not depend on how far ahead runs are planned.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamagedRun, RunRecord
from timegate.domain.ledger.gap_parts import is_kept
from timegate.domain.planning.roll_ahead import needed_from
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: A full job is shown to planners so long after a write: each tick looks that far ahead.
FULL_AGAIN = timedelta(minutes=10)
#: Records of ended runs are kept for longer: runs are counted so soon.
COUNTED_WITHIN = timedelta(days=10)
#: Runs that are passed by: each is read by itself.
MOST_OPEN = 20
_BUCKET = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """The places of a job, and what tells them the next time."""

    #: ``None``: without ``max_runs``.
    limit: int | None
    #: Runs that began.
    begun: int
    #: Runs that are planned and have neither begun nor ended.
    waiting: int
    #: Runs of either sort that have not ended.
    unfinished: int
    #: Runs that began, up to ``counted_until``, of those that have ended.
    counted: int
    #: Every run up to this instant is counted; ``None``: none is known to be.
    counted_until: datetime | None
    #: Runs that are not counted, as ``Timing.uncounted``.
    uncounted: tuple[datetime, ...]
    #: Instants from the job's next one on that have a run: whether it waits for its place.
    ahead: Mapping[datetime, bool]

    @property
    def free(self) -> int:
        """Count the runs that may still be planned."""
        if self.limit is None:
            return sys.maxsize
        return max(self.limit - self.begun - self.waiting, 0)

    def are_used_up(self, following: datetime | None) -> bool:
        """Tell if no run is left to wait for, and none to plan.

        ``following``: the next instant of the schedule; ``None``: it names no other.
        """
        has_begun_all = self.limit is not None and self.begun >= self.limit
        return self.unfinished == 0 and (has_begun_all or following is None)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Standing:
    """A run, as it counts."""

    instant: datetime
    has_begun: bool
    has_ended: bool
    #: It has neither begun nor ended.
    waits: bool
    #: It lies before the job's next instant.
    is_planned: bool
    #: It waits, and the job lets it begin.
    holds: bool


def count_places(
    timing: Timing,
    records: Sequence[RunRecord],
    *,
    passing_by: datetime | None = None,
    pauses: bool = False,
) -> Places | None:
    """Count the places that runs hold; ``None`` for a job that does not count them.

    ``records``: the last attempts of the runs that ``counted_from`` and ``left_open`` name, in
    order. A record that cannot be read holds its place until it is repaired. ``passing_by``: runs
    of before this instant are passed by though they have not ended, so that those behind them are
    counted while they are on record. ``pauses``: so are those that have begun.
    """
    if not counts_places(timing):
        return None
    runs = [_standing_in(timing, each) for each in records]
    passed = {
        run.instant
        for run in runs
        if (pauses and run.has_begun) or (passing_by is not None and run.instant < passing_by)
    }
    counted, until, uncounted = _counted(timing, runs, passed)
    return Places(
        limit=timing.schedule.max_runs,
        begun=timing.runs_begun + sum(run.has_begun for run in runs),
        waiting=sum(run.holds for run in runs),
        unfinished=sum(run.holds or (run.has_begun and not run.has_ended) for run in runs),
        counted=counted,
        counted_until=until,
        uncounted=uncounted,
        ahead={run.instant: run.waits for run in runs if not run.is_planned},
    )


def _counted(
    timing: Timing, runs: Sequence[_Standing], passed: Collection[datetime]
) -> tuple[int, datetime | None, tuple[datetime, ...]]:
    """Return the runs that are counted with these, up to which instant, and those that are not."""
    counted, until = timing.runs_begun, timing.counted_until
    former = left_open(timing)
    left = [run.instant for run in runs if run.instant in former and not run.has_ended]
    counted += sum(run.has_begun for run in runs if run.instant in former and run.has_ended)
    for run in (run for run in runs if run.instant not in former):
        is_passed = run.instant in passed and len(left) < MOST_OPEN
        if not run.is_planned or not (run.has_ended or is_passed):
            return counted, until, (*left, run.instant)
        until = run.instant
        if run.has_ended:
            counted += run.has_begun
        else:
            left.append(run.instant)
    return counted, until, tuple(left)


def _standing_in(timing: Timing, record: RunRecord) -> _Standing:
    instant = record.id.run.scheduled_at
    is_planned = timing.next_run_at is None or instant < timing.next_run_at
    if isinstance(record, Attempt) and _is_by_hand(record):
        has_begun, waits, has_ended = False, False, True
    else:
        has_begun, waits, has_ended = _standing_of(record)
    return _Standing(
        instant=instant,
        has_begun=has_begun,
        has_ended=has_ended,
        waits=waits,
        is_planned=is_planned,
        holds=waits and is_planned and _is_wanted(timing, record),
    )


def left_open(timing: Timing) -> tuple[datetime, ...]:
    """Return the instants of runs that were passed by, and had not ended."""
    until = timing.counted_until
    return tuple(at for at in timing.uncounted if until is not None and at <= until)


def counted_without(timing: Timing, gone: Collection[datetime]) -> Timing:
    """Return the timing where runs that were left open have no record any more.

    They ended since, and are taken to have begun: a bound is rather reached too early.
    """
    if not gone:
        return timing
    return replace(
        timing,
        runs_begun=timing.runs_begun + len(gone),
        uncounted=tuple(at for at in timing.uncounted if at not in gone),
    )


def with_planned(places: Places, planned: Sequence[Attempt]) -> tuple[datetime, ...]:
    """Return the runs that are not counted once these are planned."""
    until, known = places.counted_until, places.uncounted
    has_first = bool(known) and (until is None or known[-1] > until)
    return known if has_first or not planned else (*known, planned[0].id.run.scheduled_at)


def is_recounted(timing: Timing, places: Places, *, now: datetime, until: datetime) -> bool:
    """Tell if what is counted is to be stored, although nothing is planned.

    A job whose next instant is far is shown to planners for that. Another that plans nothing for
    long, as a full or a frozen one, is told once its runs may be forgotten.
    """
    upcoming = timing.next_run_at
    is_far = upcoming is not None and upcoming > until + _BUCKET
    if is_far and timing.uncounted and not timing.full:
        return True
    counts = (places.counted, places.uncounted)
    is_stale = (timing.counted_until or timing.created_at) < now - COUNTED_WITHIN
    return is_stale and counts != (timing.runs_begun, timing.uncounted)


def counts_places(timing: Timing) -> bool:
    """Tell if planners count the job's runs: for ``max_runs``, or to know when the last ended."""
    return timing.schedule.max_runs is not None or timing.full


def counted_from(timing: Timing) -> datetime:
    """The first instant whose run ``count_places`` needs."""
    if timing.counted_until is None:
        # A cron names instants before its job; a backfill makes runs of them, which do not count.
        return timing.created_at
    return timing.counted_until + MILLISECOND


def shown_from(timing: Timing, at: datetime) -> datetime | None:
    """Return the instant of the planner's next look; ``None``: the job waits for nothing.

    Never before ``at``, which they have passed. They come to a full job soon, however far away its
    next instant is: one of its runs may give its place back, or the last one end.
    """
    needed = needed_from(timing)
    upcoming = max(needed, at) if needed is not None else None
    if timing.status is not JobStatus.ACTIVE:
        return upcoming
    if not timing.full:
        # Its runs are counted before their records are forgotten.
        again = upcoming is not None and timing.uncounted
        return min(upcoming, at + COUNTED_WITHIN) if upcoming and again else upcoming
    return min(upcoming or at + FULL_AGAIN, at + FULL_AGAIN)


def _standing_of(record: RunRecord) -> tuple[bool, bool, bool]:
    """Tell if a run has begun, if it waits to begin, and if it has ended."""
    match record:
        case DamagedRun():
            return False, True, False
        case Attempt():
            begun = record.fence > 0
            return begun, not begun and not record.ends_run, record.ends_run


def keeps_place(attempt: Attempt) -> bool:
    """Tell if the run holds its place for ever."""
    return attempt.fence > 0 and not _is_by_hand(attempt)


def _is_by_hand(attempt: Attempt) -> bool:
    """Tell if an operation made the run, or opened one again that had given its place back."""
    if attempt.operation is None:
        return False
    is_first = attempt.id.number == attempt.opened_as
    return attempt.opened_as == 1 or (is_first and attempt.fenced_from == 0)


def _is_wanted(timing: Timing, record: RunRecord) -> bool:
    """Tell if the job, as it is, lets a planned run begin."""
    if isinstance(record, DamagedRun):
        return True
    return record.job_version == timing.version or is_kept(timing, record.id.run.scheduled_at)
