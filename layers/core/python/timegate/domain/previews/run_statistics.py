"""Statistics of a job's recent runs: last ones, streak, durations and lateness."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.instants import milliseconds_between
from timegate.value_classes import dataclass

#: Ends that say nothing of the target: a rule or a person decided.
_PASSED_OVER = frozenset({RunState.SKIPPED, RunState.CANCELLED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Milliseconds of some runs; percentiles by nearest rank."""

    count: int
    p50: int
    p95: int
    longest: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStreak:
    """Runs in a row, the latest instant first, that succeeded or that failed."""

    succeeded: bool
    count: int
    #: The first of them.
    since: Attempt
    #: It may have begun before the runs that were read.
    is_partial: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStatistics:
    """Recent runs of a job in numbers, by their last attempts."""

    runs: int
    states: Mapping[RunState, int]
    last: Attempt | None
    last_success: Attempt | None
    streak: RunStreak | None
    #: Durations of the last attempts that succeeded.
    duration: Spread | None
    #: Starts after the due instant, of last attempts that started.
    lateness: Spread | None


def run_statistics(latest_first: Sequence[Attempt], *, is_partial: bool) -> RunStatistics:
    """Count runs by their last attempts; ``is_partial``: there are earlier runs.

    Durations are those of successes: a failure ends early or by its timeout. A retry is late by its
    own due instant.
    """
    ended = [each for each in latest_first if each.state in TERMINAL]
    successes = [each for each in ended if each.state is RunState.SUCCEEDED]
    return RunStatistics(
        runs=len(latest_first),
        states=Counter(each.state for each in latest_first),
        last=next(iter(ended), None),
        last_success=next(iter(successes), None),
        streak=_streak(ended, is_partial=is_partial),
        duration=_spread(successes, _duration_ms),
        lateness=_spread(latest_first, _lateness_ms),
    )


def last_outcome(latest_first: Iterable[Attempt]) -> Attempt | None:
    """Return the first that succeeded or is a failure; others wait, or were left out as asked."""
    decided = (each for each in latest_first if each.is_failure or each.state is RunState.SUCCEEDED)
    return next(decided, None)


def _streak(ended: Iterable[Attempt], *, is_partial: bool) -> RunStreak | None:
    judged = [each for each in ended if each.state not in _PASSED_OVER]
    if not judged:
        return None
    succeeded = judged[0].state is RunState.SUCCEEDED
    others = (
        at for at, each in enumerate(judged) if (each.state is RunState.SUCCEEDED) is not succeeded
    )
    count = next(others, len(judged))
    return RunStreak(
        succeeded=succeeded,
        count=count,
        since=judged[count - 1],
        is_partial=is_partial and count == len(judged),
    )


def _spread(runs: Iterable[Attempt], measure: Callable[[Attempt], int | None]) -> Spread | None:
    found = sorted(ms for each in runs if (ms := measure(each)) is not None)
    if not found:
        return None
    return Spread(count=len(found), p50=_rank(found, 50), p95=_rank(found, 95), longest=found[-1])


def _rank(ordered: Sequence[int], percent: int) -> int:
    return ordered[-(-len(ordered) * percent // 100) - 1]


def _duration_ms(run: Attempt) -> int | None:
    if run.started_at is None or run.ended_at is None:
        return None
    return milliseconds_between(run.started_at, run.ended_at)


def _lateness_ms(run: Attempt) -> int | None:
    return None if run.started_at is None else milliseconds_between(run.due_at, run.started_at)
