"""A step of planning: the next instants of a job, and what becomes of each."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from timegate.domain.admittance import is_admitted, stretches
from timegate.domain.frozen_spans import frozen_at
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.domain.recurrence import Span, fires_between, next_fire, span_between
from timegate.domain.restrictions import Restrictions

#: Records that one step makes for one job: they are stored with the job's move, all or none, and a
#: transaction takes a hundred writes.
MAX_RECORDS = 99
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Runs:
    """An instant that runs."""

    instant: datetime
    #: At that moment, before any jitter: then, or put off.
    at: datetime
    #: The next instant of the schedule; ``None`` for the last.
    following: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Instants that the job's calendars leave out."""

    span: Span


Decided = Runs | LeftOut


def next_step(
    timing: Timing, *, until: datetime, horizon: datetime, restrictions: Restrictions
) -> tuple[list[Decided], datetime | None]:
    """What becomes of the instants up to ``until``, and the first one that is not decided.

    Instants that are left out are decided up to ``horizon``: they cost a record for all of them.
    """
    limit = timing.schedule.max_runs
    left = math.inf if limit is None else max(limit - timing.runs_planned, 0)
    decided: list[Decided] = []
    first = timing.next_run_at
    # ``first`` itself is a fire: start a hair before it.
    fires = _fires(timing, first - MILLISECOND) if first is not None else iter(())
    at = next(fires, None)
    while at is not None and at <= until and left > 0 and len(decided) < MAX_RECORDS:
        if is_admitted(timing, at, restrictions):
            following = next(fires, None)
            decided.append(_run(timing, at, at, following, restrictions))
            left -= 1
            at = following
            continue
        room = MAX_RECORDS - len(decided)
        part = _left_out(timing, at, max(at, horizon), restrictions)[:room]
        left -= sum(isinstance(each, Runs) for each in part)
        decided += part
        latest = part[-1].instant if isinstance(part[-1], Runs) else part[-1].span.last
        fires = _fires(timing, latest)
        at = next(fires, None)
    return decided, at if left > 0 else None


def _left_out(
    timing: Timing, at: datetime, horizon: datetime, restrictions: Restrictions
) -> list[Decided]:
    """The instants from ``at`` on that are left out together; the last of them may run later."""
    stretch = next(stretches(timing, at, horizon, restrictions))
    span = stretch.span
    if stretch.last_runs_at is None:
        return [LeftOut(span=span)]
    following = next_fire(timing.schedule, created_at=timing.anchored_at, after=span.last)
    late = _run(timing, span.last, stretch.last_runs_at, following, restrictions)
    before = span_between(
        timing.schedule,
        created_at=timing.anchored_at,
        first=span.first,
        until=span.last - MILLISECOND,
    )
    return [late] if before is None else [LeftOut(span=before), late]


def _run(
    timing: Timing,
    instant: datetime,
    moment: datetime,
    following: datetime | None,
    restrictions: Restrictions,
) -> Runs:
    """One that a freeze held back runs when that ends."""
    frozen = frozen_at(timing, instant, restrictions)
    at = moment if frozen is None else max(moment, frozen.end)
    return Runs(instant=instant, at=at, following=following)


def _fires(timing: Timing, after: datetime) -> Iterator[datetime]:
    return fires_between(
        timing.schedule, created_at=timing.anchored_at, after=after, until=_FOR_EVER
    )
