"""The machine that plays with leases: workers, crashes, duplicates, a sweeper and cancels.

Hypothesis plays the machines. A worker reads and writes in separate steps, so every interleaving
of two workers is tried, including the one that read before the other wrote.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
)

from tests.support.factories import JOB_ID, TENANT, attempt_factory, job_factory
from tests.support.world import LEASE, World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.admission import Admit, Refuse, admit
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.jobs.retry import Backoff, Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import end, end_unworked, fail, succeed
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.suspects import alone_when_claimed
from timegate.domain.runs.watch import PATIENCE
from timegate.domain.values.errors import LeaseLost
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef
from timegate.usecases.execution.known_answer import known_answer
from timegate.usecases.runs.store_conclusion import store_conclusion
from timegate.usecases.services.execution_services import Claimed

#: A retry waits in the table first: no queue holds a message that long.
POLICY = RetryPolicy(
    max_attempts=3, backoff=Backoff.FIXED, initial_delay_seconds=1000, jitter=False
)
TIMEOUT = timedelta(seconds=90)
#: Before that many, no caller cancels: most runs should come further.
PEACEFUL_WORKERS = 4
FAILURES = [
    FailureKind.RETRYABLE,
    FailureKind.RETRYABLE,
    FailureKind.TIMEOUT,
    FailureKind.PERMANENT,
]


@dataclass
class Worker:
    """One invocation: what it read, and then what it believes to hold."""

    read: Attempt
    lease: Lease
    claimed: Attempt | None = None
    #: Its target has been called.
    called: bool = False


class LeaseMachine(RuleBasedStateMachine):
    """One run of one job, and everything that can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.world = self.new_world()
        first = attempt_factory()
        self.world.runs.insert_all([first])
        # A shard's very first sweep looks back an hour only; every later one to the one before.
        self.world.sweep()
        self.messages = [RunMessage.of(first)]
        self.workers: list[Worker] = []
        self.named = 0
        self.mode = DeliveryMode.AT_LEAST_ONCE
        #: Every lease that was ever taken, with its latest expiry, by attempt and fence.
        self.granted: dict[tuple[int, int], Lease] = {}
        #: The fences under which the target was called, in order.
        self.calls: list[int] = []
        #: An answer to one of them is on record.
        self.answered = False

    def new_world(self) -> World:
        """Return the world of this course."""
        return World()

    @initialize(mode=st.sampled_from(DeliveryMode))
    def a_job_is_created(self, mode: DeliveryMode) -> None:
        self.mode = mode
        self.world.jobs.create(job_factory(retry=POLICY, delivery=mode))

    @rule(seconds=st.sampled_from([1, 15, 30, 60, 70, 95, 1000]))
    def time_passes(self, seconds: int) -> None:
        self.world.clock.advance(seconds)

    @rule(pick=st.integers(0, 50))
    def a_message_is_delivered(self, pick: int) -> None:
        """To a new worker, which reads; messages are never used up, so all are duplicates."""
        message = self.messages[pick % len(self.messages)]
        ref = AttemptRef(tenant=message.tenant, id=message.attempt)
        (loaded,) = self.world.runs.load_all([ref])
        now = self.world.clock.now()
        assert loaded.attempt is not None
        assert loaded.job is not None
        admission = admit(loaded.job.timing, loaded.attempt, now=now)
        if isinstance(admission, Refuse):
            refused = end_unworked(
                loaded.attempt, admission.state, now=now, reason=admission.reason
            )
            self.world.runs.replace(loaded.attempt, refused)
        if isinstance(admission, Admit):
            self.named += 1
            lease = Lease(
                owner=f"worker-{self.named}",
                fence=loaded.attempt.fence + 1,
                expires_at=now + LEASE,
                deadline_at=now + TIMEOUT,
            )
            self.workers.append(Worker(read=loaded.attempt, lease=lease))

    @precondition(lambda self: any(w.claimed is None for w in self.workers))
    @rule(pick=st.integers(0, 50))
    def a_worker_claims_what_it_read(self, pick: int) -> None:
        """Perhaps long after it read it."""
        waiting = [worker for worker in self.workers if worker.claimed is None]
        worker = waiting[pick % len(waiting)]
        alone = alone_when_claimed(worker.read)
        claim = LeaseClaim(
            attempt=worker.read,
            job_version=1,
            lease=worker.lease,
            delivery=self.mode,
            alone=alone,
        )
        (won,) = self.world.runs.claim_all([claim])
        if not won:
            self.workers.remove(worker)
            return
        number, now = worker.read.id.number, self.world.clock.now()
        before = [lease for (n, _), lease in self.granted.items() if n == number]
        assert all(lease.expires_at <= now for lease in before), "two live leases"
        fences = [lease.fence for lease in self.granted.values()]
        assert all(fence < worker.lease.fence for fence in fences), "a fence of the run was reused"
        self.granted[number, worker.lease.fence] = worker.lease
        worker.claimed = replace(
            worker.read,
            state=RunState.RUNNING,
            lease=worker.lease,
            fence=worker.lease.fence,
            delivery=self.mode,
            alone=alone,
            direct=False,
        )

    @rule(pick=st.integers(0, 50), dies=st.booleans())
    def a_worker_begins_at_once(self, pick: int, *, dies: bool) -> None:
        """And may die: what kills its workers does so again and again."""
        before = len(self.workers)
        if (worker := self._claim_at_once(pick)) is not None:
            self._call(worker)
        if dies:
            del self.workers[before:]
            self.world.clock.advance(75)

    @rule(pick=st.integers(0, 50), stops=st.booleans())
    def a_slow_worker_is_overtaken(self, pick: int, *, stops: bool) -> None:
        """Its lease is another's when its target answers, or when it has to stop."""
        slow = self._claim_at_once(pick)
        if slow is None or not self._call(slow):
            return
        self.world.clock.advance(65)
        self._claim_at_once(pick)
        if stops:
            self._let_go(slow)
        else:
            self._succeed(slow)

    def _claim_at_once(self, pick: int) -> Worker | None:
        """A new worker that holds a lease, if it could get one."""
        before = len(self.workers)
        self.a_message_is_delivered(pick)
        if len(self.workers) == before:
            return None
        waiting = [worker for worker in self.workers if worker.claimed is None]
        self.a_worker_claims_what_it_read(len(waiting) - 1)
        return self.workers[before] if len(self.workers) > before else None

    def _holder(self, pick: int) -> tuple[Worker, Attempt] | None:
        holders = [(w, w.claimed) for w in self.workers if w.claimed is not None]
        return holders[pick % len(holders)] if holders else None

    @rule(pick=st.integers(0, 50))
    def a_worker_calls_its_target(self, pick: int) -> None:
        if (held := self._holder(pick)) is not None and not held[0].called:
            self._call(held[0])

    def _call(self, worker: Worker) -> bool:
        """Unless an answer is on record, or its lease is over by now; whether it did."""
        attempt = worker.claimed
        assert attempt is not None
        claimed = Claimed(
            delivery=delivery(RunMessage.of(attempt)),
            attempt=attempt,
            job=self.world.jobs.get(TENANT, JOB_ID),
            lease=worker.lease,
        )
        known = known_answer(claimed, self.world.execution())
        if known is not None:
            now = self.world.clock.now()
            ended = succeed(attempt, started_at=None, now=now, result=known.text)
            self.world.runs.finish_all([ended])
            self.workers.remove(worker)
            return False
        if worker.lease.expires_at <= self.world.clock.now():
            self._let_go(worker)
            return False
        assert not (self.answered and self.mode is DeliveryMode.EXACTLY_ONCE), "asked twice"
        worker.called = True
        self.calls.append(worker.lease.fence)
        return True

    @rule(pick=st.integers(0, 50))
    def a_worker_must_stop(self, pick: int) -> None:
        if (held := self._holder(pick)) is not None:
            self._let_go(held[0])

    def _let_go(self, worker: Worker) -> None:
        """It hands its run back, unless that may be called once only and was."""
        attempt = worker.claimed
        assert attempt is not None
        if worker.called and self.mode is DeliveryMode.AT_MOST_ONCE:
            self._fail(worker, attempt, FailureKind.RETRYABLE)
            return
        now = self.world.clock.now()
        if self.world.runs.release(attempt, state=RunState.QUEUED, watch_at=now + PATIENCE):
            key = attempt.id.number, attempt.fence
            self.granted[key] = replace(self.granted[key], expires_at=now)
        self.workers.remove(worker)

    @rule(pick=st.integers(0, 50))
    def a_worker_heartbeats(self, pick: int) -> None:
        """And learns of a cancel, or that its lease is lost."""
        if (held := self._holder(pick)) is None:
            return
        worker, attempt = held
        now = self.world.clock.now()
        try:
            cancelled = self.world.runs.extend(attempt, expires_at=now + LEASE)
        except LeaseLost:
            self.workers.remove(worker)
            return
        key = attempt.id.number, attempt.fence
        self.granted[key] = replace(self.granted[key], expires_at=now + LEASE)
        if cancelled:
            self.world.runs.finish_all([end(attempt, RunState.CANCELLED, now=now)])
            self.workers.remove(worker)

    @rule(pick=st.integers(0, 50))
    def a_worker_succeeds(self, pick: int) -> None:
        if (held := self._holder(pick)) is not None and held[0].called:
            self._succeed(held[0])

    def _succeed(self, worker: Worker) -> None:
        """Its target has answered; who lost the lease may keep the answer, and no more."""
        attempt, now = worker.claimed, self.world.clock.now()
        assert attempt is not None
        ended = succeed(attempt, started_at=now, now=now, result="")
        current = self.world.attempts()[attempt.id.number - 1].fence
        (recorded,) = self.world.runs.finish_all([ended])
        assert not recorded or attempt.fence == current, "a fenced-out worker recorded its end"
        if not recorded and self.mode is DeliveryMode.EXACTLY_ONCE:
            answer = KeptAnswer(text="", fence=attempt.fence, at=now)
            self.world.runs.keep_answer(attempt, answer)
        self.answered = True
        self.workers.remove(worker)

    @rule(pick=st.integers(0, 50), kind=st.sampled_from(FAILURES))
    def a_worker_fails(self, pick: int, kind: FailureKind) -> None:
        if (held := self._holder(pick)) is None:
            return
        self._fail(*held, kind)

    def _fail(self, worker: Worker, attempt: Attempt, kind: FailureKind) -> None:
        now = self.world.clock.now()
        failure = Failure(kind=kind, code="code", type="Type", message="")
        concluded = fail(attempt, failure, POLICY, started_at=now, now=now)
        store_conclusion(concluded, self.world.runs)
        self.workers.remove(worker)

    @precondition(lambda self: bool(self.workers))
    @rule(pick=st.integers(0, 50))
    def a_worker_dies(self, pick: int) -> None:
        """Between any two of its steps."""
        self.workers.pop(pick % len(self.workers))
