"""The machine of leases as a game: few workers, steps of the clock and cancels, in every order."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from tests.property.orders.exploring import Step, explore
from tests.property.orders.lease_states import Kept, Prints, attempts_of
from tests.property.runs.test_leases import Leases
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.runs.run import RunState

#: Seconds after which a lease is over, and after which every back-off and time-out is as well.
_PASSING = (61, 1000)
_FAILURES = (FailureKind.RETRYABLE, FailureKind.PERMANENT)


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Bounds of what happens; other steps are taken wherever they can be."""

    #: Workers that a message is delivered to.
    workers: int
    #: Steps of the clock.
    passes: int
    cancels: int = 0


class _State(NamedTuple):
    kept: Kept
    #: Steps of the clock and cancels that are left.
    left: Scope


class LeaseGame:
    """One run of one job, and everything that can happen to it in a scope."""

    def __init__(self, mode: DeliveryMode, scope: Scope) -> None:
        self.machine, self.left, self._prints = Leases(), scope, Prints()
        world = self.machine.world
        world.attempts = lambda: attempts_of(self.machine)  # type: ignore[method-assign]
        self.machine.a_job_is_created(mode)
        #: States of attempts, and calls of the target at most.
        self.reached: set[RunState] = set()
        self.calls = 0
        self._left_alone: set[object] = set()

    def explore(self) -> int:
        """Visit each state of the scope once."""
        return explore(self)

    def keep(self) -> _State:
        """Return all that the state is."""
        return _State(Kept.of(self.machine), self.left)

    def restore(self, kept: _State) -> None:
        """Go back to a state."""
        kept.kept.restore(self.machine)
        self.left = kept.left

    def named(self) -> Hashable:
        """Tell the state apart from others."""
        return self._prints.of(self.machine), self.left

    def judge(self) -> None:
        """Hold the state to all invariants of the machine."""
        for invariant in self.machine.invariants:
            invariant.function(self.machine)
        self.reached |= {attempt.state for attempt in self.machine.world.attempts()}
        self.calls = max(self.calls, len(self.machine.calls))

    def judge_alone(self) -> None:
        """Leave a run without workers alone: it ends. Those of others can die, and leave it so."""
        named = self._prints.of(self.machine)
        if not self.machine.workers and named not in self._left_alone:
            self._left_alone.add(named)
            self.machine.teardown()

    def steps(self) -> Iterator[Step]:
        """Name every step that can be taken."""
        machine, left = self.machine, self.left
        if machine.named < left.workers:
            yield from _deliveries(machine)
        yield from _steps_of_workers(machine)
        yield Step("the sweeper looks", machine.the_sweeper_looks)
        yield Step("the relay reads", machine.the_relay_reads_the_stream)
        for seconds in _PASSING if left.passes else ():
            yield Step(f"{seconds} s pass", partial(self._pass, seconds))
        if left.cancels:
            yield Step("a user cancels", self._cancel)

    def _pass(self, seconds: int) -> None:
        self.left = replace(self.left, passes=self.left.passes - 1)
        self.machine.time_passes(seconds)

    def _cancel(self) -> None:
        self.left = replace(self.left, cancels=self.left.cancels - 1)
        self.machine.a_user_cancels()


def _deliveries(machine: Leases) -> Iterator[Step]:
    """Yield a delivery of each message, however often it came before; copies are alike."""
    places = {message.attempt: place for place, message in enumerate(machine.messages)}
    for attempt, place in places.items():
        deliver = partial(machine.a_message_is_delivered, place)
        yield Step(f"attempt {attempt.number} is delivered", deliver)


def _steps_of_workers(machine: Leases) -> Iterator[Step]:
    holders = [worker for worker in machine.workers if worker.claimed is not None]
    for n in range(len(machine.workers) - len(holders)):
        yield Step(f"reader {n} claims", partial(machine.a_worker_claims_what_it_read, n))
    for n, holder in enumerate(holders):
        if holder.called:
            yield Step(f"holder {n} succeeds", partial(machine.a_worker_succeeds, n))
        else:
            yield Step(f"holder {n} calls", partial(machine.a_worker_calls_its_target, n))
        yield Step(f"holder {n} heartbeats", partial(machine.a_worker_heartbeats, n))
        yield Step(f"holder {n} stops", partial(machine.a_worker_must_stop, n))
        for kind in _FAILURES:
            yield Step(f"holder {n} fails, {kind}", partial(machine.a_worker_fails, n, kind))
    for n in range(len(machine.workers)):
        yield Step(f"worker {n} dies", partial(machine.a_worker_dies, n))
