"""Triggers of a simulated job: each is a run of its own, or collapses with others of its key."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from timegate.domain.execution.triggers import mark_from, mark_of, state_of_window
from timegate.domain.jobs.definition import UNSET
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.jobs.rules.call_rules import check_value
from timegate.domain.limits.collapse import Collapse, CollapseKey, CollapseWindow, key_in
from timegate.domain.planning.plan import first_attempt
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState, TriggerTerms
from timegate.domain.simulation.agenda import EventOrder
from timegate.domain.simulation.events.slots_of_runs import terms_of
from timegate.domain.simulation.job_course import Carry, JobCourse
from timegate.domain.simulation.knowledge import Knowledge
from timegate.domain.simulation.ledger_rows import JobLedger, RejectedChange, instant_of
from timegate.domain.simulation.notices.rule_looks import SimulatedRuleLooks
from timegate.domain.simulation.scenario import Scenario, SimulatedJob, SimulatedTrigger
from timegate.domain.values.errors import JobIsCancelled
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import PayloadMismatch

#: Carries a stored run to its end, or one that has ended out of its line.
Publish = Callable[[Attempt, datetime], None]


class TriggeredRuns:
    """Runs of a job's triggers, and the windows that these collapse in."""

    def __init__(self, rule: Collapse | None, publish: Publish, withdraw: Publish) -> None:
        self.runs: dict[RunId, Attempt] = {}
        self._rule = rule
        self._publish, self._withdraw = publish, withdraw
        #: The latest window of each key, and all windows by key and number.
        self._latest: dict[str, CollapseWindow] = {}
        self._windows: dict[tuple[str, int], CollapseWindow] = {}
        self._terms: dict[RunId, TriggerTerms | None] = {}

    def trigger(
        self, timing: Timing, key: str | None, terms: TriggerTerms | None, now: datetime
    ) -> RunId:
        """A caller or an event triggers the job: a run waits, or another stands for it."""
        mark = mark_from(f"{len(self.runs)}".encode())
        run = RunId(job_id=timing.job_id, origin=Origin.TRIGGER, scheduled_at=now, about=mark)
        if self._rule is None:
            self._publish(replace(_attempt(timing, run, due_at=now, now=now), terms=terms), now)
        else:
            self._terms[run] = terms
            digest = CollapseKey.of(timing.tenant, timing.job_id, key)
            self._collapse(timing, run, digest, self._rule, now)
        return run

    def rows(self, start: datetime, end: datetime) -> list[Attempt]:
        """Return the runs of triggers within a range, with the runs that stand for them."""
        within = (run for run in self.runs.values() if start <= run.id.run.scheduled_at < end)
        return [self._told(run) for run in within]

    def _told(self, run: Attempt) -> Attempt:
        mark = run.collapse
        if mark is None or mark.into is None:
            return run
        return replace(run, collapse=replace(mark, into=self._windows[mark.key, mark.window].run))

    def _collapse(
        self, timing: Timing, run: RunId, key: CollapseKey, rule: Collapse, now: datetime
    ) -> None:
        read = self._latest.get(key.digest)
        last = None if read is None else self.runs[read.run]
        if read is None or not rule.admits(read, state_of_window(last, now), now=now):
            number = 1 if read is None else read.number + 1
            window = CollapseWindow(key=key, number=number, run=run, since=now, triggers=1)
            self._wait(timing, window, rule.due_at(now, now), now)
        elif last is not None and rule.takes_over:
            # It may stand in a line for a slot.
            self._withdraw(_collapsed(last, replace(read, run=run), now), now)
            window = replace(read, run=run, triggers=read.triggers + 1)
            self._wait(timing, window, rule.due_at(now, read.since), now)
        else:
            window = replace(read, triggers=read.triggers + 1)
            self._know(window)
            attempt = _attempt(timing, run, due_at=now, now=now)
            self.runs[run] = _collapsed(attempt, window, now)

    def _wait(
        self, timing: Timing, window: CollapseWindow, due_at: datetime, now: datetime
    ) -> None:
        self._know(window)
        attempt = _attempt(timing, window.run, due_at=due_at, now=now)
        attempt = replace(attempt, terms=self._terms[window.run])
        self._publish(replace(attempt, collapse=mark_of(window)), now)

    def _know(self, window: CollapseWindow) -> None:
        self._latest[window.key.digest] = window
        self._windows[window.key.digest, window.number] = window


