"""Words of a rule's events, for people who read no documents."""

from datetime import timedelta

from timegate.domain.rules.rule import StreakCondition
from timegate.domain.runs.run import Attempt, RunState

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def in_words(
    condition: StreakCondition,
    job: str,
    *,
    failures: int = 1,
    run: Attempt | None = None,
    seconds: int = 0,
) -> str:
    """Say what a job does."""
    match condition:
        case StreakCondition.FAILURES:
            runs = f"{failures} runs in a row" if failures > 1 else "a run"
            return f"{job}: {runs} failed{_cause(run)}."
        case StreakCondition.DEAD_LETTER:
            return f"{job}: a run was given up{_cause(run)}; it waits for a decision."
        case StreakCondition.QUOTA:
            return f"{job}: a quota of the tenant refused a run."
        case StreakCondition.LATE:
            return f"{job}: a run {_start(run)} {span(seconds)} after it was due."
        case StreakCondition.ABSENT:
            return f"{job}: no run has succeeded for {span(seconds)}."


def recovered_in_words(condition: StreakCondition, job: str) -> str:
    """Say that a job has stopped doing it."""
    if condition is StreakCondition.LATE:
        return f"{job}: runs start in time again."
    return f"{job}: a run has succeeded again."


def span(seconds: int) -> str:
    """Say a span in its largest whole unit."""
    size, unit = next(each for each in _UNITS if seconds % each[0] == 0)
    count = timedelta(seconds=seconds) // timedelta(seconds=size)
    return f"{count} {unit}{'' if count == 1 else 's'}"


def _start(run: Attempt | None) -> str:
    if run is None or run.state in {RunState.WAITING, RunState.QUEUED}:
        return "has not started"
    return "began more than" if run.leases > 0 else "had not started"


def _cause(run: Attempt | None) -> str:
    error = run.error if run is not None else None
    return f" ({error.code})" if error is not None else ""
