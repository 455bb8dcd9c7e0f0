"""Accounting for one instant of a job: why something ran then, or why nothing did."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from itertools import islice

from timegate.domain.auditing.rolled_account import tell_of_rolls
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamagedGap, DamagedRun, GapRecord, RunRecord
from timegate.domain.ledger.explanations import (
    GROUNDS,
    Ground,
    explain_damage,
    explain_gap,
    explain_run,
)
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import Record
from timegate.domain.recurrence.fires import (
    instants_between,
    names_instant,
    next_instant,
)
from timegate.domain.restrictions.calendar_filter import judge_instant, stretches
from timegate.domain.restrictions.frozen_spans import frozen_at
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.value_classes import dataclass

#: More runs than these are not counted out to say whether ``max_runs`` allows an instant.
_MOST_COUNTED = 10_000


class Verdict(StrEnum):
    """Outcome of an instant, past or to come."""

    RUN = "run"
    GAP = "gap"
    #: It is on record, and cannot be read.
    DAMAGED = "damaged"
    #: Still to come, or about to be caught up.
    PLANNED = "planned"
    #: The job is paused: decided when it is resumed.
    PAUSED = "paused"
    #: The job is frozen: decided when the freeze ends.
    FROZEN = "frozen"
    #: Its calendars will leave it out, as they are.
    EXCLUDED = "excluded"
    #: It should have a record and has none.
    UNRECORDED = "unrecorded"
    NOT_NAMED = "not_named"
    #: The job, or its present schedule, was not there yet.
    BEFORE_JOB = "before_job"
    #: Nothing fires any more: the schedule ended, or the job was cancelled.
    ENDED = "ended"


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """Ledger records about an instant."""

    #: The run of exactly this instant.
    run: RunRecord | None = None
    #: The attempt before the run's last one, where that has not begun.
    previous: Attempt | None = None
    #: The first gap that reaches to the instant or beyond.
    gap: GapRecord | None = None
    #: The next instant of the schedule is on record, by no backfill.
    is_followed: bool = False
    #: Runs that may still be planned for a job with ``max_runs``.
    places_free: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """The answer, and the record it rests on, if any."""

    verdict: Verdict
    explanation: str
    record: Record | None = None


_VERDICTS = {
    Ground.BEFORE_CREATION: Verdict.BEFORE_JOB,
    Ground.BEFORE_SCHEDULE: Verdict.BEFORE_JOB,
    Ground.NOT_NAMED: Verdict.NOT_NAMED,
    Ground.SCHEDULE_ENDED: Verdict.ENDED,
    Ground.MAX_RUNS: Verdict.ENDED,
    Ground.CANCELLED: Verdict.ENDED,
    Ground.PAUSED_SINCE: Verdict.PAUSED,
    Ground.PAUSED_NOW: Verdict.PAUSED,
    Ground.FROZEN_SINCE: Verdict.FROZEN,
    Ground.FROZEN_THEN: Verdict.FROZEN,
    Ground.EXCLUDED_THEN: Verdict.EXCLUDED,
    Ground.ROLLED_THEN: Verdict.PLANNED,
    Ground.JOINED_THEN: Verdict.EXCLUDED,
    Ground.DEFERRED_THEN: Verdict.PLANNED,
    Ground.TO_COME: Verdict.PLANNED,
    Ground.CATCHING_UP: Verdict.PLANNED,
    Ground.BEHIND: Verdict.PLANNED,
    Ground.UNRECORDED: Verdict.UNRECORDED,
}


def account_for(
    job: Job,
    at: datetime,
    evidence: Evidence,
    *,
    now: datetime,
    restrictions: Restrictions = UNRESTRICTED,
) -> Account:
    """Say what became of the instant ``at``; records first, then the job as it is."""
    account = _account_for(job, at, evidence, now=now, restrictions=restrictions)
    told = tell_of_rolls(job.timing, at, account.record, restrictions)
    if any(each.by_stage for each in restrictions.freezes):
        told += _told_of_stage(job.timing, at, account, restrictions)
    return replace(account, explanation=" ".join([account.explanation, *told]))


def _told_of_stage(
    timing: Timing, at: datetime, account: Account, restrictions: Restrictions
) -> list[str]:
    # Imported here: a stage is seldom frozen.
    from timegate.domain.auditing.frozen_account import tell_of_stage  # noqa: PLC0415

    is_frozen = account.verdict is Verdict.FROZEN
    return tell_of_stage(timing, at, account.record, restrictions, frozen=is_frozen)


def _account_for(
    job: Job, at: datetime, evidence: Evidence, *, now: datetime, restrictions: Restrictions
) -> Account:
    run, gap, timing = evidence.run, evidence.gap, job.timing
    if run is not None:
        return _after(evidence.previous, _account_of(run))
    if gap is not None and _is_of(gap, at, timing):
        return _account_of(gap)
    ground = _ground(job, at, now, restrictions, evidence)
    if ground is Ground.UNRECORDED and isinstance(gap, DamagedGap) and not gap.first_is_known:
        # It ends later, and may well begin here.
        return _account_of(gap)
    return Account(verdict=_VERDICTS[ground], explanation=GROUNDS[ground] + _paused(timing, ground))


def _paused(timing: Timing, ground: Ground) -> str:
    """Name the failures that paused the job, where a pause is what decides."""
    pause = timing.failure_pause
    if _VERDICTS[ground] is not Verdict.PAUSED or pause is None or pause.resumed_as is not None:
        return ""
    return f" Timegate paused it at {rfc3339(pause.at)}, {pause.cause}."


def _after(previous: Attempt | None, account: Account) -> Account:
    """Add to a waiting retry the failure before it."""
    if previous is None or previous.explanation is None:
        return account
    told = f"{account.explanation} The attempt before it: {previous.explanation}."
    return replace(account, explanation=told)


def _account_of(record: Record) -> Account:
    match record:
        case Attempt():
            return Account(verdict=Verdict.RUN, explanation=explain_run(record), record=record)
        case Gap():
            return Account(verdict=Verdict.GAP, explanation=explain_gap(record), record=record)
        case DamagedRun() | DamagedGap():
            told = explain_damage(record)
            return Account(verdict=Verdict.DAMAGED, explanation=told, record=record)


def was_backfilled(run: RunRecord | None) -> bool:
    """Tell if a run is on record that a backfill made: no planner came as far as its instant."""
    return isinstance(run, Attempt) and run.backfilled


def is_exhausted(timing: Timing) -> bool:
    """Its runs hold, or have used up, all that ``max_runs`` allows."""
    return timing.schedule.max_runs is not None and timing.full


def precedes_schedule(timing: Timing, at: datetime) -> bool:
    """The present schedule had not begun: a recurring one begins after it was given."""
    return at <= timing.anchored_at if timing.schedule.is_recurring else at < timing.anchored_at


def _is_of(gap: GapRecord, at: datetime, timing: Timing) -> bool:
    """One of its instants, as far as what named them is known."""
    if not gap.first <= at <= gap.last:
        return False
    if isinstance(gap, Gap) and gap.naming is not None:
        return names_instant(gap.naming, at)
    return at in {gap.first, gap.last} or precedes_schedule(timing, at) or names_instant(timing, at)


def _ground(
    job: Job, at: datetime, now: datetime, restrictions: Restrictions, evidence: Evidence
) -> Ground:
    timing = job.timing
    if precedes_schedule(timing, at):
        existed = at > timing.created_at
        return Ground.BEFORE_SCHEDULE if existed else Ground.BEFORE_CREATION
    if not names_instant(timing, at):
        following = next_instant(timing, at)
        ended = following is None and not timing.schedule.is_manual
        return Ground.SCHEDULE_ENDED if ended else Ground.NOT_NAMED
    if timing.status is JobStatus.CANCELLED and at > job.updated_at:
        return Ground.CANCELLED
    unsettled = _unsettled(timing, at, now, restrictions, evidence.places_free)
    return unsettled or _settled(timing, is_followed=evidence.is_followed)


def _unsettled(
    timing: Timing, at: datetime, now: datetime, restrictions: Restrictions, free: int | None
) -> Ground | None:
    """Judge an instant that has no record yet; ``None`` for one that must have it."""
    held, upcoming = timing.held_at, timing.next_run_at
    if timing.status is JobStatus.PAUSED and held is not None and at >= held:
        return Ground.PAUSED_NOW if at > now else Ground.PAUSED_SINCE
    if upcoming is None or at < upcoming:
        return None
    if _is_beyond_max_runs(timing, free, upcoming, at, restrictions):
        return Ground.MAX_RUNS
    decided = timing.decided_until
    if decided is not None and at <= decided:
        return Ground.CATCHING_UP
    if frozen_at(timing, at, restrictions) is not None:
        return Ground.FROZEN_THEN if at > now else Ground.FROZEN_SINCE
    return _to_come(timing, at, restrictions) if at > now else Ground.BEHIND


def _to_come(timing: Timing, at: datetime, restrictions: Restrictions) -> Ground:
    following = next_instant(timing, at)
    judged = judge_instant(timing, at, following, restrictions)
    if judged.rolled_to is not None:
        return Ground.ROLLED_THEN if judged.at is not None else Ground.JOINED_THEN
    if judged.at is None:
        return Ground.EXCLUDED_THEN
    return Ground.TO_COME if judged.at == at else Ground.DEFERRED_THEN


def _settled(timing: Timing, *, is_followed: bool) -> Ground:
    return Ground.MAX_RUNS if is_exhausted(timing) and not is_followed else Ground.UNRECORDED


def _is_beyond_max_runs(
    timing: Timing, free: int | None, upcoming: datetime, at: datetime, restrictions: Restrictions
) -> bool:
    """Tell if runs of earlier instants take all free places; none that calendars leave out does."""
    if free is None or free > _MOST_COUNTED:
        return False
    if not timing.calendars:
        begin = upcoming - MILLISECOND
        fires = instants_between(timing, after=begin, until=at)
        return len(list(islice(fires, free + 1))) > free
    taken = 0
    groups = stretches(timing, upcoming, at - MILLISECOND, restrictions)
    for group in islice(groups, _MOST_COUNTED):
        if taken >= free:
            break
        taken += group.span.count if group.admitted else group.last_runs_at is not None
    return taken >= free
