"""Failures that begin a streak: each one of a tenant is read once, or a few times."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Job
from timegate.domain.rules.judging import conditions_of, failures_in_a_row, is_enough
from timegate.domain.rules.messages import event
from timegate.domain.rules.rule import MAX_FAILURES_TOLD, Condition, Rule
from timegate.domain.rules.streak import Streak, StreakId, opens_anew
from timegate.domain.rules.watch import SEEN_AGAIN_FOR, RuleWatch
from timegate.domain.rules.words import in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instant_range import InstantRange
from timegate.usecases.rules.looking import Look, Occurrence

#: Failures of one look; a busy tenant has several looks a minute.
FAILURES_PER_LOOK = 100

_Candidate = tuple[Rule, StreakId, Attempt, Job]


def find_failures(look: Look, watch: RuleWatch) -> RuleWatch:
    """Find the streaks that failures begin; returns the watch, past the failures it read.

    Failures are counted on record: one that is read again changes nothing. Raises ``Throttled``.
    """
    until = watch.pass_until or look.now
    within = InstantRange(start=watch.seen_until - SEEN_AGAIN_FOR, end=until)
    refs, more = look.looking.failures.failures_since(
        look.tenant, within=within, limit=FAILURES_PER_LOOK, after=watch.pass_after
    )
    if refs:
        loaded = look.looking.runs.load_all(refs)
        found = [
            (each.attempt, each.job)
            for each in loaded
            if each.attempt is not None and each.job is not None
        ]
        _begin(look, list(_candidates(look, found)))
    if more is not None:
        return replace(watch, pass_until=until, pass_after=more)
    if not refs and watch.pass_until is None:
        # A quiet tenant's look writes nothing; the next one reads as few failures.
        return watch
    return replace(watch, seen_until=until, pass_until=None, pass_after=None)


def _candidates(look: Look, found: Sequence[tuple[Attempt, Job]]) -> Iterator[_Candidate]:
    """Yield what may begin a streak, each rule, condition and job once, by its last failure."""
    seen: set[StreakId] = set()
    for attempt, job in sorted(found, key=lambda each: _ended(each[0]), reverse=True):
        met = conditions_of(attempt)
        for condition in (each for each in Condition if each in met):
            for rule in look.asking(condition):
                its_id = StreakId(rule_id=rule.rule_id, condition=condition, job_id=job.job_id)
                if its_id in seen or not rule.jobs.selects(job):
                    continue
                if _ended(attempt) >= rule.created_at:
                    seen.add(its_id)
                    yield rule, its_id, attempt, job


def _begin(look: Look, candidates: Sequence[_Candidate]) -> None:
    known = look.looking.rules.streaks(look.tenant, [each[1] for each in candidates])
    counts: dict[str, int] = {}
    for rule, its_id, attempt, job in candidates:
        before = known.get(its_id)
        if not opens_anew(before, rule, _ended(attempt)):
            continue
        failures = 1
        if its_id.condition is Condition.FAILURES and rule.when.failures_in_a_row != 1:
            if job.job_id not in counts:
                runs = look.latest_runs(job.job_id)
                counts[job.job_id] = failures_in_a_row(runs, most=MAX_FAILURES_TOLD)
            failures = counts[job.job_id]
        if is_enough(rule, its_id.condition, failures):
            found = (attempt, job, before)
            look.occurrences.append(_occurrence(look, rule, its_id, found, failures))


def _occurrence(
    look: Look,
    rule: Rule,
    its_id: StreakId,
    found: tuple[Attempt, Job, Streak | None],
    failures: int,
) -> Occurrence:
    attempt, job, before = found
    streak = Streak(
        tenant=look.tenant,
        id=its_id,
        job_name=job.name,
        until=_ended(attempt),
        runs_from=attempt.id.run.scheduled_at,
        told_at=look.now,
        # No later run of a job that does not recur ends its streak.
        is_open=job.timing.schedule.is_recurring,
        run=attempt.id.run,
        revision=before.revision + 1 if before is not None else 1,
    )
    beside = {"failures": failures} if its_id.condition is Condition.FAILURES else {}
    text = in_words(its_id.condition, job.name, failures=failures, run=attempt)
    told = event(
        its_id.condition,
        (job.job_id, job.name),
        attempt,
        at=_ended(attempt),
        text=text,
        beside=beside,
    )
    return Occurrence(rule=rule, streak=streak, event=told)


def _ended(attempt: Attempt) -> datetime:
    return attempt.ended_at or attempt.created_at
