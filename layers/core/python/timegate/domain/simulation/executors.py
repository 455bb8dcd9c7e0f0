"""The executors of a scenario, and the sweeper: from the queue to the end of a run."""

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from timegate.domain.execution.admission import Admit, Drop, Refuse, admit
from timegate.domain.execution.contention import (
    Contender,
    Duplicate,
    SlotWait,
    contend,
    in_line,
    without_slot,
)
from timegate.domain.execution.restriction_check import PutOff, put_off, still_frozen
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import (
    Bid,
    SlotHold,
    SlotRefused,
    Slots,
    Taken,
    free_places,
    release,
    withdraw,
)
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.gate import claim_at, queue_delay_seconds
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import (
    PATIENCE,
    Publish,
    QueueDepth,
    judge,
    looked_at_for_finish,
)
from timegate.domain.simulation.agenda import Act, Agenda, EventOrder
from timegate.domain.simulation.events.slots_of_runs import slots_of
from timegate.domain.simulation.foresight import RunCourse, ended_as
from timegate.domain.simulation.job_course import JobCourse
from timegate.domain.simulation.knowledge import Knowledge
from timegate.domain.simulation.scenario import RunOutcome, Scenario, after_outages, seconds
from timegate.domain.values.identity import AttemptId, RunId

#: No worker of a simulation dies, so every slot is held until it is given back.
_NEVER = datetime(9999, 12, 31, tzinfo=UTC)
_WORKER = "simulation"
_WAITS = frozenset({RunState.WAITING, RunState.QUEUED})
_SUPERSEDED = Refuse(state=RunState.SKIPPED, reason=Reason.SUPERSEDED)


