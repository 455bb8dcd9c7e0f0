"""Every order of the steps of leases, in a scope; the nearest states are visited first."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from tests.property.runs.orders.scope import Kept, Prints, attempts_of
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


@dataclass
class Explored:
    """Numbers and states that an exploration met."""

    states: int = 0
    #: States of attempts, and calls of the target at most.
    reached: set[RunState] = field(default_factory=set)
    calls: int = 0

    def meet(self, machine: Leases) -> None:
        """Note a state that was not met before."""
        self.states += 1
        self.reached |= {attempt.state for attempt in machine.world.attempts()}
        self.calls = max(self.calls, len(machine.calls))


class _Step(NamedTuple):
    name: str
    take: Callable[[], None]
    passes: int = 0
    cancels: int = 0


class _State(NamedTuple):
    kept: Kept
    #: Steps of the clock and cancels that are left.
    passes: int
    cancels: int
    #: Steps that led to it.
    path: tuple[str, ...] = ()


def explore(mode: DeliveryMode, scope: Scope) -> Explored:
    """Visit each state of a scope once, and hold it to what always holds.

    Where no worker is left, a sweeper and a worker that does its job bring the run to its end.
    Raises ``AssertionError`` with the fewest steps that lead to a state that breaks a promise.
    """
    machine, prints, explored = _new_machine(mode), Prints(), Explored()
    states = deque([_State(Kept.of(machine), scope.passes, scope.cancels)])
    known: set[object] = set()
    while states:
        state = states.popleft()
        state.kept.restore(machine)
        for step in list(_steps(machine, state, scope)):
            after = _taken(machine, state, step)
            named = prints.of(machine), after.passes, after.cancels
            if named in known:
                continue
            known.add(named)
            explored.meet(machine)
            states.append(after)
            if named[0] not in known:
                known.add(named[0])
                _end_alone(machine, after)
    return explored


def _new_machine(mode: DeliveryMode) -> Leases:
    machine = Leases()
    machine.world.attempts = lambda: attempts_of(machine)  # type: ignore[method-assign]
    machine.a_job_is_created(mode)
    return machine


def _taken(machine: Leases, state: _State, step: _Step) -> _State:
    """Take a step from a state, and return where it leads; the machine is there."""
    state.kept.restore(machine)
    path = (*state.path, step.name)
    with _told(path):
        step.take()
        for invariant in machine.invariants:
            invariant.function(machine)
    left = state.passes - step.passes, state.cancels - step.cancels
    return _State(Kept.of(machine), *left, path)


def _end_alone(machine: Leases, state: _State) -> None:
    """Leave a run without workers alone: it ends. Workers that live can die, and leave it so."""
    if state.kept.workers:
        return
    with _told((*state.path, "left alone")):
        machine.teardown()


@contextmanager
def _told(path: tuple[str, ...]) -> Iterator[None]:
    """Name the steps that led to a failure."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{error!r} after: {', '.join(path)}") from error


def _steps(machine: Leases, state: _State, scope: Scope) -> Iterator[_Step]:
    """Yield every step that can be taken from the state that a machine is in."""
    if machine.named < scope.workers:
        yield from _deliveries(machine)
    yield from _steps_of_workers(machine)
    yield _Step("the sweeper looks", machine.the_sweeper_looks)
    yield _Step("the relay reads", machine.the_relay_reads_the_stream)
    for seconds in _PASSING if state.passes else ():
        yield _Step(f"{seconds} s pass", partial(machine.time_passes, seconds), passes=1)
    if state.cancels:
        yield _Step("a user cancels", machine.a_user_cancels, cancels=1)


def _deliveries(machine: Leases) -> Iterator[_Step]:
    """Yield a delivery of each message, however often it came before; copies are alike."""
    places = {message.attempt: place for place, message in enumerate(machine.messages)}
    for attempt, place in places.items():
        deliver = partial(machine.a_message_is_delivered, place)
        yield _Step(f"attempt {attempt.number} is delivered", deliver)


def _steps_of_workers(machine: Leases) -> Iterator[_Step]:
    holders = [worker for worker in machine.workers if worker.claimed is not None]
    for n in range(len(machine.workers) - len(holders)):
        yield _Step(f"reader {n} claims", partial(machine.a_worker_claims_what_it_read, n))
    for n, holder in enumerate(holders):
        if holder.called:
            yield _Step(f"holder {n} succeeds", partial(machine.a_worker_succeeds, n))
        else:
            yield _Step(f"holder {n} calls", partial(machine.a_worker_calls_its_target, n))
        yield _Step(f"holder {n} heartbeats", partial(machine.a_worker_heartbeats, n))
        yield _Step(f"holder {n} stops", partial(machine.a_worker_must_stop, n))
        for kind in _FAILURES:
            yield _Step(f"holder {n} fails, {kind}", partial(machine.a_worker_fails, n, kind))
    for n in range(len(machine.workers)):
        yield _Step(f"worker {n} dies", partial(machine.a_worker_dies, n))
