"""The course of one job: what its callers and the planner do to it, by the functions they call."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import is_parked, settle
from timegate.domain.planning.last_run import awaits_last_run
from timegate.domain.planning.left_behind import is_left_behind
from timegate.domain.planning.places import Places
from timegate.domain.planning.plan import MAX_STEPS, plan_runs
from timegate.domain.planning.roll_ahead import first_ahead, is_due, is_needed_by, ripens_at
from timegate.domain.planning.skipped_by_pause import plan_reopening
from timegate.domain.planning.transitions import Transition, completed, may_complete
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.restrictions.frozen_spans import frozen_until
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.gate import NEXT_TICK_WITHIN
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.agenda import EventOrder
from timegate.domain.simulation.changes import Decide, changes_of, edit_of, pause_now
from timegate.domain.simulation.foresight import Foresight
from timegate.domain.simulation.knowledge import Knowledge
from timegate.domain.simulation.ledger_rows import (
    GapRow,
    JobLedger,
    RejectedChange,
    as_it_waited,
    places_of,
    rows_within,
    undecided_within,
    until_replaced,
)
from timegate.domain.simulation.notices.listener import JobListener
from timegate.domain.simulation.notices.rule_looks import SimulatedRuleLooks
from timegate.domain.simulation.scenario import Scenario, SimulatedJob, after_outages, created
from timegate.domain.values.errors import Conflict
from timegate.domain.values.identity import RunId
from timegate.domain.values.instants import MILLISECOND

_MINUTE = timedelta(minutes=1)
#: Carries a stored run to its end, or ends one before it begins.
Carry = Callable[["JobCourse", Attempt, datetime], None]


class JobCourse:
    """A job as it stands, and the records of its instants."""

    def __init__(
        self,
        job: SimulatedJob,
        scenario: Scenario,
        *,
        knowledge: Knowledge,
        publish: Carry,
        supersede: Carry,
        looks: SimulatedRuleLooks,
    ) -> None:
        self.job = job
        self.timing = created(job)
        self.listener = JobListener(job, self, looks)
        self.runs: dict[datetime, Attempt] = {}
        self.foresight = Foresight(job, self.runs)
        self._scenario = scenario
        self._agenda = looks.hearing.agenda
        self._knowledge = knowledge
        self._publish, self._supersede = publish, supersede
        self._ticked_at: datetime | None = None
        #: A run has changed since the planner last came.
        self._has_news = False
        self._left_out: list[GapRow] = []
        self._refused: list[RejectedChange] = []

    def begin(self) -> None:
        """The job is created, and what is to be done to it entered."""
        if self.job.begins_paused:
            self._change("pauses.0.from", pause_now, self.job.created_at)
        self._enter_changes()
        self.listener.begin()
        self._agenda.at(self.job.created_at, EventOrder.TICK, self._materialise_if_soon)

    def ledger(self) -> JobLedger:
        """Return the job's ledger."""
        return JobLedger(
            name=self.job.name,
            rows=rows_within(self.runs.values(), self._left_out, self._scenario),
            undecided=undecided_within(self.timing, self._scenario, self._places(), self.runs),
            refused=tuple(self._refused),
            timing=self.timing,
        )

    def run_of(self, run: RunId) -> Attempt:
        """Return a run as it is now."""
        return self.runs[run.scheduled_at]

    def keep(self, attempt: Attempt) -> None:
        """The run as it is now; its end may complete the job."""
        instant = attempt.id.run.scheduled_at
        if instant not in self.runs:
            self.foresight.note(instant)
        self.runs[instant] = attempt
        self._has_news = True
        if attempt.completes_job:
            self._complete(attempt)
        if attempt.frees_place and self.timing.full:
            self._agenda.at(self._agenda.now, EventOrder.TICK, self._fill_places)
        self.listener.kept(attempt, self._agenda.now)

    def change_by_itself(self, transition: Transition) -> None:
        """Carry out what Timegate decided about the job."""
        self._change_to(transition, self.timing)

    def _enter_changes(self) -> None:
        for change in changes_of(self.job, self._scenario.end):
            self._enter(*change)
        for number, edit in enumerate(self.job.edits):
            field = f"edits.{number}"
            decide = self._settled_first(edit_of(edit, f"{self.job.path}{field}"), edit.schedule)
            self._enter(edit.at, EventOrder.EDIT, field, decide)

    def _enter(self, at: datetime, turn: EventOrder, field: str, decide: Decide) -> None:
        self._agenda.at(at, turn, lambda now: self._change(field, decide, now))

    def _change(self, field: str, decide: Decide, now: datetime) -> None:
        try:
            transition = decide(self.timing, now)
        except Conflict as error:
            named = f"{self.job.path}{field}"
            self._refused.append(RejectedChange(at=now, field=named, code=error.code))
            return
        if transition is not None:
            self._change_to(transition, self.timing)
        is_bounded = self.timing.schedule.max_runs is not None
        if transition is not None and is_bounded and self._has_next:
            self._materialise(now)
        else:
            self._materialise_if_soon(now)

    def _settled_first(self, decide: Decide, schedule: Schedule) -> Decide:
        """The old schedule answers for the instants up to an edit that brings another one."""

        def settle_and_decide(timing: Timing, now: datetime) -> Transition | None:
            if schedule != timing.schedule and timing.status is JobStatus.ACTIVE:
                self._materialise_past(now)
            timing = as_it_waited(self.timing, self.runs.values(), self._left_out)
            transition = decide(timing, now)
            if transition is not None:
                self._end_left_behind(transition.timing, now)
            return transition

        return settle_and_decide

    def _end_left_behind(self, after: Timing, now: datetime) -> None:
        for _, run in sorted(self.runs.items()):
            if is_left_behind(run, self.timing, after):
                self._supersede(self, replace(run, final=False), now)

    @property
    def _has_next(self) -> bool:
        return self.timing.status is JobStatus.ACTIVE and self.timing.next_run_at is not None

    def _change_to(self, transition: Transition, before: Timing) -> None:
        self.timing = replace(transition.timing, version=before.version + 1)
        if transition.gap is not None:
            self._leave_out([transition.gap], before)
        if self.timing.anchored_at != before.anchored_at:
            self._left_out = until_replaced(self._left_out, self.timing)
        self.listener.changed(before, self._agenda.now)

    # --- the planner

    def next_tick(self) -> datetime | None:
        """The first tick at which there is something to plan."""
        first = self.timing.next_run_at
        if self.timing.status is not JobStatus.ACTIVE:
            return None
        now = max(self._agenda.now, self.job.created_at)
        if self.timing.full:
            # It is looked at by every tick, which finds something new only after a run changed.
            return self._tick_from(now) if self._has_news else None
        if self.timing.reopens or first is None:
            return self._tick_from(now) if self.timing.reopens else None
        restrictions = self._knowledge.at(now)
        ripe_at = ripens_at(self.timing, look_ahead=self._scenario.look_ahead)
        earliest = max(ripe_at or first - self._scenario.look_ahead, now)
        if self._is_parked(now):
            thaws_at = frozen_until(self.timing, first, restrictions)
            earliest = max(earliest, thaws_at - self._scenario.look_ahead)
        ahead = first_ahead(self.timing, restrictions)
        if ahead is not None:
            earliest = min(earliest, max(ahead - self._scenario.look_ahead, now))
        return self._tick_from(earliest)

    def _tick_from(self, earliest: datetime) -> datetime | None:
        if self._ticked_at is not None:
            earliest = max(earliest, self._ticked_at + _MINUTE)
        at = self._scenario.tick_from(earliest)
        while (later := after_outages(at, self._scenario.planner_outages)) != at:
            at = self._scenario.tick_from(later)
        return at if at < self._scenario.end else None

    def tick(self, now: datetime) -> None:
        """The planner comes by."""
        self._ticked_at = now
        self._materialise(now)

    def _fill_places(self, now: datetime) -> None:
        if self.timing.full and self.timing.status is JobStatus.ACTIVE:
            self._materialise(now)

    def _materialise_if_soon(self, now: datetime) -> None:
        if is_needed_by(self.timing, now + NEXT_TICK_WITHIN):
            self._materialise(now)

    def _materialise_past(self, now: datetime) -> None:
        while self._has_next and self._is_due(now - MILLISECOND):
            before = self.timing.next_run_at
            self._materialise(now, look_ahead=-MILLISECOND)
            if self.timing.next_run_at == before:
                return

    def _materialise(self, now: datetime, look_ahead: timedelta | None = None) -> None:
        ahead = self._scenario.look_ahead if look_ahead is None else look_ahead
        restrictions = self._knowledge.at(now)
        self._has_news = False
        for _ in range(MAX_STEPS):
            before = self.timing
            self._reopen(now, restrictions)
            if self._settle(now, restrictions, ahead):
                self._plan(now, restrictions, ahead)
            moved = self.timing is not before
            if not moved or not self._is_due(now + ahead) or self._is_parked(now, ahead):
                break

    def _reopen(self, now: datetime, restrictions: Restrictions) -> None:
        """Reopen what the last pause skipped, where the job was resumed to catch up."""
        if not self.timing.reopens:
            return
        records, places = [run for _, run in sorted(self.runs.items())], self._places()
        plan = plan_reopening(
            self.timing, records, now=now, restrictions=restrictions, places=places
        )
        if plan is None:
            return
        self.timing = plan.after(self.timing)
        for attempt in plan.attempts:
            self._publish(self, attempt, now)

    def _settle(self, now: datetime, restrictions: Restrictions, ahead: timedelta) -> bool:
        """Decide about what passed; whether there is nothing more to decide."""
        for _ in range(MAX_STEPS):
            timing = self.timing
            settlement = settle(
                timing, now=now, restrictions=restrictions, look_ahead=ahead, recorded=self.runs
            )
            places = self._places()
            if settlement is None or (places is not None and places.free == 0):
                return True
            self._leave_out(settlement.gaps, timing)
            self.timing = settlement.timing
        return False

    def _plan(self, now: datetime, restrictions: Restrictions, look_ahead: timedelta) -> None:
        until = now + look_ahead
        plan = plan_runs(
            self.timing, now=now, until=until, restrictions=restrictions, places=self._places()
        )
        if not plan.moves(self.timing):
            return
        self._leave_out(plan.gaps, self.timing)
        # There may be a run of an instant, planned before the schedule was changed.
        new = [each for each in plan.attempts if each.id.run.scheduled_at not in self.runs]
        self.timing = plan.as_stored(new).after(self.timing)
        for attempt in new:
            self._publish(self, attempt, now)

    def _is_due(self, until: datetime) -> bool:
        return is_due(self.timing, until, self._knowledge.at(self._agenda.now))

    def _is_parked(self, now: datetime, look_ahead: timedelta | None = None) -> bool:
        """It waits for a place, or a freeze holds it back longer than the look-ahead."""
        if self.timing.full or self.timing.reopens:
            return self.timing.full
        restrictions = self._knowledge.at(now)
        ahead = self._scenario.look_ahead if look_ahead is None else look_ahead
        return is_parked(self.timing, now=now, restrictions=restrictions, look_ahead=ahead)

    def _places(self) -> Places | None:
        return places_of(self.timing, self.runs)

    def _leave_out(self, gaps: Iterable[Gap], timing: Timing) -> None:
        self._left_out += [GapRow(gap=gap, timing=timing) for gap in gaps]

    def _complete(self, ended: Attempt) -> None:
        timing = self.timing
        if timing.status is JobStatus.ACTIVE and may_complete(timing, self._places()):
            awaits = awaits_last_run(timing, self.runs.values(), ended=ended.id.run)
            self.timing = timing if awaits else completed(timing)