class Executors:
    """Simulated executors, as many as needed; they share the slots of every key."""

    def __init__(self, scenario: Scenario, agenda: Agenda, knowledge: Knowledge) -> None:
        self._scenario = scenario
        self._agenda = agenda
        self._knowledge = knowledge
        self._slots: dict[str, Slots] = defaultdict(Slots)
        self._courses: dict[str, JobCourse] = {}
        #: Only where a run may be asked to stop, heartbeats make a difference.
        self._heeded = {
            job.slot_key for job in scenario.jobs if job.overlap.policy is OverlapPolicy.REPLACE
        }

    def publish(self, course: JobCourse, attempt: Attempt, now: datetime) -> None:
        """Carry a run that was stored to its end."""
        self._courses[course.job.job_id] = course
        self._place(course, attempt, now)

    def supersede(self, course: JobCourse, attempt: Attempt, now: datetime) -> None:
        """End a run that an edit leaves behind."""
        self._refuse(course, attempt, _SUPERSEDED, now)

    def withdraw(self, course: JobCourse, ended: Attempt, now: datetime) -> None:
        """Take a run that has ended before it began out of the line."""
        course.keep(ended)
        self._leave_line(course, ended.id, now)

    def _refuse(self, course: JobCourse, attempt: Attempt, refusal: Refuse, now: datetime) -> None:
        ended = end(attempt, refusal.state, now=now, reason=refusal.reason)
        self.withdraw(course, ended, now)

    def _place(self, course: JobCourse, attempt: Attempt, now: datetime) -> None:
        """In its queue, or before the sweeper when its watch instant has come."""
        course.keep(attempt)
        self._watch_start(course, attempt)
        if attempt.state is RunState.WAITING and attempt.watch_at is not None:
            at, look = self._scenario.tick_from(attempt.watch_at), partial(self._look, attempt.id)
            self._agenda.at(at, EventOrder.SWEEP, look, order=(attempt.watch_at, attempt.id))
            return
        delay = queue_delay_seconds(
            attempt.due_at, now, attempt.precision, self._scenario.lead_seconds
        )
        received_at = after_outages(
            max(now + seconds(delay), claim_at(attempt.due_at)), self._scenario.executor_outages
        )
        self._enter(received_at, EventOrder.CLAIM, attempt.id, partial(self._claim, attempt.id))

    def _watch_start(self, course: JobCourse, attempt: Attempt) -> None:
        """Let the sweeper look at a run once it is late."""
        at = course.listener.look_at(attempt)
        if at is not None:
            self._agenda.at(at, EventOrder.SWEEP, partial(self._look_at_start, attempt.id))

    def _look_at_start(self, attempt_id: AttemptId, now: datetime) -> None:
        course, attempt = self._course(attempt_id), self._run(attempt_id)
        if attempt.id != attempt_id or attempt.state not in _WAITS:
            return
        looked = course.listener.looked(attempt, now)
        if looked != attempt:
            course.keep(looked)
            self._watch_start(course, looked)

    def _enter(self, at: datetime, turn: EventOrder, attempt: AttemptId, act: Act) -> None:
        self._agenda.at(at, turn, act, order=(self._run(attempt).due_at, attempt))

    # --- claims

    def _claim(self, attempt_id: AttemptId, now: datetime) -> None:
        course, attempt = self._course(attempt_id), self._run(attempt_id)
        if attempt.id != attempt_id:
            return
        attempt = course.listener.marked(attempt, now)
        restrictions = self._knowledge.at(now)
        admission = admit(course.timing, attempt, now=now, restrictions=restrictions)
        match admission:
            case Admit(job_version=version):
                self._contend(course, attempt, version, now)
            case Refuse():
                self._refuse(course, attempt, admission, now)
            case PutOff():
                self._place(course, put_off(attempt, admission, now=now), now)
                self._leave_line(course, attempt_id, now)
            case Drop():
                # It was called twice, and has begun, waits again, or has ended.
                pass

    def _contend(self, course: JobCourse, attempt: Attempt, version: int, now: datetime) -> None:
        key, overlap = slots_of(course.job, attempt), course.job.overlap
        if key is None:
            self._begin(course, attempt, version, now)
            return
        bid = Bid(
            hold=_hold(attempt.id, attempt.fence + 1),
            due_at=attempt.due_at,
            expires_at=_NEVER,
            limit=overlap.max_concurrent,
            was_queued=True,
        )
        contender = Contender(bid=bid, policy=overlap.policy)
        self._slots[key], (outcome,) = contend(self._slots[key], [contender], now=now)
        match outcome:
            case Taken():
                self._begin(course, attempt, version, now)
            case SlotRefused():
                decision = without_slot(contender, outcome, self._slots[key], now=now)
                self._go_without(course, attempt, decision, now)

    def _go_without(
        self,
        course: JobCourse,
        attempt: Attempt,
        decision: Duplicate | Refuse | SlotWait,
        now: datetime,
    ) -> None:
        match decision:
            case Refuse(state=state, reason=reason):
                course.keep(end(attempt, state, now=now, reason=reason))
            case SlotWait(watch_at=watch_at, stops=stops):
                waiting = in_line(attempt, watch_at=watch_at)
                self._place(course, looked_at_for_finish(waiting, now=now), now)
                for hold in stops:
                    self._ask_to_stop(hold, attempt.id.run)
            case Duplicate():
                pass

    def _ask_to_stop(self, hold: SlotHold, by: RunId) -> None:
        holder = self._run(hold.attempt)
        running = holder.state is RunState.RUNNING and holder.fence == hold.fence
        if running and not holder.cancel_requested:
            told = replace(holder, cancel_requested=True, replaced_by=by)
            self._course(hold.attempt).keep(told)

    # --- work

    def _begin(self, course: JobCourse, attempt: Attempt, version: int, now: datetime) -> None:
        attempt = course.listener.beginning(attempt, now)
        running = replace(
            course.foresight.foreseen(attempt, course.timing, now),
            state=RunState.RUNNING,
            job_version=version,
            fence=attempt.fence + 1,
            watch_at=None,
        )
        course.keep(running)
        self._then(attempt.due_at, attempt.id, partial(self._start, attempt.id), now)

    def _start(self, attempt_id: AttemptId, now: datetime) -> None:
        course = self._course(attempt_id)
        course.keep(replace(self._run(attempt_id), started_at=now))
        self._work(attempt_id, course.foresight.next_course(now), now)

    def _work(self, attempt_id: AttemptId, course: RunCourse, now: datetime) -> None:
        """Until it ends or, where that can make a difference, to the next heartbeat."""
        beat_at = now + seconds(self._scenario.heartbeat_seconds)
        is_heeded = self._course(attempt_id).job.slot_key in self._heeded
        if not is_heeded or course.ends_at <= beat_at:
            finish = partial(self._finish, attempt_id, course.outcome)
            self._then(course.ends_at, attempt_id, finish, now)
        else:
            self._then(beat_at, attempt_id, partial(self._beat, attempt_id, course), now)

    def _beat(self, attempt_id: AttemptId, course: RunCourse, now: datetime) -> None:
        attempt = self._run(attempt_id)
        if attempt.cancel_requested:
            stopped = end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)
            self._end(stopped, now)
        else:
            self._work(attempt_id, course, now)

    def _finish(self, attempt_id: AttemptId, outcome: RunOutcome, now: datetime) -> None:
        running = self._run(attempt_id)
        self._end(ended_as(outcome, running, started_at=running.started_at or now, now=now), now)

    def _end(self, ended: Attempt, now: datetime) -> None:
        course = self._course(ended.id)
        course.keep(ended)
        key = slots_of(course.job, ended)
        if key is not None:
            self._slots[key] = release(self._slots[key], _hold(ended.id, ended.fence))
            self._call_first(key, course.job.overlap.max_concurrent, now)

    def _then(self, at: datetime, attempt_id: AttemptId, act: Act, now: datetime) -> None:
        """Act at an instant; at once if it is due already."""
        if at <= now:
            act(now)
        else:
            self._enter(at, EventOrder.WORK, attempt_id, act)

    # --- the line

    def _leave_line(self, course: JobCourse, attempt_id: AttemptId, now: datetime) -> None:
        key = slots_of(course.job, self._run(attempt_id))
        if key is not None:
            self._slots[key] = withdraw(self._slots[key], {attempt_id})
            self._call_first(key, course.job.overlap.max_concurrent, now)

    def _call_first(self, key: str, limit: int, now: datetime) -> None:
        """Call as many waiters as there are places, by the count of the job that gave one back."""
        slots = self._slots[key]
        places = free_places(slots, limit=limit, now=now)
        for waiter in slots.waiters[:places]:
            self._queue_again(waiter.attempt, now + PATIENCE, now)

    def _look(self, attempt_id: AttemptId, now: datetime) -> None:
        """The sweeper comes by one that waits, or waited."""
        course, attempt = self._course(attempt_id), self._run(attempt_id)
        is_old = attempt.id != attempt_id or attempt.state is not RunState.WAITING
        if is_old or not attempt.watch_at or attempt.watch_at > now:
            return
        foreseen = course.foresight.foreseen(
            course.listener.looked(attempt, now), course.timing, now
        )
        if foreseen != attempt:
            course.keep(foreseen)
            attempt = foreseen
        frozen = still_frozen(course.timing, attempt, self._knowledge.at(now), now=now)
        if frozen is not None:
            self._place(course, put_off(attempt, frozen, now=now), now)
            return
        verdict = judge(attempt, now=now, load=QueueDepth.READY)
        if isinstance(verdict, Publish):
            self._queue_again(attempt_id, verdict.watch_at, now)

    def _queue_again(self, attempt_id: AttemptId, watch_at: datetime, now: datetime) -> None:
        queued = replace(self._run(attempt_id), state=RunState.QUEUED, watch_at=watch_at)
        self._place(self._course(attempt_id), looked_at_for_finish(queued, now=now), now)

    def _course(self, attempt_id: AttemptId) -> JobCourse:
        return self._courses[attempt_id.run.job_id]

    def _run(self, attempt_id: AttemptId) -> Attempt:
        return self._course(attempt_id).run_of(attempt_id.run)


def _hold(attempt: AttemptId, fence: int) -> SlotHold:
    return SlotHold(attempt=attempt, owner=_WORKER, fence=fence)
