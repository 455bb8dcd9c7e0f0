"""The course of a scenario: planner, executor and callers by turns, on a clock that jumps.

Nothing is decided here. Every decision is the domain function that the use cases call, in the
order in which they call it; a property test holds the ledger of both against each other.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import heappop, heappush
from itertools import count

from timegate.domain.admission import Admit, Drop, Refuse, admit
from timegate.domain.catch_up import is_parked, settle
from timegate.domain.conclusion import end, succeed
from timegate.domain.errors import Conflict
from timegate.domain.frozen_spans import frozen_until
from timegate.domain.gate import NEXT_TICK_WITHIN, claim_at, queue_delay_seconds
from timegate.domain.job import JobStatus, Timing
from timegate.domain.ledger import Gap
from timegate.domain.plan import MAX_STEPS, plan_runs
from timegate.domain.restraint import PutOff, put_off, still_frozen
from timegate.domain.restrictions import Restrictions
from timegate.domain.run import Attempt, RunState
from timegate.domain.simulation.changes import Decide, cancel_now, edit_of, pause_now, resume_of
from timegate.domain.simulation.ledger_rows import (
    LeftOut,
    Refused,
    Simulated,
    rows_within,
    undecided_within,
)
from timegate.domain.simulation.scenario import (
    MAX_INSTANTS,
    Scenario,
    after_outages,
    check_scenario,
    created,
    restrictions_at,
    seconds,
)
from timegate.domain.simulation.ticks import MINUTE, Turn, planned_from, tick_from

_Act = Callable[[datetime], None]


def simulate(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> Simulated:
    """The ledger of the scenario's range; raises ``InvalidInput`` naming the field.

    Ticks and changes end with the range. What was planned by then is carried to its end, however
    long an executor's outage delays it.
    """
    check_scenario(scenario, most_instants=most_instants)
    course = _Course(scenario)
    course.run()
    return Simulated(
        rows=rows_within(course.runs.values(), course.left_out, scenario),
        undecided=undecided_within(course.timing, scenario),
        refused=tuple(course.refused),
        timing=course.timing,
    )


class _Course:
    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self.timing = created(scenario)
        self._now = scenario.created_at
        self._ticked_at: datetime | None = None
        self._agenda: list[tuple[datetime, Turn, int, _Act]] = []
        self._numbers = count()
        self._started = 0
        self.runs: dict[datetime, Attempt] = {}
        self.left_out: list[LeftOut] = []
        self.refused: list[Refused] = []

    def run(self) -> None:
        """Let everything happen, in order."""
        pauses = self._scenario.pauses
        if pauses and pauses[0].start == self._scenario.created_at:
            self._change("pauses.0.from", pause_now, self._now)
        self._enter_changes()
        self._enter_freezes()
        self._materialise_if_soon(self._now)
        while self._step():
            pass

    def _step(self) -> bool:
        """The next thing that happens; ``False`` when nothing does any more."""
        tick_at = self._next_tick()
        if tick_at is not None and (not self._agenda or (tick_at, Turn.TICK) < self._agenda[0][:2]):
            self._now = self._ticked_at = tick_at
            self._materialise(tick_at)
            return True
        if not self._agenda:
            return False
        self._now, _, _, act = heappop(self._agenda)
        act(self._now)
        return True

    def _at(self, instant: datetime, turn: Turn, act: _Act) -> None:
        heappush(self._agenda, (instant, turn, next(self._numbers), act))

    # --- callers

    def _enter_changes(self) -> None:
        scenario = self._scenario
        for number, pause in enumerate(scenario.pauses):
            if pause.start > scenario.created_at:
                self._enter(pause.start, Turn.PAUSE, f"pauses.{number}.from", pause_now)
            if pause.end is not None and pause.end < scenario.end:
                resume = resume_of(pause)
                self._enter(pause.end, Turn.RESUME, f"pauses.{number}.to", resume)
        for number, edit in enumerate(scenario.edits):
            field = f"edits.{number}"
            self._enter(edit.at, Turn.EDIT, field, edit_of(edit, field))
        if scenario.cancelled_at is not None:
            self._enter(scenario.cancelled_at, Turn.CANCEL, "cancelled_at", cancel_now)

    def _enter_freezes(self) -> None:
        scenario = self._scenario
        for freeze in scenario.freezes:
            # Nothing happens then but that what is known changes.
            for at in {freeze.created_at, freeze.thaws_at} - {scenario.created_at}:
                if scenario.created_at < at < scenario.end:
                    self._at(at, Turn.RESUME, lambda _: None)

    def _enter(self, at: datetime, turn: Turn, field: str, decide: Decide) -> None:
        self._at(at, turn, lambda now: self._change(field, decide, now))

    def _change(self, field: str, decide: Decide, now: datetime) -> None:
        before = self.timing
        try:
            transition = decide(before, now)
        except Conflict as error:
            self.refused.append(Refused(at=now, field=field, code=error.code))
            return
        if transition is not None:
            self.timing = replace(transition.timing, version=before.version + 1)
            self._leave_out((transition.gap,) if transition.gap is not None else (), before)
        if self.timing.status is JobStatus.ACTIVE:
            self._materialise_if_soon(now)

    # --- the planner

    def _next_tick(self) -> datetime | None:
        """The first tick at which there is something to plan."""
        first = self.timing.next_run_at
        if self.timing.status is not JobStatus.ACTIVE or first is None:
            return None
        earliest = max(first - self._look_ahead, self._now)
        if self._is_parked(self._now):
            thaws_at = frozen_until(self.timing, first, self._restrictions(self._now))
            earliest = max(earliest, thaws_at - self._look_ahead)
        if self._ticked_at is not None:
            earliest = max(earliest, self._ticked_at + MINUTE)
        at = planned_from(self._scenario, earliest)
        return at if at < self._scenario.end else None

    def _is_due(self, until: datetime) -> bool:
        first = self.timing.next_run_at
        return self.timing.status is JobStatus.ACTIVE and first is not None and first <= until

    def _materialise_if_soon(self, now: datetime) -> None:
        if self._is_due(now + NEXT_TICK_WITHIN):
            self._materialise(now)

    def _materialise(self, now: datetime) -> None:
        restrictions, until = self._restrictions(now), now + self._look_ahead
        for _ in range(MAX_STEPS):
            if self._settle(now, restrictions):
                self._plan(now, until, restrictions)
            if not self._is_due(until) or self._is_parked(now):
                break

    def _settle(self, now: datetime, restrictions: Restrictions) -> bool:
        """Decide about what passed; whether there is nothing more to decide."""
        for _ in range(MAX_STEPS):
            settlement = settle(
                self.timing, now=now, restrictions=restrictions, look_ahead=self._look_ahead
            )
            if settlement is None:
                return True
            self._leave_out(settlement.gaps, self.timing)
            self.timing = settlement.timing
        return False

    def _plan(self, now: datetime, until: datetime, restrictions: Restrictions) -> None:
        plan = plan_runs(self.timing, now=now, until=until, restrictions=restrictions)
        self._leave_out(plan.gaps, self.timing)
        for attempt in plan.attempts:
            self._insert(attempt, now)
        self.timing = replace(
            self.timing, next_run_at=plan.next_run_at, runs_planned=plan.runs_planned
        )
        if plan.exhausts_job and not plan.attempts:
            self._complete()

    def _is_parked(self, now: datetime) -> bool:
        """A freeze holds it back for longer than the look-ahead."""
        restrictions, look_ahead = self._restrictions(now), self._look_ahead
        return is_parked(self.timing, now=now, restrictions=restrictions, look_ahead=look_ahead)

    def _restrictions(self, now: datetime) -> Restrictions:
        """What is known by then."""
        return restrictions_at(self._scenario, now)

    def _insert(self, attempt: Attempt, now: datetime) -> None:
        """A run is stored unless there is one of its instant, and published."""
        instant = attempt.id.run.scheduled_at
        if instant in self.runs:
            return
        self._keep(attempt, now)

    def _keep(self, attempt: Attempt, now: datetime) -> None:
        """In its queue, or until the sweeper looks at it: it is too far away, or frozen."""
        instant = attempt.id.run.scheduled_at
        self.runs[instant] = attempt
        if attempt.state is RunState.WAITING and attempt.watch_at is not None:
            looked_at = tick_from(self._scenario, max(now, attempt.watch_at))
            self._at(looked_at, Turn.SWEEP, lambda now: self._sweep(instant, now))
            return
        delay = queue_delay_seconds(
            attempt.due_at, now, attempt.precision, self._scenario.lead_seconds
        )
        received_at = max(now + seconds(delay), claim_at(attempt.due_at))
        claimed_at = after_outages(received_at, self._scenario.executor_outages)
        self._at(claimed_at, Turn.CLAIM, lambda now: self._claim(instant, now))

    def _sweep(self, instant: datetime, now: datetime) -> None:
        attempt = self.runs[instant]
        held = still_frozen(self.timing, attempt, self._restrictions(now), now=now)
        if held is not None:
            self._keep(put_off(attempt, held, now=now), now)
        else:
            self._keep(replace(attempt, state=RunState.QUEUED), now)

    # --- the executor

    def _claim(self, instant: datetime, now: datetime) -> None:
        attempt, restrictions = self.runs[instant], self._restrictions(now)
        admission = admit(self.timing, attempt, now=now, restrictions=restrictions)
        match admission:
            case Admit(job_version=version):
                self._start(attempt, version, now)
            case Refuse(state=state, reason=reason):
                self._end(end(attempt, state, now=now, reason=reason))
            case PutOff():
                self._keep(put_off(attempt, admission, now=now), now)
            case Drop():
                raise AssertionError("a run was claimed twice")

    def _start(self, attempt: Attempt, version: int, now: datetime) -> None:
        started_at = max(attempt.due_at, now)
        durations = self._scenario.run_seconds
        takes = durations[min(self._started, len(durations) - 1)]
        self._started += 1
        running = replace(
            attempt,
            state=RunState.RUNNING,
            job_version=version,
            fence=attempt.fence + 1,
            started_at=started_at,
        )
        self.runs[attempt.id.run.scheduled_at] = running

        def ends(now: datetime) -> None:
            self._end(succeed(running, started_at=started_at, now=now, result=""))

        self._at(started_at + seconds(takes), Turn.END, ends)

    def _end(self, ended: Attempt) -> None:
        self.runs[ended.id.run.scheduled_at] = ended
        if ended.completes_job:
            self._complete()

    # --- the job

    @property
    def _look_ahead(self) -> timedelta:
        return timedelta(seconds=self._scenario.look_ahead_seconds)

    def _leave_out(self, gaps: Iterable[Gap], timing: Timing) -> None:
        self.left_out += [LeftOut(gap=gap, timing=timing) for gap in gaps]

    def _complete(self) -> None:
        timing = self.timing
        if timing.status is JobStatus.ACTIVE and timing.next_run_at is None:
            self.timing = replace(timing, status=JobStatus.COMPLETED, version=timing.version + 1)
