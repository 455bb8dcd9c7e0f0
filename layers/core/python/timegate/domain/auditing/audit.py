"""The audit: which instants of a job should have a record by now, and which have none."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice

from timegate.domain.auditing.explain_instant import (
    Evidence,
    Verdict,
    account_for,
    is_exhausted,
    was_backfilled,
)
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.damaged_records import GapRecord, RunRecord
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.recurrence.fires import instants_between
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: An instant has this long to get its record: planning is ahead of it by minutes.
SETTLED_AFTER = timedelta(minutes=5)
#: An instant that is still to be planned is late work until then, and a finding from then on.
OVERDUE_AFTER = timedelta(minutes=15)
#: Most instants of one job that one check looks at; the next check goes on behind them.
MAX_INSTANTS = 1_000
#: Runs may be on record so far ahead: no look-ahead is longer.
PLANNED_AHEAD = timedelta(minutes=15)
#: A job in one of these names nothing any more.
ENDED = frozenset({JobStatus.CANCELLED, JobStatus.COMPLETED})
#: An instant that is accounted for without a record of its own.
_OPEN = frozenset({Verdict.PLANNED, Verdict.PAUSED, Verdict.FROZEN, Verdict.EXCLUDED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Era:
    """A definition of a job, and the instants for which it answers."""

    job: Job
    #: In order, none of them twice.
    instants: tuple[datetime, ...]


@dataclass(frozen=True, kw_only=True)
class LedgerRecords:
    """Ledger records of a job from the first of some instants on."""

    runs: Mapping[datetime, RunRecord]
    #: In the order of their last instants.
    gaps: Sequence[GapRecord]

    @cached_property
    def planned(self) -> Sequence[datetime]:
        """The instants of runs that planners made, in order: a backfill takes no place."""
        return sorted(at for at, run in self.runs.items() if not was_backfilled(run))

    @cached_property
    def last(self) -> datetime | None:
        """The last instant that a planner put on record."""
        return max([*self.planned, *(gap.last for gap in self.gaps)], default=None)

    def evidence(self, at: datetime) -> Evidence:
        """Return the record of an instant that has no run."""
        spanning = [gap for gap in self.gaps if gap.first <= at <= gap.last]
        later = (gap for gap in self.gaps if gap.last >= at)
        gap = max(spanning, key=lambda gap: gap.job_version) if spanning else next(later, None)
        return Evidence(gap=gap, is_followed=self.last is not None and self.last > at)

    def covers(self, at: datetime, naming: Naming) -> bool:
        """Tell if an instant of ``naming`` has a record of its own."""
        return at in self.runs or any(
            gap.first <= at <= gap.last
            for gap in self.gaps
            if isinstance(gap, Gap) and gap.naming == naming
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditFindings:
    """Findings of a check."""

    #: Instants that were to have a record, and have none.
    unrecorded: tuple[datetime, ...] = ()
    #: The first instant of which nothing is decided yet, and why not; the check ends before it.
    open_at: datetime | None = None
    open_as: Verdict | None = None
    #: The first instant that the schedule names and ``max_runs`` does not allow.
    ended_at: datetime | None = None

    def is_overdue(self, timing: Timing, now: datetime) -> bool:
        """An instant should have been planned long ago. A full job plans when a place is free."""
        if self.open_as is not Verdict.PLANNED or self.open_at is None or timing.full:
            return False
        return self.open_at <= now - OVERDUE_AFTER


def eras(
    job: Job, replaced: Sequence[Job], *, after: datetime, until: datetime
) -> tuple[tuple[Era, ...], bool]:
    """The instants later than ``after`` and not after ``until``, by the definition that named them.

    ``replaced``: earlier definitions of the job, by version. The second value is ``False`` where
    there are more than ``MAX_INSTANTS``: the later ones are left out.
    """
    found: list[Era] = []
    left = MAX_INSTANTS
    definitions = _schedules([*replaced, job])
    for own, following in zip(definitions, [*definitions[1:], None], strict=True):
        first = max(after, answers_after(own.timing))
        last = until if following is None else min(until, answers_after(following.timing))
        fires = instants_between(own.timing, after=first, until=last)
        instants = tuple(islice(fires, left + 1)) if first < last else ()
        named = own if following is None else _closed(own)
        if instants:
            found.append(Era(job=named, instants=instants[:left]))
        if len(instants) > left:
            return tuple(found), False
        left -= len(instants)
    return tuple(found), True


def judge(
    judged: Sequence[Era],
    records: LedgerRecords,
    *,
    now: datetime,
    restrictions: Restrictions = UNRESTRICTED,
) -> AuditFindings:
    """Ask of each instant without a record why it has none."""
    unrecorded: list[datetime] = []
    ended_at: datetime | None = None
    for era in judged:
        naming = Naming.of(era.job.timing)
        for at in era.instants:
            if records.covers(at, naming):
                continue
            evidence = records.evidence(at)
            account = account_for(era.job, at, evidence, now=now, restrictions=restrictions)
            if account.verdict in _OPEN:
                return AuditFindings(
                    unrecorded=tuple(unrecorded), open_at=at, open_as=account.verdict
                )
            if account.verdict is Verdict.UNRECORDED:
                unrecorded.append(at)
            if account.verdict is Verdict.ENDED and not evidence.is_followed:
                # So are the later ones.
                ended_at = at
                break
    return AuditFindings(unrecorded=tuple(unrecorded), ended_at=ended_at)


def short_of_runs(job: Job, ended_at: datetime, counted: int, *, now: datetime) -> list[datetime]:
    """Instants that have lost their runs at the end of a job that has used up its ``max_runs``.

    Without their records the last runs look like instants that ``max_runs`` does not allow. But
    as many runs were made as it does: fewer on record, ``counted``, than that have been lost.
    """
    timing = job.timing
    limit = timing.schedule.max_runs
    if limit is None or timing.next_run_at is not None or not is_exhausted(timing):
        return []
    if timing.status is JobStatus.PAUSED:
        return []
    fires = instants_between(timing, after=ended_at - MILLISECOND, until=now)
    return list(islice(fires, min(max(limit - counted, 0), MAX_INSTANTS)))


def counted_in(runs: Sequence[datetime], after: datetime, until: datetime) -> int:
    """Count the instants later than ``after`` and not later than ``until``."""
    return bisect_right(runs, until) - bisect_right(runs, after)


def _schedules(definitions: Sequence[Job]) -> list[Job]:
    """The last definition of each schedule: it tells how far that came."""
    namings = [Naming.of(each.timing) for each in definitions]
    following = [*namings[1:], None]
    return [
        each
        for each, own, later in zip(definitions, namings, following, strict=True)
        if own != later
    ]


def _closed(job: Job) -> Job:
    """A definition that was replaced: it has nothing left to plan, and holds nothing back."""
    timing = replace(job.timing, next_run_at=None, held_at=None, decided_until=None)
    return replace(job, timing=timing)
