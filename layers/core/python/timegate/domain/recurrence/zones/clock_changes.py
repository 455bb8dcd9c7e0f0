"""The rule by which a schedule of wall times meets a change of its zone's clock."""

from typing import NamedTuple, Protocol

from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy, Schedule


class NamedTimes(Protocol):
    """Times of a wall clock."""

    @property
    def is_interval(self) -> bool:
        """Tell whether they mean real hours or minutes rather than times of the day."""


class ClockRule(NamedTuple):
    """Two questions that decide every instant around a gap or a fold."""

    #: Times that the clock skips run once, at the first instant after the gap.
    makes_up: bool
    #: Times that the clock shows twice run the first time only.
    runs_once: bool


def is_interval(schedule: Schedule, pattern: NamedTimes) -> bool:
    """Tell whether the schedule follows real time through changes of the clock.

    The schedule's own word decides; without one, the set of times that the pattern names.
    """
    if schedule.dst is not None:
        return schedule.dst is DstPolicy.INTERVAL
    return pattern.is_interval


def clock_rule(schedule: Schedule, pattern: NamedTimes) -> ClockRule:
    """Derive the rule of a schedule; an interval neither makes up nor leaves out."""
    fixed = not is_interval(schedule, pattern)
    return ClockRule(
        makes_up=fixed and schedule.gap is GapPolicy.RUN_AFTER,
        runs_once=fixed and schedule.fold is FoldPolicy.FIRST,
    )
