"""The instants of a job that are to run, as its planner and its executors will decide."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import merge

from timegate.domain.execution.admission import Admit, admit
from timegate.domain.execution.restriction_check import PutOff, has_begun, put_off
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamagedRun, RunRecord
from timegate.domain.planning.catch_up import is_parked, planned_until, settle
from timegate.domain.planning.places import Places
from timegate.domain.planning.steps import RunningInstant, next_step
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.restrictions.calendar_filter import runs_at
from timegate.domain.restrictions.frozen_spans import frozen_at
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import RunState
from timegate.value_classes import dataclass

#: A freeze, or a calendar behind it, puts a run off; each is judged again when that is over.
_MOST_PUT_OFF = 5
_AT_ONCE = timedelta(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Coming:
    """An instant that is to run."""

    instant: datetime
    #: When it starts, before any jitter: then, or put off by a calendar or a freeze.
    runs_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PreviewWindow:
    """The instants later than ``start`` and not later than ``end``."""

    start: datetime
    end: datetime

    def holds(self, instant: datetime) -> bool:
        """Tell whether it lies within."""
        return self.start < instant <= self.end


def forthcoming(
    timing: Timing,
    window: PreviewWindow,
    restrictions: Restrictions,
    stored: Mapping[datetime, bool],
    places: Places | None = None,
) -> Iterator[Coming]:
    """The instants of the window that run if nothing else changes, in order, computed lazily.

    ``stored`` says of each instant that has a run already whether it begins (``will_begin``). All
    others are settled and planned as the planner does. Instants within a freeze that ends after
    the window are decided later: they are left out. ``places``: of a job with ``max_runs``, those
    that its runs hold.
    """
    adopted = (
        Coming(instant=instant, runs_at=_moment(timing, instant, restrictions))
        for instant, begins in sorted(stored.items())
        if begins and window.holds(instant)
    )
    planned = (
        each
        for each in _planned(timing, window, restrictions, places)
        if each.instant not in stored
    )
    return merge(adopted, planned, key=lambda each: each.instant)


def will_begin(
    timing: Timing, run: RunRecord, restrictions: Restrictions, *, now: datetime
) -> bool:
    """Tell whether a stored run has begun, or will once it is due."""
    if isinstance(run, DamagedRun):
        return False
    if run.state not in {RunState.WAITING, RunState.QUEUED}:
        # Executors claim up to a quarter of a second early.
        return has_begun(run)
    attempt = replace(run, state=RunState.QUEUED)
    for _ in range(_MOST_PUT_OFF):
        moment = max(now, attempt.due_at)
        judged = admit(timing, attempt, now=moment, restrictions=restrictions)
        if not isinstance(judged, PutOff):
            return isinstance(judged, Admit)
        attempt = replace(put_off(attempt, judged, now=moment), state=RunState.QUEUED)
    return False


def keep_places(
    timing: Timing, instants: Iterable[datetime], restrictions: Restrictions, places: Places | None
) -> frozenset[datetime]:
    """Return the instants of stored runs that have a place of ``max_runs``."""
    found, upcoming = frozenset(instants), timing.next_run_at
    if places is None or upcoming is None or not found:
        return found
    until = max(found)
    step = next_step(timing, until=until, horizon=until, restrictions=restrictions, places=places)
    return step.adopted | {each for each in found if each < upcoming}


def _planned(
    timing: Timing, window: PreviewWindow, restrictions: Restrictions, places: Places | None
) -> Iterator[Coming]:
    """The instants that the planner has not come to, settled and planned as it does."""
    while timing.status is JobStatus.ACTIVE and timing.next_run_at is not None:
        first = timing.next_run_at
        now = max(window.start, _decided_at(timing, first, restrictions) or window.start)
        if first > window.end or now > window.end:
            return
        settlement = settle(timing, now=now, restrictions=restrictions)
        if settlement is not None:
            timing = settlement.timing
            continue
        if is_parked(timing, now=now, restrictions=restrictions, look_ahead=_AT_ONCE):
            return
        until = planned_until(timing, window.end, now=window.start, restrictions=restrictions)
        step = next_step(
            timing, until=until, horizon=until, restrictions=restrictions, places=places
        )
        runs = [each for each in step.decided if isinstance(each, RunningInstant)]
        for run in runs:
            if window.holds(run.instant):
                yield Coming(instant=run.instant, runs_at=run.at)
        if step.following == first:
            return
        places = _without(places, len(runs) + len(step.adopted))
        timing = replace(timing, next_run_at=step.following)


def _without(places: Places | None, taken: int) -> Places | None:
    return replace(places, waiting=places.waiting + taken) if places is not None else None


def _decided_at(timing: Timing, first: datetime, restrictions: Restrictions) -> datetime | None:
    """Return the instant of the next decision, if a freeze holds the next run back."""
    decided = timing.decided_until
    if decided is not None and first <= decided:
        return None
    frozen = frozen_at(timing, first, restrictions)
    return None if frozen is None else frozen.end


def _moment(timing: Timing, instant: datetime, restrictions: Restrictions) -> datetime:
    following = next_instant(timing, instant)
    moment = runs_at(timing, instant, following, restrictions) or instant
    frozen = frozen_at(timing, instant, restrictions)
    return moment if frozen is None else max(moment, frozen.end)
