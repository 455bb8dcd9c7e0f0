"""Judging runs by rules: what begins a streak, and what ends one."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from timegate.domain.execution.failures import FAILURES
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.runs.reserved_turns import late_since
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import OWN_RUNS


def conditions_of(attempt: Attempt) -> frozenset[StreakCondition]:
    """Conditions that the end of a run may meet."""
    if attempt.id.run.origin not in OWN_RUNS or not attempt.ends_run:
        return frozenset()
    met = {StreakCondition.FAILURES} if attempt.state in FAILURES else set()
    met |= {StreakCondition.DEAD_LETTER} if attempt.state is RunState.DEAD_LETTERED else set()
    met |= {StreakCondition.QUOTA} if attempt.reason is Reason.QUOTA else set()
    return frozenset(met)


def met(attempt: Attempt, rule: Rule) -> Iterator[tuple[StreakCondition, datetime]]:
    """Yield the conditions of a rule that a run met, and when."""
    ends, ended_at = conditions_of(attempt) & rule.when.conditions, _ended(attempt)
    if ended_at >= rule.tells_from:
        yield from ((each, ended_at) for each in StreakCondition if each in ends)
    late = late_at(attempt, rule)
    # A run that was to begin before the rule was given is none of its.
    if late is None or late < rule.tells_from:
        return
    if late_since(attempt) >= rule.created_at:
        yield StreakCondition.LATE, late


def streak_id(
    rule: Rule, condition: StreakCondition, attempt: Attempt, schedule: Schedule
) -> StreakId:
    """Return the streak that a run of a job with this schedule belongs to.

    A run that no later run recovers from has a streak of its own. Runs share a streak where
    several failures in a row begin one, and where the tenant's quota refused them.
    """
    in_a_row = condition is StreakCondition.FAILURES and rule.when.failures_in_a_row != 1
    is_shared = in_a_row or condition is StreakCondition.QUOTA
    alone = not schedule.runs_again and not is_shared
    return StreakId(
        rule_id=rule.rule_id,
        condition=condition,
        job_id=attempt.id.run.job_id,
        run=attempt.id.run if alone else None,
    )


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


def is_enough(rule: Rule, condition: StreakCondition, failures: int) -> bool:
    """Tell if so many failures in a row meet the condition."""
    wanted = rule.when.failures_in_a_row
    return condition is not StreakCondition.FAILURES or (wanted is not None and failures >= wanted)


def late_at(attempt: Attempt, rule: Rule) -> datetime | None:
    """Return the instant at which a run became late by a rule; ``None``: it was not."""
    after, late = rule.when.late_after_seconds, attempt.lateness
    if after is None or late is None or after > late.beyond_seconds:
        return None
    return late.since + timedelta(seconds=after)


def ending(streak: Streak, rule: Rule, runs: Iterable[Attempt]) -> Attempt | None:
    """Return the run that ended a streak, the first that did; ``None``: it goes on."""
    if streak.id.condition is StreakCondition.LATE:
        after = rule.when.late_after_seconds or 0
        in_time = [run for run in runs if _in_time(run, streak, after)]
        return min(in_time, key=late_since, default=None)
    good = [run for run in runs if succeeded_after(run, streak.until)]
    return min(good, key=lambda run: run.ended_at or run.created_at, default=None)


def succeeded_after(run: Attempt, instant: datetime) -> bool:
    """Tell if the run succeeded later than that."""
    ended_at = run.ended_at
    return run.state is RunState.SUCCEEDED and ended_at is not None and ended_at > instant


def _in_time(run: Attempt, streak: Streak, seconds: int) -> bool:
    began = run.started_at
    is_later = run.id.run.scheduled_at > streak.runs_from
    return is_later and began is not None and began <= late_since(run) + timedelta(seconds=seconds)


def _ended(attempt: Attempt) -> datetime:
    return attempt.ended_at or attempt.created_at
