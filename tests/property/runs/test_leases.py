"""Leases: what holds after every step of the machine, whatever order it chooses."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from tests.examples import some
from tests.property.runs.lease_machine import PEACEFUL_WORKERS, POLICY, LeaseMachine
from tests.support.factories import JOB_ID, TENANT
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import TERMINAL, RunState
from timegate.domain.runs.run_states import TRANSITIONS
from timegate.domain.runs.watch import MAX_LEASES


class Leases(LeaseMachine):
    """One run of one job in any delivery mode, and everything that can happen to it."""

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

    @precondition(lambda self: self.named > PEACEFUL_WORKERS)
    @rule(pick=st.integers(0, 50))
    def a_user_cancels_what_is_about_to_fail(self, pick: int) -> None:
        """Its worker does not hear of it any more."""
        if (held := self._holder(pick)) is not None:
            self.a_user_cancels()
            self._fail(*held, FailureKind.RETRYABLE)

    @rule(pick=st.integers(0, 50), seconds=st.sampled_from([95, 1000]))
    def what_was_left_is_found_and_begun(self, pick: int, seconds: int) -> None:
        """Time enough for a lease or a back-off, then sweeper, relay and a worker in turn."""
        self.world.clock.advance(seconds)
        self.the_sweeper_looks()
        self.the_relay_reads_the_stream()
        self.a_worker_begins_at_once(len(self.messages) - 1 - pick % 2, dies=False)

    @invariant()
    def only_steps_of_the_table_are_taken(self) -> None:
        """And what has ended never changes again."""
        for image in self.world.tables.images:
            before, after = image.before, image.after
            if before is None or before.state is after.state:
                continue
            assert after.state in TRANSITIONS[before.state]

    @invariant()
    def nothing_follows_a_cancel(self) -> None:
        """Its worker may have received the cancel request or not."""
        numbers = {attempt.id.number for attempt in self.world.attempts()}
        for attempt in self.world.attempts():
            assert not (attempt.cancel_requested and attempt.id.number + 1 in numbers)

    @invariant()
    def fences_only_grow(self) -> None:
        by_attempt: dict[int, list[int]] = {}
        for image in self.world.tables.images:
            by_attempt.setdefault(image.after.id.number, []).append(image.after.fence)
        for fences in by_attempt.values():
            assert all(first <= second for first, second in pairwise(fences))
        for attempt in self.world.attempts():
            assert attempt.deaths <= MAX_LEASES

    @invariant()
    def targets_never_see_a_fence_go_backwards(self) -> None:
        """Each lease calls once; the fences of all its calls are those of one run."""
        assert len(self.calls) == len(set(self.calls))

    @invariant()
    def at_most_once_is_at_most_once(self) -> None:
        """No death of a worker makes a second call."""
        assert self.mode is not DeliveryMode.AT_MOST_ONCE or len(self.calls) <= 1

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


Leases.TestCase.settings = settings(max_examples=some(150), stateful_step_count=60)
TestLeases = Leases.TestCase
