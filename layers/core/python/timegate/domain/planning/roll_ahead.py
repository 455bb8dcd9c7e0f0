"""Moments of planning: from when on planners see a job, and from when on they move it.

The planner meets a job in the bucket of its next instant. An instant that rolls to an earlier day
is planned before that day: a job that may roll backward is shown to planners the longest roll
earlier. They look at it again each hour, since its calendar may change.

The move of a job costs more than a run. A job that fires often would be moved by every tick, once
per fire, if it were planned whenever its next instant comes into the look-ahead. So jobs ripen in
sight of planners, where waiting lets one move store more runs.
"""

from datetime import datetime, timedelta

from timegate.domain.calendars.business_days import MAX_ROLL_DAYS
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.restrictions.rolling import Rolling, moved_ahead, rolling_of

#: The longest roll, and a day for a clock that is changed meanwhile.
LONGEST_ROLL = timedelta(days=MAX_ROLL_DAYS + 1)
#: How soon a changed calendar is noticed.
LOOK_AGAIN = timedelta(hours=1)
#: A job with more than one fire to plan waits until its next one is so near. That is four ticks,
#: which come anywhere in their minute, and longer than creators of jobs leave to the next tick.
NEAR = timedelta(minutes=4)


def needed_from(timing: Timing) -> datetime | None:
    """From this moment on the planner must see a job; ``None``: it waits for nothing."""
    if timing.reopens:
        return timing.paused_at
    first = timing.next_run_at
    return first - LONGEST_ROLL if first is not None and may_precede(timing) else first


def is_needed_by(timing: Timing, until: datetime) -> bool:
    """Tell if the planner must see an active job by then: the next tick may come too late."""
    due = needed_from(timing) if timing.status is JobStatus.ACTIVE else None
    return due is not None and due <= until


def planned_ahead(timing: Timing, until: datetime, restrictions: Restrictions) -> datetime | None:
    """The last instant later than ``until`` that runs by then; ``None`` without any."""
    found = [instant for instant, at in _ahead(timing, until, restrictions) if at <= until]
    return max(found, default=None)


def next_look(timing: Timing, until: datetime, restrictions: Restrictions) -> datetime | None:
    """Under which moment to show a job that is planned up to ``until``; ``None``: nothing rolls.

    That of its next instant, or of one that rolls backward; in an hour at the latest.
    """
    first = timing.next_run_at
    if first is None or first <= until or not may_precede(timing):
        return None
    latest = min(until + LOOK_AGAIN, first)
    moments = [at for _, at in _ahead(timing, latest, restrictions) if at > until]
    return min([latest, *moments])


def first_ahead(timing: Timing, restrictions: Restrictions) -> datetime | None:
    """The first moment to which an instant rolls before its own day; ``None``: not soon.

    Not later than the job's next instant, unless that rolls backward itself.
    """
    first = timing.next_run_at
    if first is None:
        return None
    after = first - timedelta(milliseconds=1)
    return min((at for _, at in _ahead(timing, after, restrictions)), default=None)


def is_due(timing: Timing, until: datetime, restrictions: Restrictions) -> bool:
    """Tell if a job has something to plan that runs by ``until``, or runs to reopen."""
    first = timing.next_run_at
    if timing.status is not JobStatus.ACTIVE:
        return False
    if timing.reopens:
        return True
    if first is None:
        return False
    ahead = first_ahead(timing, restrictions)
    return first <= until or (ahead is not None and ahead <= until)


def ripens_at(timing: Timing, *, look_ahead: timedelta) -> datetime | None:
    """Return the instant from which ticks plan the job; ``None``: at whichever tick sees it.

    A job that fires once in the look-ahead ripens when that fire comes into it: a later move would
    store no more, and leave planners less time. The job's runs reach to the end of the look-ahead
    either way.
    """
    first = timing.next_run_at
    if first is None or timing.full or timing.reopens or may_precede(timing):
        return None
    if timing.announced is not None:
        # A planner died before it had stored them.
        return None
    waits = max(look_ahead - NEAR, timedelta(0))
    following = next_instant(timing, first)
    gains = following is not None and following <= first + waits
    return first - look_ahead + (waits if gains else timedelta(0))


def is_ripe(timing: Timing, *, now: datetime, look_ahead: timedelta) -> bool:
    """Tell if a tick at ``now`` plans the job that it sees.

    One whose next instant no tick sees yet is there to be counted (``shown_from``).
    """
    upcoming = timing.next_run_at
    if upcoming is not None and upcoming > now + look_ahead + timedelta(minutes=1):
        return True
    at = ripens_at(timing, look_ahead=look_ahead)
    return at is None or at <= now


def _ahead(
    timing: Timing, after: datetime, restrictions: Restrictions
) -> list[tuple[datetime, datetime]]:
    """The instants that are still to be planned and run before their own day."""
    first, rolling = timing.next_run_at, _backward(timing, restrictions)
    if first is None or rolling is None:
        return []
    return [(each, at) for each, at in moved_ahead(rolling, after) if each >= first]


def _backward(timing: Timing, restrictions: Restrictions) -> Rolling | None:
    return rolling_of(timing, restrictions) if may_precede(timing) else None


def may_precede(timing: Timing) -> bool:
    """Tell if a calendar of the job rolls instants to earlier days."""
    return any(rule.roll is not None and rule.roll.may_precede for rule in timing.calendars)
