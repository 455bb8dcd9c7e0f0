"""Leases: workers, crashes, duplicates, a sweeper and cancels, in any order.

Hypothesis plays the machines. A worker reads and writes in separate steps, so every interleaving
of two workers is tried, including the one that read before the other wrote.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.support.factories import JOB_ID, TENANT, attempt_factory, job_factory
from tests.support.world import LEASE, World
from timegate.domain.admission import Admit, Refuse, admit
from timegate.domain.conclusion import end, fail, succeed
from timegate.domain.errors import LeaseLost
from timegate.domain.message import RunMessage
from timegate.domain.retry import Backoff, Failure, FailureKind, RetryPolicy
from timegate.domain.run import TERMINAL, TRANSITIONS, Attempt, Lease, RunState
from timegate.domain.watch import MAX_LEASES
from timegate.ports.stores import AttemptRef, Claim

#: A retry waits in the table first: no queue holds a message that long.
POLICY = RetryPolicy(
    max_attempts=3, backoff=Backoff.FIXED, initial_delay_seconds=1000, jitter=False
)
TIMEOUT = timedelta(seconds=90)
#: Before that many, nobody cancels: most runs should come further.
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


class Leases(RuleBasedStateMachine):
    """One run of one job, and everything that can happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.jobs.create(job_factory(retry=POLICY))
        first = attempt_factory()
        self.world.runs.insert_all([first])
        # A shard's very first sweep looks back an hour only; every later one to the one before.
        self.world.sweep()
        self.messages = [RunMessage.of(first)]
        self.workers: list[Worker] = []
        self.named = 0
        #: Every lease that was ever taken, with its latest expiry, by attempt and fence.
        self.granted: dict[tuple[int, int], Lease] = {}

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
            refused = end(loaded.attempt, admission.state, now=now, reason=admission.reason)
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
        claim = Claim(attempt=worker.read, job_version=1, lease=worker.lease)
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
            direct=False,
        )

    @rule(pick=st.integers(0, 50), dies=st.booleans())
    def a_worker_begins_at_once(self, pick: int, *, dies: bool) -> None:
        """And may die: what kills its workers does so again and again."""
        before = len(self.workers)
        self.a_message_is_delivered(pick)
        if len(self.workers) > before:
            waiting = [worker for worker in self.workers if worker.claimed is None]
            self.a_worker_claims_what_it_read(len(waiting) - 1)
        if dies:
            del self.workers[before:]
            self.world.clock.advance(75)

    def _holder(self, pick: int) -> tuple[Worker, Attempt] | None:
        holders = [(w, w.claimed) for w in self.workers if w.claimed is not None]
        return holders[pick % len(holders)] if holders else None

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
        if (held := self._holder(pick)) is None:
            return
        worker, attempt = held
        now = self.world.clock.now()
        ended = succeed(attempt, started_at=now, now=now, result="")
        current = self.world.attempts()[attempt.id.number - 1].fence
        (recorded,) = self.world.runs.finish_all([ended])
        assert not recorded or attempt.fence == current, "a fenced-out worker recorded its end"
        self.workers.remove(worker)

    @rule(pick=st.integers(0, 50), kind=st.sampled_from(FAILURES))
    def a_worker_fails(self, pick: int, kind: FailureKind) -> None:
        if (held := self._holder(pick)) is None:
            return
        worker, attempt = held
        now = self.world.clock.now()
        failure = Failure(kind=kind, code="code", type="Type", message="")
        concluded = fail(attempt, failure, POLICY, started_at=now, now=now)
        if concluded.retry is None:
            self.world.runs.finish_all([concluded.ended])
        else:
            self.world.runs.finish_and_retry(concluded.ended, concluded.retry)
        self.workers.remove(worker)

    @precondition(lambda self: bool(self.workers))
    @rule(pick=st.integers(0, 50))
    def a_worker_dies(self, pick: int) -> None:
        """Between any two of its steps."""
        self.workers.pop(pick % len(self.workers))

    @rule()
    def the_sweeper_looks(self) -> None:
        self.world.sweep()

    @rule()
    def the_relay_reads_the_stream(self) -> None:
        self.world.stream()
        self.messages += [delivery.message for delivery in self.world.receive()]

    @precondition(lambda self: self.named > PEACEFUL_WORKERS)
    @rule()
    def a_user_cancels(self) -> None:
        last = self.world.attempts()[-1]
        if last.state is RunState.RUNNING:
            self.world.runs.replace(last, replace(last, cancel_requested=True))
        elif last.state not in TERMINAL:
            self.world.runs.replace(last, end(last, RunState.CANCELLED, now=self.world.clock.now()))

    @invariant()
    def only_steps_of_the_table_are_taken(self) -> None:
        """And what has ended never changes again."""
        for image in self.world.tables.images:
            before, after = image.before, image.after
            if before is None or before.state is after.state:
                continue
            assert after.state in TRANSITIONS[before.state]

    @invariant()
    def fences_only_grow(self) -> None:
        by_attempt: dict[int, list[int]] = {}
        for image in self.world.tables.images:
            by_attempt.setdefault(image.after.id.number, []).append(image.after.fence)
        for fences in by_attempt.values():
            assert all(first <= second for first, second in pairwise(fences))
        for attempt in self.world.attempts():
            assert attempt.leases <= MAX_LEASES

    @invariant()
    def one_attempt_at_a_time(self) -> None:
        """Each begins when the one before it has ended to be retried; one success is the end."""
        attempts = self.world.attempts()
        assert [attempt.id.number for attempt in attempts] == list(range(1, len(attempts) + 1))
        assert len(attempts) <= POLICY.max_attempts
        assert all(attempt.state in TERMINAL for attempt in attempts[:-1])
        assert not any(attempt.ends_run for attempt in attempts[:-1])

    @invariant()
    def whatever_lives_is_watched(self) -> None:
        """Nothing that was promised can be forgotten."""
        for attempt in self.world.attempts():
            assert (attempt.watch_at is None) is (attempt.state in TERMINAL)

    def teardown(self) -> None:
        """Left alone with a sweeper and a worker that does its job, every run ends."""
        for _ in range(30):
            if self.world.attempts()[-1].ends_run:
                break
            self.world.clock.advance(1000)
            self.world.sweep()
            self.world.stream()
            self.world.execute(self.world.receive())
        assert self.world.attempts()[-1].ends_run
        assert self.world.jobs.get(TENANT, JOB_ID)


Leases.TestCase.settings = settings(max_examples=150, stateful_step_count=60)
TestLeases = Leases.TestCase
