"""Streaks that have ended: a success, or a run in time, since they were told of."""

from dataclasses import replace

from timegate.domain.rules.judging import ending
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import Rule
from timegate.domain.rules.streak import Streak
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.rules.words import recovered_in_words
from timegate.domain.runs.run import Attempt
from timegate.usecases.rules.looking import Occurrence, RuleLook

#: Open streaks of one look, one query each.
STREAKS_PER_LOOK = 100


def end_streaks(look: RuleLook, watch: RuleWatch) -> RuleWatch:
    """End streaks whose job has recovered; returns the watch, past the streaks it read.

    Streaks of a rule that is gone, or asks for something else, wait to be forgotten. Reports
    unreadable ones. Raises ``Throttled``.
    """
    streaks, more = look.looking.rules.open_streaks(
        look.tenant, limit=STREAKS_PER_LOOK, after=watch.streaks_after, now=look.now
    )
    rules = look.by_id()
    for streak in look.readable(streaks):
        rule = rules.get(streak.id.rule_id)
        if rule is None or not streak.is_of(rule):
            continue
        runs = look.latest_runs(streak.id.job_id, since=streak.runs_from)
        run = ending(streak, rule, runs)
        if run is not None:
            look.occurrences.append(_occurrence(look, rule, streak, run))
    return replace(watch, streaks_after=more)


def _occurrence(look: RuleLook, rule: Rule, streak: Streak, run: Attempt) -> Occurrence:
    ended = streak.ended_by(run, now=look.now)
    if not rule.when.recovered:
        return Occurrence(rule=rule, streak=ended, events=())
    condition, job = streak.id.condition, (streak.id.job_id, streak.job_name)
    text = recovered_in_words(condition, streak.job_name)
    at = run.ended_at or look.now
    told = event(condition, job, run, at=at, text=text, recovered=True)
    return Occurrence(rule=rule, streak=ended, events=(told,))
