"""Absences: jobs that have not succeeded for as long as a rule allows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial

from timegate.domain.jobs.job import Job
from timegate.domain.rules.absence import LONGEST_RUN, asked_at, asked_span, next_walk
from timegate.domain.rules.judging import succeeded_after
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.rules.streak import ENDED_KEPT_FOR, Streak, StreakId, keeps_until
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.rules.words import in_words
from timegate.domain.values.instants import rfc3339
from timegate.usecases.rules.looking import Occurrence, RuleLook

#: Jobs of one look, a query each at most; another look follows at once.
JOBS_PER_LOOK = 100
#: A success that no other has followed for so long is remembered: its record may be gone before its
#: span is over. Jobs that run daily write nothing.
REMEMBERED_AFTER = timedelta(days=2)
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
    # Read once for all of them, and not at all where every job has succeeded.
    awaited_from = cache(partial(look.looking.awaited_from, look.tenant))
    for its_id, job, (rule, (since, at)) in candidates:
        if its_id not in known:
            continue
        before = known[its_id]
        goes_on = before is not None and before.is_open and before.is_of(rule)
        if goes_on:
            continue
        succeeded_at, span = _success(look, job, since, at), (since, at)
        if succeeded_at is not None:
            if _fades(succeeded_at, span, look.now, before):
                look.occurrences.append(_remembered(look, rule, job, span, before, succeeded_at))
        elif not _remembers(before, since, at) and _is_awaited(awaited_from(), since):
            look.occurrences.append(_occurrence(look, rule, job, span, before))


def _success(look: RuleLook, job: Job, since: datetime, at: datetime) -> datetime | None:
    """Return the end of a run on record that succeeded within a span; ``None``: none did."""
    for run in look.runs_to_success(job.job_id, since=since - LONGEST_RUN, until=at):
        if succeeded_after(run, since) and (run.ended_at or at) <= at:
            return run.ended_at
    return None


def _is_awaited(awaited_from: datetime | None, since: datetime) -> bool:
    """Tell if the tenant's jobs were to succeed here all the time, and in no other stage."""
    return awaited_from is not None and awaited_from <= since


def _remembers(before: Streak | None, since: datetime, at: datetime) -> bool:
    """Tell if a success within a span is remembered, whose run may be on record no more."""
    return before is not None and not before.is_open and since < before.until <= at


def _fades(succeeded_at: datetime, span: _Span, now: datetime, before: Streak | None) -> bool:
    """Tell if the record of a success may be gone before its span is over, and nothing else is."""
    since, at = span
    is_long = at - since > REMEMBERED_AFTER and now - succeeded_at >= REMEMBERED_AFTER
    return is_long and (before is None or before.until < succeeded_at)


def _remembered(
    look: RuleLook,
    rule: Rule,
    job: Job,
    span: _Span,
    before: Streak | None,
    succeeded_at: datetime,
) -> Occurrence:
    """A streak that has ended keeps the success in mind, until it counts no more."""
    streak = replace(
        _streak(look, rule, job, span, before),
        is_open=False,
        until=succeeded_at,
        kept_until=succeeded_at + (span[1] - span[0]) + ENDED_KEPT_FOR,
    )
    return Occurrence(rule=rule, streak=streak, events=())


def _streak(look: RuleLook, rule: Rule, job: Job, span: _Span, before: Streak | None) -> Streak:
    since, at = span
    return Streak(
        tenant=look.tenant,
        id=StreakId(rule_id=rule.rule_id, condition=StreakCondition.ABSENT, job_id=job.job_id),
        job_name=job.name,
        # A success that was written while it was judged ends it.
        until=since,
        runs_from=since - LONGEST_RUN,
        told_at=look.now,
        revision=before.revision + 1 if before is not None else 1,
        kept_until=keeps_until(look.now, at - since),
    )


def _occurrence(
    look: RuleLook, rule: Rule, job: Job, span: _Span, before: Streak | None
) -> Occurrence:
    since, at = span
    streak = _streak(look, rule, job, span, before)
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
