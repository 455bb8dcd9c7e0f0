"""Absences: jobs that have not succeeded for as long as a rule allows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.rules.absence import LONGEST_RUN, asked_at, asked_span, next_walk
from timegate.domain.rules.judging import succeeded_after
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.rules.words import in_words
from timegate.domain.values.instants import rfc3339
from timegate.usecases.rules.looking import Occurrence, RuleLook

#: Jobs of one look, a query each at most; another look follows at once.
JOBS_PER_LOOK = 100
#: A rule, and the instant as of which it asks.
_Asked = tuple[Rule, datetime]
#: A span in which a success is asked for.
_Span = tuple[datetime, datetime]


def find_absences(look: RuleLook, watch: RuleWatch) -> RuleWatch:
    """Make a step of a round over all jobs, if one is due; returns the watch, as far as it came.

    Raises ``Throttled``.
    """
    rules = look.asking(StreakCondition.ABSENT)
    if watch.walk_from is None:
        absences = [rule.when.absent for rule in rules if rule.when.absent is not None]
        due_at = next_walk(absences, last=watch.walked_at)
        if due_at is None or due_at > look.now:
            return watch
        watch = replace(watch, walk_from=look.now, walk_after=None)
    began = watch.walk_from or look.now
    asked = [each for rule in rules if (each := _asked(rule, began, watch.walked_at)) is not None]
    if asked:
        page = look.looking.jobs.list_jobs(
            look.tenant, limit=JOBS_PER_LOOK, cursor=watch.walk_after
        )
        _judge(look, page.rows, asked)
        if page.cursor is not None:
            return replace(watch, walk_after=page.cursor)
    return replace(watch, walked_at=began, walk_from=None, walk_after=None)


def _asked(rule: Rule, began: datetime, last: datetime) -> _Asked | None:
    """Return a rule with the instant as of which it asks; ``None``: not in this round."""
    absence = rule.when.absent
    if absence is None:
        return None
    # A time of day before the rule asked for it is none of its.
    at = asked_at(absence, now=began, last=max(last, rule.awaits_from))
    return (rule, at) if at is not None else None


def _judge(look: RuleLook, jobs: Sequence[Job], asked: Sequence[_Asked]) -> None:
    candidates = [
        (
            StreakId(rule_id=rule.rule_id, condition=StreakCondition.ABSENT, job_id=job.job_id),
            job,
            (rule, span),
        )
        for job in jobs
        for rule, at in asked
        if (span := asked_span(rule, job, at)) is not None
    ]
    known = look.on_record([its_id for its_id, _, _ in candidates])
    for its_id, job, (rule, (since, at)) in candidates:
        if its_id not in known:
            continue
        before = known[its_id]
        goes_on = before is not None and before.is_open and before.is_of(rule)
        if not goes_on and not _has_succeeded(look, job, since, at):
            occurrence = _occurrence(look, rule, job, (since, at), before)
            look.occurrences.append(occurrence)


def _has_succeeded(look: RuleLook, job: Job, since: datetime, at: datetime) -> bool:
    runs = look.runs_to_success(job.job_id, since=since - LONGEST_RUN, until=at)
    return any(succeeded_after(run, since) and (run.ended_at or at) <= at for run in runs)


def _occurrence(
    look: RuleLook, rule: Rule, job: Job, span: _Span, before: Streak | None
) -> Occurrence:
    since, at = span
    streak = Streak(
        tenant=look.tenant,
        id=StreakId(rule_id=rule.rule_id, condition=StreakCondition.ABSENT, job_id=job.job_id),
        job_name=job.name,
        # A success that was written while it was judged ends it.
        until=since,
        runs_from=since - LONGEST_RUN,
        told_at=look.now,
        revision=before.revision + 1 if before is not None else 1,
    )
    seconds = int((at - since).total_seconds())
    told = event(
        StreakCondition.ABSENT,
        (job.job_id, job.name),
        None,
        at=at,
        text=in_words(StreakCondition.ABSENT, job.name, seconds=seconds),
        beside={"since": rfc3339(since)},
    )
    return Occurrence(rule=rule, streak=streak, events=(told,))
