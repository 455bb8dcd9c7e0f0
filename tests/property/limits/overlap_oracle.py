"""Runs that skip or replace each other, by ``docs/concepts/overlap.md`` and not by the code.

Seconds after the creation of the job. Runs are due further apart than a replaced one takes to stop,
so that at most one waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

#: A run that is asked to stop hears of it at its next heartbeat.
HEARTBEAT = 20


@dataclass(frozen=True, kw_only=True)
class Course:
    """A run that began."""

    due: int
    start: int
    end: int
    #: The run that asked it to stop, by its due time; ``None``: it came to its own end.
    replaced_by: int | None = None


def durations(seconds: Sequence[int], begun: int) -> int:
    """Return the duration of the run after ``begun`` others."""
    return seconds[min(begun, len(seconds) - 1)]


def forbidding(due: Sequence[int], seconds: Sequence[int], slots: int) -> list[Course]:
    """A run that finds all slots taken when it is due never begins."""
    begun: list[Course] = []
    for at in due:
        if sum(run.end > at for run in begun) < slots:
            end = at + durations(seconds, len(begun))
            begun.append(Course(due=at, start=at, end=end))
    return begun


def replacing(due: Sequence[int], seconds: Sequence[int], slots: int) -> list[Course]:
    """It asks the oldest that works to stop, and begins when a slot is given back."""
    begun: list[Course] = []
    for at in due:
        working = [number for number, run in enumerate(begun) if run.end > at]
        start = at
        if len(working) >= slots:
            oldest = begun[working[0]]
            beats = -(-(at - oldest.start) // HEARTBEAT)
            hears_at = oldest.start + beats * HEARTBEAT
            if hears_at < oldest.end:
                oldest = replace(oldest, end=hears_at, replaced_by=at)
                begun[working[0]] = oldest
            start = min(begun[number].end for number in working)
        end = start + durations(seconds, len(begun))
        begun.append(Course(due=at, start=start, end=end))
    return begun


def has_ties(runs: Sequence[Course], due: Sequence[int]) -> bool:
    """Return whether a run is due in the very second of an end or a heartbeat.

    A claim comes a little before its second, so the order of the two is none of the promise.
    """
    beats = [at - run.start for run in runs for at in due if run.start < at <= run.end]
    ends = {run.end for run in runs}
    return any(each % HEARTBEAT == 0 for each in beats) or bool(ends & set(due))
