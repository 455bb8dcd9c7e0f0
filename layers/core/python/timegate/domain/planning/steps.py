"""A step of planning: the next instants of a job, and what becomes of each."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime

from timegate.domain.calendars.roll import RolledTo
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.places import Places
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import (
    instants_between,
    next_instant,
)
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.restrictions.calendar_filter import is_admitted, stretches
from timegate.domain.restrictions.frozen_spans import frozen_at
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: Records that one step makes for one job: they are stored with the job's move, all or none, and a
#: transaction takes a hundred writes.
MAX_RECORDS = 99
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningInstant:
    """An instant that runs."""

    instant: datetime
    #: At that moment, before any jitter: then, or put off.
    at: datetime
    #: The next instant of the schedule; ``None`` for the last.
    following: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ExcludedInstants:
    """Instants that do not run: its calendars leave them out, mostly."""

    span: InstantSeries
    reason: Reason = Reason.EXCLUDED
    rolled_to: RolledTo | None = None


Decided = RunningInstant | ExcludedInstants


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """The next instants that are decided, and where the next step begins."""

    decided: list[Decided]
    #: The first instant that is not decided; ``None``: the schedule names no other.
    following: datetime | None
    #: It ends because runs hold all places that ``max_runs`` gives.
    is_full: bool
    #: The instants that have a run already, which waits and takes its place again.
    adopted: frozenset[datetime]


def next_step(
    timing: Timing,
    *,
    until: datetime,
    horizon: datetime,
    restrictions: Restrictions,
    places: Places | None = None,
    late_before: datetime | None = None,
) -> Step:
    """Decide the instants up to ``until``, as far as there are ``places`` for those that run.

    Instants that are left out are decided up to ``horizon``: they cost a record for all of them.
    An instant that has a run already gets no other; if that waits, it takes its place again.
    A run of before ``late_before`` could not start any more, and is given no place.
    """
    left = math.inf if places is None else places.free
    ahead = places.ahead if places is not None else {}
    decided, adopted = list[Decided](), set[datetime]()
    fires = _fires_from(timing.next_run_at, timing)
    at = next(fires, None)
    while at is not None and at <= until and len(decided) < MAX_RECORDS:
        if at in ahead and left >= ahead[at]:
            left -= ahead[at]
            adopted |= {at} if ahead[at] else set()
            at = next(fires, None)
            continue
        if left <= 0:
            break
        if is_admitted(timing, at, restrictions):
            following = next(fires, None)
            part = [_unless_late(_run(timing, at, at, following, restrictions), late_before)]
        else:
            room = MAX_RECORDS - len(decided)
            part = _left_out(timing, at, max(at, horizon), restrictions)[:room]
            fires = _fires(timing, _last_of(part[-1]))
            following = next(fires, None)
        left -= sum(isinstance(each, RunningInstant) for each in part)
        decided, at = decided + part, following
    full = at is not None and left <= 0
    return Step(decided=decided, following=at, is_full=full, adopted=frozenset(adopted))


def _unless_late(run: RunningInstant, late_before: datetime | None) -> Decided:
    if late_before is None or run.at >= late_before:
        return run
    return ExcludedInstants(
        span=InstantSeries(first=run.instant, last=run.instant, count=1), reason=Reason.LATE
    )


def _left_out(
    timing: Timing, at: datetime, horizon: datetime, restrictions: Restrictions
) -> list[Decided]:
    """The instants from ``at`` on that are left out together; the last of them may run later."""
    stretch = next(stretches(timing, at, horizon, restrictions))
    span = stretch.span
    if stretch.last_runs_at is None:
        return [ExcludedInstants(span=span, reason=stretch.reason, rolled_to=stretch.rolled_to)]
    following = next_instant(timing, span.last)
    late = _run(timing, span.last, stretch.last_runs_at, following, restrictions)
    before = series_between(timing, first=span.first, until=span.last - MILLISECOND)
    return [late] if before is None else [ExcludedInstants(span=before), late]


def _run(
    timing: Timing,
    instant: datetime,
    moment: datetime,
    following: datetime | None,
    restrictions: Restrictions,
) -> RunningInstant:
    """One that a freeze held back runs when that ends.

    An instant that is planned before its freeze was decided about keeps its moment: it rolls to a
    day before its own, and the executor asks about freezes then.
    """
    decided = timing.decided_until
    is_decided = decided is not None and instant <= decided
    frozen = frozen_at(timing, instant, restrictions) if is_decided else None
    at = moment if frozen is None else max(moment, frozen.end)
    return RunningInstant(instant=instant, at=at, following=following)


def _fires(timing: Timing, after: datetime) -> Iterator[datetime]:
    return instants_between(timing, after=after, until=_FOR_EVER)


def _fires_from(first: datetime | None, timing: Timing) -> Iterator[datetime]:
    # ``first`` itself is a fire: start a hair before it.
    return _fires(timing, first - MILLISECOND) if first is not None else iter(())


def _last_of(decided: Decided) -> datetime:
    return decided.instant if isinstance(decided, RunningInstant) else decided.span.last
