"""Overlap: any interleaving of claims, heartbeats, ends, crashes and sweeps keeps the limit.

Hypothesis plays the machines, and at any moment before or after a store call of one of them lets
another act, time pass, or the process die.
"""

from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.examples import some
from tests.support.execution.overlapping import (
    KEY,
    Crash,
    Interrupted,
    Script,
    alive,
    crash,
    finish,
    limited,
    throttle,
)
from tests.support.execution.slot_judge import JudgedEngine
from tests.support.factories import after, attempt_factory, attempt_id, job_id
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World, delivery
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.retry import Backoff, Failure, FailureKind, RetryPolicy
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import TERMINAL, RunState
from timegate.domain.runs.run_states import TRANSITIONS
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import CallFailed, Stopped, heartbeat
from timegate.usecases.services.execution_services import Claimed

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 2
RETRY = RetryPolicy(max_attempts=2, backoff=Backoff.FIXED, initial_delay_seconds=5, jitter=False)
BUSY = Failure(kind=FailureKind.RETRYABLE, code="busy", type="Busy", message="")
POLICIES = [OverlapPolicy.FORBID, OverlapPolicy.QUEUE, OverlapPolicy.REPLACE]

picks = st.integers(0, 50)
moments = st.integers(0, 60)
meanwhiles = st.sampled_from(["nothing", "crash", "throttle", "time", "claim", "sweep", "end"])


