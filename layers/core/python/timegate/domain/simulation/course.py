"""The course of a scenario: planner, executor and callers by turns, on a clock that jumps.

Nothing is decided here. Every decision is the domain function that the use cases call, in the
order in which they call it; a property test holds the ledger of both against each other.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from itertools import count

from timegate.domain.admission import Admit, Drop, Refuse, admit
from timegate.domain.catch_up import settle
from timegate.domain.conclusion import end, succeed
from timegate.domain.errors import Conflict, InvalidInput
from timegate.domain.gate import NEXT_TICK_WITHIN, claim_at, queue_delay_seconds
from timegate.domain.job import JobStatus, Timing
from timegate.domain.ledger import Gap
from timegate.domain.plan import MAX_RUNS_PER_STEP, MAX_STEPS, plan_runs
from timegate.domain.run import Attempt, RunState
from timegate.domain.simulation.ledger_rows import (
    LeftOut,
    Refused,
    Simulated,
    gaps_within,
    instant_of,
    runs_within,
    undecided_within,
)
from timegate.domain.simulation.scenario import (
    MAX_INSTANTS,
    Edit,
    Scenario,
    after_outages,
    check_scenario,
    created,
    seconds,
)
from timegate.domain.transitions import Transition, cancelled, paused, rescheduled, resumed

_MINUTE = timedelta(minutes=1)

_Act = Callable[[datetime], None]
_Decide = Callable[[Timing, datetime], Transition | None]


class _Turn(IntEnum):
    """Who comes first when several things happen in the same millisecond."""

    RESUME = 0
    EDIT = 1
    PAUSE = 2
    CANCEL = 3
    TICK = 4
    CLAIM = 5
    END = 6


def simulate(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> Simulated:
    """The ledger of the scenario's range; raises ``InvalidInput`` naming the field.

    Ticks and changes end with the range. What was planned by then is carried to its end, however
    long an executor's outage delays it.
    """
    check_scenario(scenario, most_instants=most_instants)
    course = _Course(scenario)
    course.run()
    return course.outcome()


class _Course:
    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._timing = created(scenario)
        self._now = scenario.created_at
        self._ticked_at: datetime | None = None
        self._agenda: list[tuple[datetime, _Turn, int, _Act]] = []
        self._numbers = count()
        self._started = 0
        self._runs: dict[datetime, Attempt] = {}
        self._left_out: list[LeftOut] = []
        self._refused: list[Refused] = []

    def run(self) -> None:
        """Let everything happen, in order."""
        pauses = self._scenario.pauses
        if pauses and pauses[0].start == self._scenario.created_at:
            self._change("pauses.0.from", _pause, self._now)
        self._enter_changes()
        self._materialise_if_soon(self._now)
        while self._step():
            pass

    def outcome(self) -> Simulated:
        """What it came to."""
        rows: list[Attempt | Gap] = [
            *runs_within(list(self._runs.values()), self._scenario),
            *gaps_within(self._left_out, self._scenario),
        ]
        return Simulated(
            rows=tuple(sorted(rows, key=instant_of)),
            undecided=undecided_within(self._timing, self._scenario),
            refused=tuple(self._refused),
            timing=self._timing,
        )

    def _step(self) -> bool:
        """The next thing that happens; ``False`` when nothing does any more."""
        tick_at = self._next_tick()
        if tick_at is not None and (
            not self._agenda or (tick_at, _Turn.TICK) < self._agenda[0][:2]
        ):
            self._now = self._ticked_at = tick_at
            self._materialise(tick_at)
            return True
        if not self._agenda:
            return False
        self._now, _, _, act = heappop(self._agenda)
        act(self._now)
        return True

    def _at(self, instant: datetime, turn: _Turn, act: _Act) -> None:
        heappush(self._agenda, (instant, turn, next(self._numbers), act))

    # --- callers

    def _enter_changes(self) -> None:
        scenario = self._scenario
        for number, pause in enumerate(scenario.pauses):
            if pause.start > scenario.created_at:
                self._enter(pause.start, _Turn.PAUSE, f"pauses.{number}.from", _pause)
            if pause.end is not None and pause.end < scenario.end:
                resume = partial(_resume, catch_up=pause.catch_up)
                self._enter(pause.end, _Turn.RESUME, f"pauses.{number}.to", resume)
        for number, edit in enumerate(scenario.edits):
            field = f"edits.{number}"
            self._enter(edit.at, _Turn.EDIT, field, partial(_edit, edit=edit, field=field))
        if scenario.cancelled_at is not None:
            self._enter(scenario.cancelled_at, _Turn.CANCEL, "cancelled_at", _cancel)

    def _enter(self, at: datetime, turn: _Turn, field: str, decide: _Decide) -> None:
        self._at(at, turn, lambda now: self._change(field, decide, now))

    def _change(self, field: str, decide: _Decide, now: datetime) -> None:
        before = self._timing
        try:
            transition = decide(before, now)
        except Conflict as error:
            self._refused.append(Refused(at=now, field=field, code=error.code))
            return
        if transition is not None:
            self._timing = replace(transition.timing, version=before.version + 1)
            self._leave_out(transition.gap, before)
        if self._timing.status is JobStatus.ACTIVE:
            self._materialise_if_soon(now)

    # --- the planner

    def _next_tick(self) -> datetime | None:
        """The first tick at which there is something to plan."""
        first = self._timing.next_run_at
        if self._timing.status is not JobStatus.ACTIVE or first is None:
            return None
        earliest = max(first - self._look_ahead, self._now)
        if self._ticked_at is not None:
            earliest = max(earliest, self._ticked_at + _MINUTE)
        at = self._tick_from(earliest)
        while (later := after_outages(at, self._scenario.planner_outages)) != at:
            at = self._tick_from(later)
        return at if at < self._scenario.end else None

    def _tick_from(self, earliest: datetime) -> datetime:
        tick = earliest.replace(second=0, microsecond=0) + seconds(
            self._scenario.tick_offset_seconds
        )
        return tick if tick >= earliest else tick + _MINUTE

    def _is_due(self, until: datetime) -> bool:
        first = self._timing.next_run_at
        return self._timing.status is JobStatus.ACTIVE and first is not None and first <= until

    def _materialise_if_soon(self, now: datetime) -> None:
        if self._is_due(now + NEXT_TICK_WITHIN):
            self._materialise(now)

    def _materialise(self, now: datetime) -> None:
        settlement = settle(self._timing, now=now)
        if settlement is not None:
            self._leave_out(settlement.gap, self._timing)
            self._timing = settlement.timing
        for _ in range(MAX_STEPS):
            plan = plan_runs(self._timing, now=now, until=now + self._look_ahead)
            for attempt in plan.attempts:
                self._insert(attempt, now)
            self._timing = replace(
                self._timing, next_run_at=plan.next_run_at, runs_planned=plan.runs_planned
            )
            if len(plan.attempts) < MAX_RUNS_PER_STEP:
                break
        if plan.exhausts_job and not plan.attempts:
            self._complete()

    def _insert(self, attempt: Attempt, now: datetime) -> None:
        """A run is stored unless there is one of its instant, and published."""
        instant = attempt.id.run.scheduled_at
        if instant in self._runs:
            return
        self._runs[instant] = attempt
        published_at = now
        if attempt.state is RunState.WAITING and attempt.watch_at is not None:
            # Too far away for a queue: the sweeper publishes it when it is near.
            published_at = max(now, attempt.watch_at)
        delay = queue_delay_seconds(
            attempt.due_at, published_at, attempt.precision, self._scenario.lead_seconds
        )
        received_at = max(published_at + seconds(delay), claim_at(attempt.due_at))
        claimed_at = after_outages(received_at, self._scenario.executor_outages)
        self._at(claimed_at, _Turn.CLAIM, lambda now: self._claim(instant, now))

    # --- the executor

    def _claim(self, instant: datetime, now: datetime) -> None:
        attempt = replace(self._runs[instant], state=RunState.QUEUED)
        admission = admit(self._timing, attempt, now=now)
        match admission:
            case Admit(job_version=version):
                self._start(attempt, version, now)
            case Refuse(state=state, reason=reason):
                self._end(end(attempt, state, now=now, reason=reason))
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
        self._runs[attempt.id.run.scheduled_at] = running

        def ends(now: datetime) -> None:
            self._end(succeed(running, started_at=started_at, now=now, result=""))

        self._at(started_at + seconds(takes), _Turn.END, ends)

    def _end(self, ended: Attempt) -> None:
        self._runs[ended.id.run.scheduled_at] = ended
        if ended.completes_job:
            self._complete()

    # --- the job

    @property
    def _look_ahead(self) -> timedelta:
        return timedelta(seconds=self._scenario.look_ahead_seconds)

    def _leave_out(self, gap: Gap | None, timing: Timing) -> None:
        if gap is not None:
            self._left_out.append(LeftOut(gap=gap, timing=timing))

    def _complete(self) -> None:
        timing = self._timing
        if timing.status is JobStatus.ACTIVE and timing.next_run_at is None:
            self._timing = replace(timing, status=JobStatus.COMPLETED, version=timing.version + 1)


def _pause(timing: Timing, _: datetime) -> Transition | None:
    return paused(timing)


def _resume(timing: Timing, now: datetime, *, catch_up: bool) -> Transition | None:
    return resumed(timing, now=now, catch_up=catch_up)


def _cancel(timing: Timing, now: datetime) -> Transition | None:
    return cancelled(timing, now=now)


def _edit(timing: Timing, now: datetime, *, edit: Edit, field: str) -> Transition | None:
    if edit.schedule == timing.schedule and timing.status is not JobStatus.CANCELLED:
        return None
    try:
        return rescheduled(timing, edit.schedule, now=now)
    except InvalidInput as error:
        raise InvalidInput(f"{field}.{error.field}", error.code, error.detail) from error
