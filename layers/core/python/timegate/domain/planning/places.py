"""Places: how many of a job's ``max_runs`` its runs hold, counted from their records.

A full job plans nothing until a run changes. A job without ``max_runs`` is full only while it waits
for last runs that an earlier schedule had planned (``Plan.as_stored``): its places have no limit.

A run that began holds its place for ever. A planned run holds one until it begins or ends. A run
that ended before it began holds none. The count is a function of the records, so no crash and no
replay can falsify it, and it does not depend on how far ahead runs are planned.
"""

import sys
from collections.abc import Mapping, Sequence
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
    #: Runs that began, up to ``counted_until``.
    counted: int
    #: Every run up to this instant has ended; ``None``: none is known to.
    counted_until: datetime | None
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


def count_places(timing: Timing, records: Sequence[RunRecord]) -> Places | None:
    """Count the places that runs hold; ``None`` for a job that does not count them.

    ``records``: the last attempt of each run after ``timing.counted_until``, in order. A record
    that cannot be read holds its place until it is repaired.
    """
    if not counts_places(timing):
        return None
    counted, until, is_prefix = timing.runs_begun, timing.counted_until, True
    begun, waiting, unfinished = counted, 0, 0
    ahead: dict[datetime, bool] = {}
    for record in records:
        instant = record.id.run.scheduled_at
        planned = timing.next_run_at is None or instant < timing.next_run_at
        if isinstance(record, Attempt) and _is_by_hand(record):
            has_begun, waits, has_ended = False, False, True
        else:
            has_begun, waits, has_ended = _standing_of(record)
        if not planned:
            ahead[instant] = waits
        holds = waits and planned and _is_wanted(timing, record)
        begun += has_begun
        waiting += holds
        unfinished += holds or (has_begun and not has_ended)
        is_prefix = is_prefix and planned and has_ended
        if is_prefix:
            counted, until = begun, instant
    return Places(
        limit=timing.schedule.max_runs,
        begun=begun,
        waiting=waiting,
        unfinished=unfinished,
        counted=counted,
        counted_until=until,
        ahead=ahead,
    )


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
    if not timing.full or timing.status is not JobStatus.ACTIVE:
        return upcoming
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