class Overlapping(RuleBasedStateMachine):
    """Three jobs that share two slots, one of each policy."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.sweep()
        for policy in POLICIES:
            overlap = limited(policy, LIMIT)
            self.world.add_job(
                job_id=job_id(policy), overlap=overlap, retry=RETRY, timeout_seconds=90
            )
        self.runs, self.slots = self.world.runs, self.slots_with(lambda: None)
        self.world.slots = self.slots
        self.messages: list[RunMessage] = []
        self.held: list[Claimed] = []
        self.count = 0

    def slots_with(self, reached: Callable[[], None]) -> DynamoSlotStore:
        """Let each write be judged, and let others come between any two calls of the store."""
        judged: Any = JudgedEngine(
            self.world.tables.engine, self.world, limit=LIMIT, reached=reached
        )
        return DynamoSlotStore(judged, table=JOBS_TABLE, pause=lambda _: None)

    @contextmanager
    def meanwhile(self, what: str, moment: int, pick: int) -> "Iterator[None]":
        """Something else happens at a moment of what is done."""
        events: dict[str, Callable[[], None]] = {
            "nothing": lambda: None,
            "crash": crash,
            "throttle": throttle,
            "time": lambda: self.world.clock.advance(61),
            "claim": lambda: self.claim(pick),
            "sweep": lambda: self.only_plainly(self.world.sweep),
            "end": lambda: self.end(pick),
        }
        script = Script(moment, events[what])
        self.world.runs = Interrupted(self.runs, script)  # type: ignore[assignment]
        self.world.slots = self.slots_with(script.reached)
        try:
            with suppress(Crash, Throttled):
                yield
        finally:
            self.world.runs, self.world.slots = self.runs, self.slots

    def only_plainly(self, act: Callable[[], object]) -> None:
        """Without anything happening meanwhile."""
        runs, slots = self.world.runs, self.world.slots
        self.world.runs, self.world.slots = self.runs, self.slots
        try:
            act()
        finally:
            self.world.runs, self.world.slots = runs, slots

    def claim(self, pick: int) -> None:
        """A new worker receives any message there ever was."""
        if not self.messages:
            return
        self.count += 1
        message = self.messages[pick % len(self.messages)]
        execution = self.world.execution(owner=f"worker-{self.count}")
        self.held += claim_runs([delivery(message)], execution).held

    def end(self, pick: int) -> None:
        """A worker succeeds, or finds that it lost its lease."""
        if self.held:
            with suppress(LeaseLost):
                finish(self.world, self.held.pop(pick % len(self.held)))

    @rule(seconds=st.sampled_from([1, 10, 30, 60, 100]))
    def time_passes(self, seconds: int) -> None:
        self.world.clock.advance(seconds)

    @rule(policy=st.sampled_from(POLICIES), early=st.integers(0, 5))
    def a_run_is_due(self, policy: OverlapPolicy, early: int) -> None:
        self.count += 1
        # Every minute is an instant of the jobs; how long it has been due differs.
        now = self.world.clock.now()
        instant = after(-60 * self.count)
        attempt = attempt_factory(
            id=attempt_id(job=job_id(policy), scheduled_at=instant),
            due_at=now - (after(early) - after(0)),
            watch_at=now,
            state=RunState.QUEUED,
        )
        self.world.runs.insert_all([attempt])
        self.messages.append(RunMessage.of(attempt))

    @rule(pick=picks, what=meanwhiles, moment=moments, other=picks)
    def a_message_is_delivered(self, pick: int, what: str, moment: int, other: int) -> None:
        with self.meanwhile(what, moment, other):
            self.claim(pick)

    @rule(pick=picks, what=meanwhiles, moment=moments, other=picks)
    def a_worker_heartbeats(self, pick: int, what: str, moment: int, other: int) -> None:
        """With the time it read before whatever happens meanwhile."""
        if not self.held:
            return
        worker = self.held[pick % len(self.held)]
        execution = self.world.execution(owner=worker.lease.owner)
        cancelled = False
        try:
            with self.meanwhile(what, moment, other):
                execution = self.world.execution(owner=worker.lease.owner)
                cancelled = heartbeat(worker, execution, now=self.world.clock.now())
        except LeaseLost:
            self.held = [each for each in self.held if each is not worker]
        if cancelled and any(each is worker for each in self.held):
            self.held = [each for each in self.held if each is not worker]
            with suppress(LeaseLost):
                finish(self.world, worker, Stopped(started_at=self.world.clock.now()))

    @rule(pick=picks, what=meanwhiles, moment=moments, other=picks, fails=st.booleans())
    def a_worker_ends(self, pick: int, what: str, moment: int, other: int, *, fails: bool) -> None:
        if not self.held:
            return
        worker = self.held.pop(pick % len(self.held))
        ending = CallFailed(started_at=self.world.clock.now(), failure=BUSY) if fails else None
        with suppress(LeaseLost), self.meanwhile(what, moment, other):
            finish(self.world, worker, ending)

    @rule(pick=picks)
    def a_worker_dies(self, pick: int) -> None:
        if self.held:
            self.held.pop(pick % len(self.held))

    @rule(what=meanwhiles, moment=moments, other=picks)
    def the_sweeper_looks(self, what: str, moment: int, other: int) -> None:
        with self.meanwhile(what, moment, other):
            self.world.sweep()

    @rule()
    def the_relay_reads_the_stream(self) -> None:
        self.world.stream()
        self.messages += [received.message for received in self.world.receive()]

    @rule(pick=picks)
    def a_user_cancels_one_that_waits(self, pick: int) -> None:
        waiting = [a for a in self.world.attempts() if a.state is RunState.WAITING]
        if waiting:
            each = waiting[pick % len(waiting)]
            self.runs.replace(each, end(each, RunState.CANCELLED, now=self.world.clock.now()))

    @invariant()
    def live_leases_never_exceed_the_limit(self) -> None:
        """Invariant 8 of the design."""
        assert len(alive(self.world)) <= LIMIT

    @invariant()
    def a_lease_never_outlives_its_slot(self) -> None:
        held = {holder.hold.attempt: holder for holder in self.record().holders}
        for attempt in alive(self.world):
            assert attempt.lease is not None
            assert held[attempt.id].hold.fence == attempt.fence
            assert held[attempt.id].expires_at >= attempt.lease.expires_at

    @invariant()
    def the_line_is_in_order(self) -> None:
        waiters = self.record().waiters
        assert list(waiters) == sorted(waiters)
        assert len({waiter.attempt for waiter in waiters}) == len(waiters)

    @invariant()
    def only_steps_of_the_table_are_taken(self) -> None:
        for image in self.world.tables.images:
            if image.before is not None and image.before.state is not image.after.state:
                assert image.after.state in TRANSITIONS[image.before.state]

    @invariant()
    def whatever_lives_is_watched(self) -> None:
        for attempt in self.world.attempts():
            assert (attempt.watch_at is None) is (attempt.state in TERMINAL)

    def record(self) -> Slots:
        """The slots as they are."""
        tenant = self.world.tables.jobs[next(iter(self.world.tables.jobs))].tenant
        return self.world.tables.slots.get(SlotKey(tenant=tenant, name=KEY), Slots())

    def teardown(self) -> None:
        """Left alone with a sweeper and workers that do their job, every run ends."""
        for number in range(100):
            if all(attempt.state in TERMINAL for attempt in self.world.attempts()):
                break
            self.world.clock.advance(100)
            self.world.sweep()
            self.world.stream()
            self.world.execute(self.world.receive(), owner=f"last-{number}")
            assert len(alive(self.world)) <= LIMIT
        assert all(attempt.state in TERMINAL for attempt in self.world.attempts())


Overlapping.TestCase.settings = settings(max_examples=some(150), stateful_step_count=50)
TestOverlapping = Overlapping.TestCase
