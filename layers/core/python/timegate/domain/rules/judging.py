"""Judging runs by rules: what begins a streak, and what ends one."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from timegate.domain.execution.failures import FAILURES
from timegate.domain.rules.rule import Condition, Rule
from timegate.domain.rules.streak import Streak
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import Origin

#: Origins of runs that are a job's own; tasks belong to DAG runs, and notices tell of others.
OWN = frozenset({Origin.SCHEDULE, Origin.TRIGGER, Origin.FOLLOW_UP})


def conditions_of(attempt: Attempt) -> frozenset[Condition]:
    """Conditions that the end of a run may meet."""
    if attempt.id.run.origin not in OWN or not attempt.ends_run:
        return frozenset()
    met = {Condition.FAILURES} if attempt.state in FAILURES else set()
    met |= {Condition.DEAD_LETTER} if attempt.state is RunState.DEAD_LETTERED else set()
    met |= {Condition.QUOTA} if attempt.reason is Reason.QUOTA else set()
    return frozenset(met)


def failures_in_a_row(latest_first: Iterable[Attempt], *, most: int) -> int:
    """Count failed runs since the last success, at most so many.

    Runs that have not ended, were skipped or cancelled are passed over.
    """
    failures = 0
    for run in latest_first:
        if run.state is RunState.SUCCEEDED or failures == most:
            return failures
        failures += run.state in FAILURES and run.ends_run
    return failures


def is_enough(rule: Rule, condition: Condition, failures: int) -> bool:
    """Tell if so many failures in a row meet the condition."""
    wanted = rule.when.failures_in_a_row
    return condition is not Condition.FAILURES or (wanted is not None and failures >= wanted)


def ending(streak: Streak, rule: Rule, latest_first: Sequence[Attempt]) -> Attempt | None:
    """Return the run that ended a streak; ``None``: it goes on."""
    if streak.id.condition is Condition.LATE:
        after = rule.when.late_after_seconds or 0
        return next((run for run in latest_first if _in_time(run, streak, after)), None)
    return next((run for run in latest_first if succeeded_after(run, streak.until)), None)


def succeeded_after(run: Attempt, instant: datetime) -> bool:
    """Tell if the run succeeded later than that."""
    ended_at = run.ended_at
    return run.state is RunState.SUCCEEDED and ended_at is not None and ended_at > instant


def _in_time(run: Attempt, streak: Streak, seconds: int) -> bool:
    began = run.started_at
    is_later = run.id.run.scheduled_at > streak.runs_from
    return is_later and began is not None and began <= run.due_at + timedelta(seconds=seconds)