def _collapsed(attempt: Attempt, window: CollapseWindow, now: datetime) -> Attempt:
    """Return the attempt as the run of a window ends it."""
    ended = end(attempt, RunState.SKIPPED, now=now, reason=Reason.COLLAPSED)
    return replace(ended, collapse=mark_of(window, into=window.run))


def _attempt(timing: Timing, run: RunId, *, due_at: datetime, now: datetime) -> Attempt:
    first = first_attempt(timing, Origin.TRIGGER, run.scheduled_at, now=now, due_at=due_at)
    return replace(first, id=AttemptId(run=run, number=1))


class TriggeredCourse(JobCourse):
    """The course of a job whose callers, or events, trigger it."""

    def __init__(
        self,
        job: SimulatedJob,
        scenario: Scenario,
        *,
        knowledge: Knowledge,
        publish: Carry,
        supersede: Carry,
        withdraw: Carry,
        looks: SimulatedRuleLooks,
    ) -> None:
        super().__init__(
            job,
            scenario,
            knowledge=knowledge,
            publish=publish,
            supersede=supersede,
            looks=looks,
        )
        self._range = (scenario.start, scenario.end)
        self._calls, self._rejected = looks.hearing.agenda, list[RejectedChange]()
        self._triggered = TriggeredRuns(
            job.collapse, partial(publish, self), partial(withdraw, self)
        )

    def begin(self) -> None:
        """Begin as any job does, and enter the triggers."""
        super().begin()
        for number, trigger in enumerate(self.job.triggers):
            act = partial(self._trigger, f"{self.job.path}triggers.{number}.at", trigger)
            for at in trigger.instants:
                if at < self._range[1]:
                    self._calls.at(at, EventOrder.TRIGGER, act)

    def run_of(self, run: RunId) -> Attempt:
        """Return a run as it is now."""
        return self._triggered.runs[run] if run.origin is Origin.TRIGGER else super().run_of(run)

    def keep(self, attempt: Attempt) -> None:
        """Keep a run as it is now; one of a trigger is no instant of the schedule."""
        if attempt.id.run.origin is Origin.TRIGGER:
            self._triggered.runs[attempt.id.run] = attempt
            self.listener.kept(attempt, self._calls.now)
        else:
            super().keep(attempt)

    def ledger(self) -> JobLedger:
        """Return the job's ledger, with the runs of its triggers."""
        ledger = super().ledger()
        rows = sorted([*ledger.rows, *self._triggered.rows(*self._range)], key=instant_of)
        return replace(ledger, rows=tuple(rows), refused=(*ledger.refused, *self._rejected))

    def trigger_with(
        self,
        payload: Any,  # noqa: ANN401 - any JSON
        now: datetime,
        *,
        key: str | None = None,
        concurrency_key: str | None = None,
    ) -> RunId:
        """Trigger the job with a payload; raises ``JobIsCancelled`` and ``PayloadMismatch``.

        Its keys are those that are given, or what the job's policies find in the payload.
        """
        if self.timing.status is JobStatus.CANCELLED:
            raise JobIsCancelled(self.job.job_id)
        check_value(self.job.payload_schema, payload)
        rule = self.job.collapse
        if key is None and rule is not None and rule.key_from is not None:
            key = None if payload is None else key_in(payload, rule.key_from)
        terms = terms_of(self.job, payload, concurrency_key)
        return self._triggered.trigger(self.timing, key, terms, now)

    def _trigger(self, field: str, trigger: SimulatedTrigger, now: datetime) -> None:
        payload = self.job.payload if trigger.payload is UNSET else trigger.payload
        try:
            self.trigger_with(
                payload, now, key=trigger.key, concurrency_key=trigger.concurrency_key
            )
        except (JobIsCancelled, PayloadMismatch) as error:
            self._rejected.append(RejectedChange(at=now, field=field, code=error.code))
