"""Looks at a tenant's rules: once a minute where something happened, as the deployed ones.

Each judgement is the function that the use cases of rules call.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from timegate.domain.jobs.job import Job
from timegate.domain.rules.absence import LONGEST_RUN, asked_at, asked_span, next_walk
from timegate.domain.rules.judging import (
    ending,
    failures_in_a_row,
    is_enough,
    met,
    streak_id,
    succeeded_after,
)
from timegate.domain.rules.rule import MAX_FAILURES_TOLD, Rule, StreakCondition
from timegate.domain.rules.streak import Streak, StreakId, opens_anew
from timegate.domain.rules.words import in_words, recovered_in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.agenda import EventOrder
from timegate.domain.simulation.notices.told import RECOVERED, Hearing, SimulatedNotice
from timegate.domain.values.identity import JobId, RunId
from timegate.value_classes import dataclass

_MINUTE = timedelta(minutes=1)


class Judged(Protocol):
    """A job whose runs are judged."""

    @property
    def job(self) -> Job:
        """Return the job as it is now."""

    @property
    def name(self) -> str | None:
        """Return its name in the scenario."""

    def latest_runs(
        self, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Attempt]:
        """Yield runs as they are now, the latest instant first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Candidate:
    """A run that may begin a streak of a rule."""

    rule: Rule
    id: StreakId
    attempt: Attempt
    judged: Judged
    at: datetime


