"""Gaps that have runs inside: a run that came later is the record of its instant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.domain.ledger import Gap
from timegate.domain.recurrence import span_between
from timegate.domain.run import Attempt


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What is left of a gap on both sides of a run; ``None``: no instant."""

    before: Gap | None
    after: Gap | None


def part_of(
    gap: Gap, timing: Timing, *, first: datetime | None = None, last: datetime | None = None
) -> Gap | None:
    """The instants of a gap from ``first`` to ``last``, both included; ``None`` without any.

    Where the schedule that named them is gone nobody can tell them apart: the gap stays whole.
    """
    if not _is_known(gap, timing):
        return gap
    return _between(gap, timing, first or gap.first, last or gap.last)


def split(gap: Gap, run: datetime, timing: Timing) -> Parts:
    """A gap without the instant of a run inside of it.

    Of a schedule that is gone the gap counts one instant less, and stays in one piece.
    """
    if _is_known(gap, timing):
        return Parts(
            before=_between(gap, timing, gap.first, run - MILLISECOND),
            after=_between(gap, timing, run + MILLISECOND, gap.last),
        )
    left = replace(gap, count=gap.count - 1) if gap.count > 1 else None
    return Parts(before=None, after=left)


def around(runs: Iterator[Attempt], gaps: Iterator[Gap], timing: Timing) -> Iterator[Attempt | Gap]:
    """Both in one order, each gap split at the runs in it; a gap comes where it ends."""
    gap = next(gaps, None)
    for run in runs:
        instant = run.id.run.scheduled_at
        while gap is not None and gap.last < instant:
            yield gap
            gap = next(gaps, None)
        if gap is not None and gap.first <= instant:
            parts = split(gap, instant, timing)
            if parts.before is not None:
                yield parts.before
            gap = parts.after or next(gaps, None)
        yield run
    if gap is not None:
        yield gap
    yield from gaps


def _is_known(gap: Gap, timing: Timing) -> bool:
    """The present schedule names as many instants there as the gap counts."""
    whole = _between(gap, timing, gap.first, gap.last)
    return whole == gap


def _between(gap: Gap, timing: Timing, first: datetime, last: datetime) -> Gap | None:
    span = span_between(
        timing.schedule,
        created_at=timing.anchored_at,
        first=max(first, gap.first),
        until=min(last, gap.last),
    )
    if span is None:
        return None
    return replace(gap, first=span.first, last=span.last, count=span.count)
