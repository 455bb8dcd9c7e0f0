"""Failures and late runs that begin a streak: each one of a tenant is read once, or a few times."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.rules.judging import failures_in_a_row, is_enough, met, streak_id
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import MAX_FAILURES_TOLD, Rule, StreakCondition
from timegate.domain.rules.streak import Streak, StreakId, keeps_until, opens_anew
from timegate.domain.rules.watch import SEEN_AGAIN_FOR, RuleWatch
from timegate.domain.rules.words import in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.instants import rfc3339
from timegate.usecases.rules.looking import Occurrence, RuleLook
from timegate.value_classes import dataclass

#: Failures of one look; a busy tenant has several looks a minute.
FAILURES_PER_LOOK = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class _Candidate:
    """A run that may begin a streak of a rule."""

    rule: Rule
    id: StreakId
    attempt: Attempt
    job: Job
    #: It met the condition then.
    at: datetime


def find_failures(look: RuleLook, watch: RuleWatch) -> RuleWatch:
    """Find the streaks that runs begin; returns the watch, past the runs it read.

    Failures are counted on record: one that is read again changes nothing. Late runs are marked by
    the claim or the sweeper's look that found them late. Raises ``Throttled``.
    """
    until = watch.pass_until or look.now
    within = InstantRange(start=watch.seen_until - SEEN_AGAIN_FOR, end=until)
    refs, more = look.looking.failures.failures_since(
        look.tenant,
        within=within,
        limit=FAILURES_PER_LOOK,
        after=watch.pass_after,
        late=bool(look.asking(StreakCondition.LATE)),
    )
    if refs:
        loaded = look.looking.runs.load_all(refs)
        found = [
            (each.attempt, each.job)
            for each in loaded
            if each.attempt is not None and each.job is not None
        ]
        _begin(look, _candidates(look, found))
    if more is not None:
        return replace(watch, pass_until=until, pass_after=more)
    if not refs and watch.pass_until is None:
        # A quiet tenant's look writes nothing; the next one reads as few failures.
        return watch
    return replace(watch, seen_until=until, pass_until=None, pass_after=None)


def _candidates(look: RuleLook, found: Sequence[tuple[Attempt, Job]]) -> list[_Candidate]:
    """List what may begin a streak, each rule, condition and job once, by its last run."""
    made = [
        _Candidate(
            rule=rule,
            id=streak_id(rule, condition, attempt, job.timing.schedule),
            attempt=attempt,
            job=job,
            at=at,
        )
        for attempt, job in found
        for rule in look.rules
        if rule.jobs.selects(job)
        for condition, at in met(attempt, rule)
    ]
    made.sort(key=lambda each: each.at, reverse=True)
    first = {each.id: each for each in reversed(made)}
    return [each for each in made if first[each.id] is each]


def _begin(look: RuleLook, candidates: Sequence[_Candidate]) -> None:
    known, ended = look.on_record([each.id for each in candidates]), look.ended
    counts: dict[str, int] = {}
    for each in candidates:
        if each.id not in known:
            continue
        over = ended.get(each.id)
        before = over.streak if over is not None else known[each.id]
        if not opens_anew(before, each.rule, each.at):
            continue
        failures = 1
        if each.id.condition is StreakCondition.FAILURES and each.rule.when.failures_in_a_row != 1:
            if each.job.job_id not in counts:
                runs = look.latest_runs(each.job.job_id)
                counts[each.job.job_id] = failures_in_a_row(runs, most=MAX_FAILURES_TOLD)
            failures = counts[each.job.job_id]
        if not is_enough(each.rule, each.id.condition, failures):
            continue
        begun = _occurrence(look, each, known[each.id], failures)
        if over is not None:
            # It ended and began anew between two looks: one write, and both are told.
            look.occurrences.remove(over)
            begun = replace(begun, events=(*over.events, *begun.events))
        look.occurrences.append(begun)


def _occurrence(
    look: RuleLook, found: _Candidate, before: Streak | None, failures: int
) -> Occurrence:
    attempt, job, condition = found.attempt, found.job, found.id.condition
    next_at, is_open = job.timing.next_run_at, job.timing.schedule.runs_again
    interval = next_at - attempt.id.run.scheduled_at if next_at is not None and is_open else None
    streak = Streak(
        tenant=look.tenant,
        id=found.id,
        job_name=job.name,
        until=found.at,
        runs_from=attempt.id.run.scheduled_at,
        told_at=look.now,
        # No later run of a job that runs once ends its streak.
        is_open=is_open,
        run=attempt.id.run,
        revision=before.revision + 1 if before is not None else 1,
        kept_until=keeps_until(look.now, interval),
    )
    late, at, beside = attempt.lateness, found.at, dict[str, object]()
    if condition is StreakCondition.FAILURES:
        beside = {"failures": failures}
    elif condition is StreakCondition.LATE and late is not None:
        at, beside = late.marked_at or look.now, {"since": rfc3339(late.since)}
    seconds = found.rule.when.late_after_seconds or 0
    text = in_words(condition, job.name, failures=failures, run=attempt, seconds=seconds)
    told = event(condition, (job.job_id, job.name), attempt, at=at, text=text, beside=beside)
    return Occurrence(rule=found.rule, streak=streak, events=(told,))
