"""Runs stored apart from their job's move: announced first, so that none is recorded twice.

A write in a transaction costs two units, and one by itself one. So planners announce several runs
in their job's record, store each by a write of its own, and move the job past them by a third
write. A planner that dies in between leaves the announcement: the next process stores what is
missing. An announcement is never taken back, so a planner that was slow meets its runs as stored.
"""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Announcement, Timing
from timegate.domain.planning.catch_up import settle
from timegate.domain.planning.plan import Plan, first_attempt
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import Origin

#: Fewer save nothing: the announcement is a write of the job and of its place in ``due``.
FEWEST = 2
#: More would make the record of a usual job larger than a kilobyte, and dearer to write.
MOST = 20


def announcement_of(timing: Timing, plan: Plan, *, now: datetime) -> Announcement | None:
    """Return the announcement of a plan whose runs may be stored apart; ``None`` of another.

    A transaction stores what has to be decided at once: gaps, places of ``max_runs``, the last run
    of a schedule, runs that are reopened, and those that are due already.
    """
    attempts, following = plan.attempts, plan.next_run_at
    if following is None or plan.gaps or plan.reopening is not None or plan.full:
        return None
    counts_places = timing.schedule.max_runs is not None or timing.full
    if counts_places or timing.reopens or timing.announced is not None:
        return None
    if not FEWEST <= len(attempts) <= MOST:
        return None
    instants = tuple(each.id.run.scheduled_at for each in attempts)
    due = tuple(each.due_at for each in attempts)
    if min(*instants, *due) <= now or any(each.direct for each in attempts):
        return None
    return Announcement(instants=instants, due=due if due != instants else (), following=following)


def announcing(timing: Timing, announced: Announcement) -> Timing:
    """Return the job with an announcement.

    Its runs are counted from now on: a process that read the job before finds it changed.
    """
    counted = timing.runs_planned + len(announced.instants)
    return replace(timing, announced=announced, runs_planned=counted)


def announced_plan(
    timing: Timing, *, now: datetime, restrictions: Restrictions = UNRESTRICTED
) -> Plan | None:
    """Return the plan of the runs that a job's record announces; ``None`` without any.

    A run that was missed meanwhile, and that the catch-up policy does not let run, is planned as
    skipped: a record that refuses the one of a planner that was slow.
    """
    announced = timing.announced
    if announced is None:
        return None
    missed = _missed(timing, announced, now, restrictions)
    return Plan(
        attempts=tuple(
            _attempt(timing, instant, due, now=now, is_missed=instant in missed)
            for instant, due in announced.runs
        ),
        next_run_at=announced.following,
        runs_planned=timing.runs_planned,
    )


def _attempt(
    timing: Timing, instant: datetime, due: datetime, *, now: datetime, is_missed: bool
) -> Attempt:
    attempt = first_attempt(timing, Origin.SCHEDULE, instant, now=now, due_at=due)
    if not is_missed:
        return attempt
    skipped = replace(attempt, direct=False)
    return end(skipped, RunState.SKIPPED, now=now, reason=Reason.MISSED_WINDOW)


def _missed(
    timing: Timing, announced: Announcement, now: datetime, restrictions: Restrictions
) -> frozenset[datetime]:
    settled = settle(replace(timing, announced=None), now=now, restrictions=restrictions)
    gaps = settled.gaps if settled is not None else ()
    return frozenset(
        instant
        for instant in announced.instants
        for gap in gaps
        if gap.reason is Reason.MISSED_WINDOW and gap.first <= instant <= gap.last
    )
