"""Late runs: those that wait for longer after they were due than a rule allows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.execution.late_starts import waits_since
from timegate.domain.jobs.job import Job
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import Condition, Rule
from timegate.domain.rules.streak import Streak, StreakId, opens_anew
from timegate.domain.rules.watch import RuleWatch
from timegate.domain.rules.words import in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339
from timegate.usecases.rules.find_absences import JOBS_PER_LOOK
from timegate.usecases.rules.looking import Look, Occurrence

#: A round comes after this part of the shortest span, ...
_PARTS = 4
#: ... and never more or less often than this.
_LEAST, _MOST = timedelta(minutes=1), timedelta(minutes=15)
#: Of each job so many of the latest runs that were due long enough ago are looked at.
_RUNS = 10


def find_late_runs(look: Look, watch: RuleWatch) -> RuleWatch:
    """Make a step of a round over the jobs, if one is due; returns the watch, as far as it came.

    Raises ``Throttled``.
    """
    rules = look.asking(Condition.LATE)
    if not rules:
        return replace(watch, late_from=None, late_after=None)
    if watch.late_from is None:
        shortest = min(_seconds(rule) for rule in rules)
        every = min(max(shortest / _PARTS, _LEAST), _MOST)
        if watch.late_at is not None and look.now < watch.late_at + every:
            return watch
        watch = replace(watch, late_from=look.now, late_after=None)
    page = look.looking.jobs.list_jobs(look.tenant, limit=JOBS_PER_LOOK, cursor=watch.late_after)
    _judge(look, page.rows, rules)
    if page.cursor is not None:
        return replace(watch, late_after=page.cursor)
    return replace(watch, late_at=watch.late_from, late_from=None, late_after=None)


def _judge(look: Look, jobs: Sequence[Job], rules: Sequence[Rule]) -> None:
    candidates = [
        (StreakId(rule_id=rule.rule_id, condition=Condition.LATE, job_id=job.job_id), rule, job)
        for job in jobs
        for rule in rules
        if rule.jobs.selects(job)
    ]
    known = look.looking.rules.streaks(look.tenant, [each[0] for each in candidates])
    for its_id, rule, job in candidates:
        before = known.get(its_id)
        if before is not None and before.is_open and before.is_of(rule):
            continue
        late = _late_run(look, rule, job)
        if late is not None and opens_anew(before, rule, late[1] + _seconds(rule)):
            look.occurrences.append(_occurrence(look, rule, job, late, before))


def _late_run(look: Look, rule: Rule, job: Job) -> tuple[Attempt, datetime] | None:
    """Return the latest run that waits for too long, and since when it waits."""
    until = look.now - _seconds(rule)
    for run in islice(look.latest_runs(job.job_id, until=until), _RUNS):
        since = waits_since(run)
        if since is not None and since < until and since >= rule.created_at:
            return run, since
    return None


def _occurrence(
    look: Look, rule: Rule, job: Job, late: tuple[Attempt, datetime], before: Streak | None
) -> Occurrence:
    run, since = late
    streak = Streak(
        tenant=look.tenant,
        id=StreakId(rule_id=rule.rule_id, condition=Condition.LATE, job_id=job.job_id),
        job_name=job.name,
        until=since + _seconds(rule),
        runs_from=run.id.run.scheduled_at,
        told_at=look.now,
        is_open=job.timing.schedule.is_recurring,
        run=run.id.run,
        revision=before.revision + 1 if before is not None else 1,
    )
    seconds = rule.when.late_after_seconds or 0
    told = event(
        Condition.LATE,
        (job.job_id, job.name),
        run,
        at=look.now,
        text=in_words(Condition.LATE, job.name, seconds=seconds),
        beside={"since": rfc3339(since)},
    )
    return Occurrence(rule=rule, streak=streak, event=told)


def _seconds(rule: Rule) -> timedelta:
    return timedelta(seconds=rule.when.late_after_seconds or 0)