class SimulatedRuleLooks:
    """The rules of a scenario, their streaks, and what quiet hours hold back."""

    def __init__(self, rules: tuple[Rule, ...], hearing: Hearing) -> None:
        self._rules = {rule.rule_id: rule for rule in rules if rule.enabled}
        self.hearing = hearing
        self._jobs: dict[JobId, Judged] = {}
        self._streaks: dict[StreakId, Streak] = {}
        self._held: dict[JobId, list[SimulatedNotice]] = defaultdict(list)
        #: Runs that have begun, ended or been marked late since the last look.
        self._changed: dict[RunId, tuple[Judged, Attempt]] = {}
        self._looks_at: datetime | None = None
        self._walked_at = hearing.agenda.now

    def join(self, judged: Judged) -> None:
        """A job is created; the first one begins the rounds of absences."""
        is_first = not self._jobs
        self._jobs[judged.job.job_id] = judged
        if is_first and self._rules:
            self._enter_walk()

    def note(self, judged: Judged, attempt: Attempt) -> None:
        """A run has changed: the next look sees it."""
        if self._rules:
            self._changed[attempt.id.run] = (judged, attempt)
            self._enter(self.hearing.agenda.now)

    def _enter(self, earliest: datetime) -> None:
        at = self.hearing.scenario.tick_from(earliest)
        if self.hearing.has(at) and (self._looks_at is None or at < self._looks_at):
            self._looks_at = at
            self.hearing.agenda.at(at, EventOrder.LOOK, self._look)

    def _look(self, now: datetime) -> None:
        self._looks_at = None
        self._tell_what_was_held(now)
        changed, self._changed = [*self._changed.values()], {}
        self._end_streaks([attempt for _, attempt in changed], now)
        for candidate in self._candidates(changed):
            self._begin(candidate, now)

    # --- streaks

    def _end_streaks(self, runs: list[Attempt], now: datetime) -> None:
        by_job: dict[JobId, list[Attempt]] = defaultdict(list)
        for run in runs:
            by_job[run.id.run.job_id].append(run)
        for streak in [*self._streaks.values()]:
            rule = self._rules[streak.id.rule_id]
            over = ending(streak, rule, by_job[streak.id.job_id]) if streak.is_open else None
            if over is None:
                continue
            self._streaks[streak.id] = streak.ended_by(over, now=now)
            if rule.when.recovered:
                text = recovered_in_words(streak.id.condition, streak.job_name)
                judged = self._jobs[streak.id.job_id]
                self._tell(rule, judged, RECOVERED, over, over.ended_at or now, text)

    def _candidates(self, changed: list[tuple[Judged, Attempt]]) -> list[_Candidate]:
        """List what may begin a streak, each rule, condition and job once, by its last run."""
        made = [
            _Candidate(
                rule=rule,
                id=streak_id(rule, condition, attempt, judged.job.timing.schedule),
                attempt=attempt,
                judged=judged,
                at=at,
            )
            for judged, attempt in changed
            for rule in self._rules.values()
            if rule.jobs.selects(judged.job)
            for condition, at in met(attempt, rule)
        ]
        made.sort(key=lambda each: each.at)
        return [*{each.id: each for each in made}.values()]

    def _begin(self, found: _Candidate, now: datetime) -> None:
        rule, attempt, condition = found.rule, found.attempt, found.id.condition
        before = self._streaks.get(found.id)
        if not opens_anew(before, rule, found.at):
            return
        failures = 1
        if condition is StreakCondition.FAILURES and rule.when.failures_in_a_row != 1:
            runs = found.judged.latest_runs(until=now)
            failures = failures_in_a_row(runs, most=MAX_FAILURES_TOLD)
        if not is_enough(rule, condition, failures):
            return
        job = found.judged.job
        self._streaks[found.id] = Streak(
            tenant=job.tenant,
            id=found.id,
            job_name=job.name,
            until=found.at,
            runs_from=attempt.id.run.scheduled_at,
            told_at=now,
            is_open=job.timing.schedule.runs_again,
            run=attempt.id.run,
            revision=before.revision + 1 if before is not None else 1,
        )
        seconds = rule.when.late_after_seconds or 0
        text = in_words(condition, job.name, failures=failures, run=attempt, seconds=seconds)
        self._tell(rule, found.judged, condition.value, attempt, found.at, text)

    # --- absences

    def _enter_walk(self) -> None:
        absences = [rule.when.absent for rule in self._rules.values() if rule.when.absent]
        due_at = next_walk(absences, last=self._walked_at)
        if due_at is None:
            return
        at = self.hearing.scenario.tick_from(max(due_at, self.hearing.agenda.now))
        if self.hearing.has(at):
            self.hearing.agenda.at(at, EventOrder.LOOK, self._walk)

    def _walk(self, now: datetime) -> None:
        """A round over all jobs."""
        for rule in self._rules.values():
            if rule.when.absent is None:
                continue
            at = asked_at(rule.when.absent, now=now, last=max(self._walked_at, rule.awaits_from))
            for judged in self._jobs.values() if at is not None else ():
                self._judge(rule, judged, at or now, now)
        self._walked_at = now
        self._enter_walk()

    def _judge(self, rule: Rule, judged: Judged, at: datetime, now: datetime) -> None:
        job = judged.job
        span = asked_span(rule, job, at)
        its_id = StreakId(rule_id=rule.rule_id, condition=StreakCondition.ABSENT, job_id=job.job_id)
        before = self._streaks.get(its_id)
        if span is None or (before is not None and before.is_open):
            return
        since, _ = span
        runs = judged.latest_runs(since=since - LONGEST_RUN, until=at)
        if any(succeeded_after(run, since) and (run.ended_at or at) <= at for run in runs):
            return
        self._streaks[its_id] = Streak(
            tenant=job.tenant,
            id=its_id,
            job_name=job.name,
            until=since,
            runs_from=since - LONGEST_RUN,
            told_at=now,
            revision=before.revision + 1 if before is not None else 1,
        )
        text = in_words(StreakCondition.ABSENT, job.name, seconds=int((at - since).total_seconds()))
        self._tell(rule, judged, StreakCondition.ABSENT.value, None, at, text)

    # --- telling

    def _tell(
        self, rule: Rule, judged: Judged, kind: str, run: Attempt | None, at: datetime, text: str
    ) -> None:
        now = self.hearing.agenda.now
        notice = SimulatedNotice(
            at=now,
            job=judged.name,
            type=kind,
            rule=rule.name,
            run=None if run is None else run.id.run,
            since=at,
            text=text,
        )
        if rule.is_quiet(now):
            self._held[rule.rule_id].append(notice)
            self._enter_end_of_quiet(rule, now)
        else:
            self.hearing.notices.append(notice)

    def _tell_what_was_held(self, now: datetime) -> None:
        for rule_id, held in self._held.items():
            rule = self._rules[rule_id]
            if held and not rule.is_quiet(now):
                self.hearing.notices.extend(replace(each, at=now) for each in held)
                held.clear()
            elif held:
                self._enter_end_of_quiet(rule, now)

    def _enter_end_of_quiet(self, rule: Rule, now: datetime) -> None:
        quiet = rule.quiet_hours
        at = quiet.may_end_at(now) if quiet is not None else None
        if at is not None:
            self._enter(max(at, now + _MINUTE))
