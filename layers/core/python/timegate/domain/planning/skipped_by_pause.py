"""Runs that a pause skipped: which of them are reopened once their job is resumed to catch up.

Runs are planned ahead, and a pause skips those that are due meanwhile. They are decided about like
the instants that were not planned: by the job's catch-up policy, once, before any of them runs.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.planning.catch_up import caught_up
from timegate.domain.planning.places import Places, keeps_place, left_open
from timegate.domain.planning.plan import Plan, Reopening
from timegate.domain.planning.reopen import reopened
from timegate.domain.planning.steps import MAX_RECORDS
from timegate.domain.recurrence.fires import names_instant
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import MILLISECOND


def plan_reopening(
    timing: Timing,
    records: Sequence[RunRecord],
    *,
    now: datetime,
    restrictions: Restrictions = UNRESTRICTED,
    places: Places | None = None,
) -> Plan | None:
    """Reopen the runs that the job's last pause skipped, oldest first, at most a step's worth.

    ``records``: the last attempts of the job's runs, in order, those among them. ``places``: of a
    job with ``max_runs``. ``None``: there is nothing to store. No place is free, or an executor may
    still skip a run, having read the job before it was resumed; the next tick looks again.
    """
    if not timing.reopens:
        return None
    attempts = [each for each in records if isinstance(each, Attempt)]
    skipped = [each for each in attempts if _is_skipped(each, timing, now)]
    wanted = _wanted(timing, skipped, now, restrictions)
    room = MAX_RECORDS if places is None else min(MAX_RECORDS, places.free)
    chosen = [each for each in wanted if each.ends_run][:room]
    rest = [each for each in wanted if each not in chosen]
    following = rest[0].id.run.scheduled_at if rest else None
    if rest and not chosen and (room == 0 or following == timing.reopens_from):
        return None
    # Its end completes the job; without it the end of the last run that is reopened does.
    has_last = any(run.final and not run.ends_run for run in attempts)
    opened = [_opened(each, timing, now) for each in chosen]
    if opened and not rest and not has_last and timing.next_run_at is None:
        opened[-1] = replace(opened[-1], final=True)
    plan = Plan(
        attempts=tuple(opened),
        next_run_at=timing.next_run_at,
        runs_planned=timing.runs_planned + len(opened),
        full=timing.full,
        reopening=Reopening(following=following, waits=bool(rest) or has_last),
    )
    return _with_counts(plan, timing, records, chosen)


def _is_skipped(attempt: Attempt, timing: Timing, now: datetime) -> bool:
    """Tell if the pause ended it before it began, or yet may, and the present schedule names it."""
    if attempt.fence > 0 or attempt.operation is not None:
        return False
    if not _was_skipped(attempt, timing) and not _may_be_skipped(attempt, timing, now):
        return False
    run = attempt.id.run
    if run.origin is not Origin.SCHEDULE or run.scheduled_at <= answers_after(timing):
        return False
    return names_instant(timing, run.scheduled_at)


def _was_skipped(attempt: Attempt, timing: Timing) -> bool:
    paused = attempt.state is RunState.SKIPPED and attempt.reason is Reason.PAUSED
    ended_at, since = attempt.ended_at, timing.paused_at
    return paused and ended_at is not None and since is not None and ended_at >= since


def _may_be_skipped(attempt: Attempt, timing: Timing, now: datetime) -> bool:
    """It is due and in its queue: an executor that holds its message may have read a paused job."""
    in_queue = attempt.state is RunState.QUEUED and attempt.queueing is None
    return in_queue and attempt.due_at <= now and attempt.job_version < timing.version


def _wanted(
    timing: Timing, skipped: Sequence[Attempt], now: datetime, restrictions: Restrictions
) -> list[Attempt]:
    """Return the latest skipped runs, as many as the policy lets run with missed ones."""
    decided = timing.reopens_from
    if decided is not None:
        return [each for each in skipped if each.id.run.scheduled_at >= decided]
    missed = caught_up(timing, now=now, restrictions=restrictions)
    upcoming = timing.next_run_at
    before, later = list[Attempt](), list[Attempt]()
    for each in skipped:
        instant = each.id.run.scheduled_at
        if instant > missed.until or (missed.first is not None and instant >= missed.first):
            later.append(each)
        elif upcoming is None or instant < upcoming:
            before += [each] if instant >= missed.oldest else []
    return [*before[max(len(before) - missed.left, 0) :], *later]


def _opened(last: Attempt, timing: Timing, now: datetime) -> Attempt:
    """The run as if it was planned now: due when it was, and no operation's."""
    opened = reopened(last, timing, now=now, due_at=last.due_at)
    counted = timing.schedule.max_runs is not None
    return replace(opened, opened_at=None, frozen_since=last.frozen_since, counted=counted)


def _with_counts(
    plan: Plan, timing: Timing, records: Sequence[RunRecord], chosen: Sequence[Attempt]
) -> Plan:
    """The plan with the counts of ``max_runs``: a run that is reopened has not ended any more."""
    begun, until, uncounted = timing.runs_begun, timing.counted_until, timing.uncounted
    if chosen:
        first, left = chosen[0].id.run.scheduled_at, left_open(timing)
        if until is not None and until >= first:
            again = (each for each in records if first <= each.id.run.scheduled_at <= until)
            begun -= sum(
                isinstance(each, Attempt)
                and keeps_place(each)
                and each.id.run.scheduled_at not in left
                for each in again
            )
            until, uncounted = first - MILLISECOND, (*(at for at in left if at < first), first)
        elif len(uncounted) == len(left):
            uncounted = (*left, first)
    return replace(plan, runs_begun=begun, counted_until=until, uncounted=uncounted)
