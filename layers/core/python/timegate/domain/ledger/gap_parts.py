"""Gaps in parts: a run that came later is the record of its instant, and so is another schedule."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import GapRecord, RunRecord
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import names_instant
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Remains of a gap on both sides of a run; ``None``: no instant."""

    before: Gap | None
    after: Gap | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A gap on record, and what is left of it; ``None``: no instant."""

    gap: Gap
    left: Gap | None


def part_of(
    gap: Gap, timing: Timing, *, first: datetime | None = None, last: datetime | None = None
) -> Gap | None:
    """The instants of a gap from ``first`` to ``last``, both included; ``None`` without any.

    A record that does not name the source of its instants, and whose schedule is gone, cannot be
    divided: the gap stays whole.
    """
    naming = naming_of(gap, timing)
    if naming is None:
        return gap
    return _between(gap, naming, first or gap.first, last or gap.last)


def split(gap: Gap, run: datetime, timing: Timing) -> Parts:
    """A gap without the instant of a run inside of it, if it is one of the gap's.

    Where this cannot be told, the gap counts one instant less and stays in one piece.
    """
    naming = naming_of(gap, timing)
    if naming is not None:
        return Parts(
            before=_between(gap, naming, gap.first, run - MILLISECOND),
            after=_between(gap, naming, run + MILLISECOND, gap.last),
        )
    left = replace(gap, count=gap.count - 1) if gap.count > 1 else None
    return Parts(before=None, after=left)


def around(
    runs: Iterator[RunRecord], gaps: Iterator[GapRecord], timing: Timing
) -> Iterator[RunRecord | GapRecord]:
    """Both in one order, each gap split at the runs in it; gaps never overlap one another.

    An unreadable one cannot be split: it comes where it ends.
    """
    gap = next(gaps, None)
    for run in runs:
        instant = run.id.run.scheduled_at
        while gap is not None and gap.last < instant:
            yield gap
            gap = next(gaps, None)
        if isinstance(gap, Gap) and gap.first <= instant:
            parts = split(gap, instant, timing)
            if parts.before is not None:
                yield parts.before
            gap = parts.after or next(gaps, None)
        yield run
    if gap is not None:
        yield gap
    yield from gaps


def without(runs: Collection[datetime], gaps: Sequence[Gap], timing: Timing) -> list[Gap]:
    """Split gaps that are to be recorded at those of their instants that have a run."""
    instants = sorted(runs)
    left: list[Gap] = []
    for gap in gaps:
        rest: Gap | None = gap
        begin, end = bisect_left(instants, gap.first), bisect_right(instants, gap.last)
        for instant in instants[begin:end]:
            if rest is None or not names_instant(timing, instant):
                continue
            parts = split(rest, instant, timing)
            left += [parts.before] if parts.before is not None else []
            rest = parts.after
        left += [rest] if rest is not None else []
    return left


def cut_ahead(gaps: Sequence[GapRecord], before: Timing, after: Timing) -> tuple[Cut, ...]:
    """Cut from gaps ahead the instants for which another schedule answers from now on.

    ``before`` and ``after``: the job's timing under the one and under the other. One that cannot
    be read stays as it is.
    """
    last = answers_after(after)
    ahead = [gap for gap in gaps if isinstance(gap, Gap) and gap.last > last]
    cuts = [Cut(gap=gap, left=part_of(gap, before, last=last)) for gap in ahead]
    return tuple(cut for cut in cuts if cut.left != cut.gap)


def answers_after(timing: Timing) -> datetime:
    """For what is later the job's present schedule answers, and for nothing before.

    One that runs once may name the very instant at which it is given; one that recurs begins
    behind it.
    """
    given_at = timing.anchored_at
    names_it = not timing.schedule.is_recurring and names_instant(timing, given_at)
    return given_at - MILLISECOND if names_it else given_at


def is_kept(timing: Timing, instant: datetime) -> bool:
    """Tell if a run that an earlier version planned may still begin.

    The present schedule names its instant, or was given at or after it: a schedule answers for what
    is later, and what was due by then stays due. A run that another schedule had replaced by then
    has ended (``planning.left_behind``).
    """
    return instant <= answers_after(timing) or names_instant(timing, instant)


def as_answered(gap: GapRecord, timing: Timing) -> GapRecord | None:
    """A gap as far as the schedule that named it answers; ``None``: not for any of its instants.

    A change of schedule cuts what its predecessor left out ahead, and may not be through yet, or
    have died: readers see what is to be.
    """
    if not isinstance(gap, Gap) or gap.naming is None:
        return gap
    last = answers_after(timing)
    if gap.last <= last or gap.naming.anchored_at >= timing.anchored_at:
        return gap
    return _between(gap, gap.naming, gap.first, last)


def naming_of(gap: Gap, timing: Timing) -> Naming | None:
    """Return the naming of a gap's instants; ``None``: an old record, of a schedule that is
    gone.
    """
    if gap.naming is not None:
        return gap.naming
    present = Naming.of(timing)
    # The present schedule names as many instants there as the gap counts.
    return present if _between(gap, present, gap.first, gap.last) == gap else None


def _between(gap: Gap, naming: Naming, first: datetime, last: datetime) -> Gap | None:
    span = series_between(naming, first=max(first, gap.first), until=min(last, gap.last))
    if span is None:
        return None
    return replace(gap, first=span.first, last=span.last, count=span.count)
