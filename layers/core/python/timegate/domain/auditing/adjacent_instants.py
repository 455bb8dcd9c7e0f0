"""The instants of a schedule around another one."""

from datetime import datetime, timedelta

from timegate.domain.auditing.explain_instant import precedes_schedule
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: How far back the search for an earlier instant begins.
_FIRST_SPAN = timedelta(seconds=2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbours:
    """The nearest instants that the present schedule names, whether or not they run."""

    before: datetime | None
    after: datetime | None


def neighbours(timing: Timing, at: datetime) -> Neighbours:
    """Return the instants strictly before and strictly after ``at``, by the schedule as it was
    given.
    """
    if precedes_schedule(timing, at):
        return Neighbours(before=None, after=next_instant(timing, _beginning(timing)))
    return Neighbours(before=_previous(timing, at), after=next_instant(timing, at))


def _previous(timing: Timing, at: datetime) -> datetime | None:
    """By ever larger steps back, then halving: fires are only ever computed forwards."""
    beginning = _beginning(timing)
    span, empty_from = _FIRST_SPAN, at
    while True:
        start = max(beginning, at - span) if at - beginning > span else beginning
        found = next_instant(timing, start)
        if found is not None and found < at:
            return _last(timing, found, empty_from, at)
        if start == beginning:
            return None
        span, empty_from = span * 4, start + MILLISECOND


def _last(timing: Timing, found: datetime, empty_from: datetime, at: datetime) -> datetime:
    """The last instant before ``at``: ``found`` or later, and before ``empty_from``."""
    while True:
        following = next_instant(timing, found)
        if following is None or following >= at:
            return found
        middle = following + (empty_from - following) / 2
        beyond = next_instant(timing, middle)
        if beyond is not None and beyond < at:
            found = beyond
        else:
            found, empty_from = following, middle


def _beginning(timing: Timing) -> datetime:
    """Just before the first instant it may name: see ``precedes_schedule``."""
    anchor = timing.anchored_at
    return anchor if timing.schedule.is_recurring else anchor - MILLISECOND
