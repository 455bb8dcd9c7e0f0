"""The listener of one job: late runs, absences, failures that pause, and ends that are told of.

Each decision is the function that sweeper, claims, outcomes and looks call.
"""

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from timegate.domain.execution.failures import failures_that_pause, is_open, may_decide
from timegate.domain.execution.late_starts import is_late, late_cause, marked_late, with_lateness
from timegate.domain.execution.notices import heard_of, notices
from timegate.domain.jobs.job import FailurePause, Job, Timing
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch, awaited_within, watch_begun
from timegate.domain.planning.transitions import Transition, paused_by_failures, resumed_at
from timegate.domain.rules.absence import with_successes
from timegate.domain.rules.absence_notices import absence_notices
from timegate.domain.rules.rule import Rule
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import QueueDepth
from timegate.domain.simulation.agenda import EventOrder
from timegate.domain.simulation.notices.rule_looks import SimulatedRuleLooks
from timegate.domain.simulation.notices.told import Watched, governing
from timegate.domain.simulation.scenario import SimulatedJob
from timegate.domain.values.identity import RunId

_WAITS = frozenset({RunState.WAITING, RunState.QUEUED})


class JobListener:
    """Everything that is told of one job's runs."""

    def __init__(self, job: SimulatedJob, course: Watched, looks: SimulatedRuleLooks) -> None:
        self._job = job
        self._course = course
        self._hearing = looks.hearing
        self._looks = looks
        self._updated_at = job.created_at
        self._resumed_at: datetime | None = None
        self._known: dict[RunId, Attempt] = {}
        #: Runs by instant, the earliest first.
        self._order: list[tuple[datetime, str, RunId]] = []
        self._watch: AbsenceWatch | None = None
        self._stored = governing(job, course.timing, self._updated_at)
        self._bounds = self._bounds_of(looks.hearing.scenario.rules)
        self._stored = replace(self._stored, told_late_after=self._bounds)
        self._may_be_late = job.late_after_seconds is not None or bool(self._bounds)

    @property
    def job(self) -> Job:
        """Return the job as the production code reads it now."""
        timing = self._course.timing
        if self._stored.timing is not timing or self._stored.updated_at != self._updated_at:
            self._stored = governing(
                self._job,
                timing,
                self._updated_at,
                bounds=self._bounds,
                resumed_at=self._resumed_at,
            )
        return self._stored

    @property
    def name(self) -> str | None:
        """Return the job's name in its scenario."""
        return self._job.name

    def begin(self) -> None:
        """The job is created."""
        self._looks.join(self)
        self._await(None)

    def latest_runs(
        self, since: datetime | None = None, until: datetime | None = None
    ) -> Iterator[Attempt]:
        """Yield runs as they are now, the latest instant first."""
        for at, _, run in reversed(self._order):
            if since is not None and at < since:
                return
            if until is None or at <= until:
                yield self._course.run_of(run)

    # --- starts

    def marked(self, attempt: Attempt, now: datetime) -> Attempt:
        """A worker looks at a run: since when it is late, and which bounds of rules it passed."""
        if not self._may_be_late:
            return attempt
        return with_lateness(marked_late(attempt, self.job, at=now), self.job)

    def beginning(self, attempt: Attempt, now: datetime) -> Attempt:
        """A worker begins a run, perhaps late."""
        if not self._may_be_late:
            return attempt
        begins_at = max(now, attempt.due_at)
        if is_late(attempt, self.job, now=begins_at):
            made = notices(self.job, attempt, Occasion.LATE, at=begins_at, now=now)
            self._hearing.tell(self._job, Occasion.LATE, made, of=attempt.id.run)
        return marked_late(attempt, self.job, at=begins_at)

    def look_at(self, attempt: Attempt) -> datetime | None:
        """Return the sweeper's tick at which a run that waits will be late; ``None``: never."""
        if not self._may_be_late:
            return None
        lateness = with_lateness(attempt, self.job).lateness
        if lateness is None or lateness.look_at is None:
            return None
        at, is_queued = lateness.look_at, attempt.state is RunState.QUEUED
        if attempt.lateness is None and is_queued and attempt.watch_at is not None:
            # No record says yet that it may be late: the first look of any run finds it.
            at = attempt.watch_at
        return self._hearing.scenario.tick_from(max(at, self._hearing.agenda.now))

    def looked(self, attempt: Attempt, now: datetime) -> Attempt:
        """The sweeper looks at a run that waits, and may be late."""
        if not self._may_be_late:
            return attempt
        attempt = with_lateness(attempt, self.job)
        if attempt.lateness is not None and is_late(attempt, self.job, now=now):
            cause = late_cause(attempt, QueueDepth.READY, "", now=now)
            made = notices(self.job, attempt, Occasion.LATE, at=now, now=now, cause=cause)
            self._hearing.tell(self._job, Occasion.LATE, made, of=attempt.id.run)
            attempt = replace(attempt, lateness=replace(attempt.lateness, told=True))
        return with_lateness(marked_late(attempt, self.job, at=now), self.job)

    def _bounds_of(self, rules: Iterable[Rule]) -> tuple[int, ...]:
        """Return the spans after which rules are told of runs that have not begun."""
        bounds = (rule.late_bound for rule in rules if rule.jobs.selects(self._stored))
        return tuple(sorted({bound.after_seconds for bound in bounds if bound is not None}))

    # --- ends

    def kept(self, attempt: Attempt, now: datetime) -> None:
        """A run is as it is now."""
        run = attempt.id.run
        before = self._known.get(run)
        self._known[run] = attempt
        if before is None:
            insort(self._order, (run.scheduled_at, str(run), run))
        is_over = attempt.ends_run and not (before is not None and before.ends_run)
        if is_over or _has_news(before, attempt):
            self._looks.note(self, attempt)
        if is_over:
            self._ended(attempt, now)

    def _ended(self, attempt: Attempt, now: datetime) -> None:
        occasion = Occasion(attempt.state.value)
        if occasion in self._job.told_on:
            made = notices(self.job, attempt, occasion, at=now, now=now)
            self._hearing.tell(self._job, occasion, made, of=attempt.id.run)
        if self._job.pause_after_failures is None:
            return
        ended = replace(attempt, notify=heard_of(self.job))
        if not may_decide(ended) or not is_open(self.job, ended):
            return
        timing, pause = self._course.timing, self._course.timing.failure_pause
        if ended.state is RunState.SUCCEEDED:
            if pause is not None:
                passed = replace(timing, failure_pause=replace(pause, passed=True))
                self._course.change_by_itself(Transition(timing=passed))
            return
        failures = failures_that_pause(self.job, self.latest_runs(until=now))
        if failures is not None:
            self._pause(FailurePause(at=now, attempt=ended.id, failures=failures), ended)

    def _pause(self, pause: FailurePause, ended: Attempt) -> None:
        transition = paused_by_failures(self._course.timing, pause)
        if transition is None:
            return
        self._course.change_by_itself(transition)
        made = notices(self.job, ended, Occasion.PAUSED, at=pause.at, now=pause.at)
        self._hearing.tell(self._job, Occasion.PAUSED, made, of=ended.id.run)

    # --- absences

    def changed(self, before: Timing, now: datetime) -> None:
        """The job is as it is now: a span may begin anew, or no success be awaited any more."""
        earlier = governing(self._job, before, self._updated_at)
        self._updated_at = now
        self._resumed_at = resumed_at(self._resumed_at, before, self._course.timing, now=now)
        self._await(earlier)

    def _await(self, before: Job | None) -> None:
        wanted = awaited_within(self.job)
        if wanted == awaited_within(before):
            return
        self._watch = None if wanted is None else watch_begun(self.job, wanted)
        if self._watch is not None:
            self._enter_look(self._watch, self._watch.next_look(self._hearing.agenda.now))

    def _enter_look(self, watch: AbsenceWatch, at: datetime) -> None:
        tick = self._hearing.scenario.tick_from(at)
        if self._hearing.has(tick):
            self._hearing.agenda.at(tick, EventOrder.LOOK, partial(self._look, watch))

    def _look(self, watch: AbsenceWatch, now: datetime) -> None:
        if watch is not self._watch:
            # A change of the job has begun another one.
            return
        if awaited_within(self.job) is None:
            # Its last run has ended, and with it the job.
            return
        after = with_successes(watch, partial(self.latest_runs, until=now), now=now)
        is_new = after.over_at <= now and not after.told
        if is_new:
            made = absence_notices(self.job, after, now=now)
            self._hearing.tell(self._job, Occasion.ABSENT, made, of=None)
        self._watch = replace(after, told=after.told or is_new)
        self._enter_look(self._watch, self._watch.next_look(now))


def _has_news(before: Attempt | None, after: Attempt) -> bool:
    """Tell if the run has begun since, or passed a bound of a rule."""
    began = after.started_at is not None and (before is None or before.started_at is None)
    bound = 0 if before is None or before.lateness is None else before.lateness.beyond_seconds
    return began or (after.lateness is not None and after.lateness.beyond_seconds > bound)
