"""Runs that a worker held when it died: executed beside nothing else, so that one is to blame."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
    running,
)
from tests.support.world import LEASE, World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.condition import Condition
from timegate.domain.runs.run import MAX_RELEASES, Attempt, RunState
from timegate.domain.runs.suspects import (
    alone_when_claimed,
    alone_when_released,
    has_killed,
    is_suspect,
)
from timegate.domain.runs.watch import MAX_LEASES
from timegate.ports.call_runner import Work
from timegate.usecases.execution.execute_batch import execute_batch
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Delivery


def added(world: World, name: str, *, deaths: int = 0, **fields: Any) -> Delivery:  # noqa: ANN401
    """A run that is due, so often held by a worker that died; the message that names it."""
    tenant = OTHER_TENANT if name.startswith("other") else TENANT
    world.add_job(
        tenant=tenant,
        job_id=job_id(name),
        anchored_at=after(-3600),
        schedule=MINUTELY,
        **fields,
    )
    attempt = attempt_factory(tenant=tenant, id=attempt_id(job=job_id(name)))
    if deaths:
        lease = lease_factory(fence=deaths, expires_at=NOW)
        attempt = replace(running(attempt, lease=lease), alone=deaths - 1)
    world.tables.put_attempt(attempt)
    return delivery(RunMessage.of(attempt), len(world.attempts()))


def stored(world: World, message: Delivery) -> Attempt:
    return world.tables.attempts[message.message.tenant, message.message.attempt]


class Witness:
    """A target that notes what its worker holds at each call."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.order: list[Any] = []
        self.beside: dict[Any, set[Any]] = {}
        world.target.invoke = self  # type: ignore[method-assign]

    def __call__(self, call: Call) -> Answer:
        held = {
            each.id.run.job_id
            for each in self._world.attempts()
            if each.state is RunState.RUNNING
            and each.lease is not None
            and each.lease.expires_at > self._world.clock.now()
        }
        own = call.attempt.run.job_id
        self.order.append(own)
        self.beside[own] = held - {own}
        return Answer(text="ok")


def test_a_suspect_is_executed_when_all_others_have_ended() -> None:
    """The ends of the others are on record, and no other suspect is held."""
    world = World()
    names = ["a suspect", "other 1", "other 2", "other suspect"]
    messages = [added(world, name, deaths=int("suspect" in name)) for name in names]
    witness = Witness(world)
    again = world.execute(messages)

    assert again == set()
    assert set(world.states()) == {RunState.SUCCEEDED}
    assert set(witness.order[:2]) == {job_id("other 1"), job_id("other 2")}
    assert [witness.beside[job_id(each)] for each in names if "suspect" in each] == [set(), set()]
    assert [stored(world, each).alone for each in messages] == [1, 0, 0, 1]


def test_the_suspect_with_the_fewest_deaths_goes_first() -> None:
    """One that kills each of its workers keeps no other one from its turn."""
    world = World()
    messages = [added(world, f"died {n} times", deaths=n) for n in (3, 1, 2)]
    witness = Witness(world)
    world.execute(messages)

    assert witness.order == [job_id(f"died {n} times") for n in (1, 2, 3)]


def test_the_only_run_of_a_batch_is_alone() -> None:
    """It costs no read and no call to its queue that another run does not cost."""
    world = World()
    message = added(world, "a suspect", deaths=1)
    world.execute([message])

    assert (stored(world, message).state, stored(world, message).alone) == (RunState.SUCCEEDED, 1)
    assert world.inbox.hidden == []


def slow_only(world: World, name: str, *, seconds: float) -> None:
    """The calls of one job take so long, and those of others no time."""
    start = world.call_runner.start

    def started(call: Call) -> Work:
        is_slow = call.attempt.run.job_id == job_id(name)
        world.call_runner.takes = timedelta(seconds=seconds if is_slow else 0)
        return start(call)

    world.call_runner.start = started  # type: ignore[assignment, method-assign]


@pytest.mark.parametrize(("seconds", "executed"), [(30, True), (29.999, False)], ids=str)
def test_a_suspect_without_time_goes_back_unclaimed(seconds: float, *, executed: bool) -> None:
    """It needs its whole timeout, and is delivered again at once without being held against it."""
    world = World()
    slow = added(world, "slow", timeout_seconds=60)
    suspect = added(world, "suspect", deaths=1, timeout_seconds=30)
    slow_only(world, "slow", seconds=40)
    again = world.execute([slow, suspect], stops_at=after(40 + seconds))

    assert stored(world, slow).state is RunState.SUCCEEDED
    assert (stored(world, suspect).state is RunState.SUCCEEDED) is executed
    assert again == (set() if executed else {suspect.id})
    if not executed:
        assert (stored(world, suspect).fence, stored(world, suspect).alone) == (1, 0)
        assert world.inbox.hidden[-1].seconds == 0


def test_a_suspect_that_needs_more_than_an_invocation_begins_with_half_of_one() -> None:
    """Otherwise it would never begin beside a queue that is never empty."""
    world = World()
    others = added(world, "other")
    suspect = added(world, "suspect", deaths=1, timeout_seconds=600)
    world.execute([others, suspect], stops_at=after(100))

    assert stored(world, suspect).state is RunState.SUCCEEDED


def test_the_lease_of_a_suspect_is_a_whole_one() -> None:
    """However long ago its message was received: it is hidden anew before its claim."""
    world = World()
    slow, suspect = added(world, "slow", timeout_seconds=60), added(world, "suspect", deaths=1)
    slow_only(world, "slow", seconds=50)
    world.execute([slow, suspect])
    lease = stored(world, suspect).lease

    assert lease is not None
    assert lease.expires_at - LEASE == after(50)
    assert [each.seconds for each in world.inbox.hidden if each.receipt == suspect.receipt] == [65]


def test_the_condition_of_a_suspect_is_asked_alone() -> None:
    """The question is a call like any other."""
    world = World()
    condition = Condition(url="https://hooks.example.com/ready")
    messages = [added(world, "other"), added(world, "suspect", deaths=1, before=condition)]
    witness = Witness(world)
    world.execute(messages)

    assert witness.order[0] == job_id("other")
    assert witness.beside[job_id("suspect")] == set()
    assert set(world.states()) == {RunState.SUCCEEDED}


def test_a_killer_is_given_up_and_its_neighbours_are_not() -> None:
    """Two killers among others, in one batch again and again, each time until a worker dies."""
    world = World()
    killers = [added(world, f"killer {n}") for n in range(2)]
    others = [added(world, f"other {n}") for n in range(8)]

    class Death(BaseException):
        """The process dies here, with whatever it holds."""

    def die(call: Call) -> Answer:
        if call.attempt in {each.message.attempt for each in killers}:
            raise Death
        return Answer(text="ok")

    world.target.invoke = die  # type: ignore[method-assign]
    for _ in range(2 * MAX_LEASES + 2):
        with suppress(Death):
            execution = world.execution(owner=f"worker at {world.clock.now()}")
            # A run that dies never ends: a world's window would close after seconds.
            completions = Completions(world.runs, world.telemetry)
            execute_batch([*killers, *others], execution, completions)
        world.clock.advance(61)

    assert {stored(world, each).state for each in others} == {RunState.SUCCEEDED}
    assert {stored(world, each).state for each in killers} == {RunState.DEAD_LETTERED}
    assert {stored(world, each).deaths for each in killers} == {MAX_LEASES}


@pytest.mark.parametrize(
    ("leases", "alone", "killed"),
    [(5, 5, True), (5, 4, True), (5, 3, False), (4, 4, False), (9, 3, False)],
)
def test_only_deaths_alone_count(leases: int, alone: int, *, killed: bool) -> None:
    """All but at most the first."""
    attempt = attempt_factory(fence=leases, alone=alone)

    assert has_killed(attempt, leases=5) is killed


def test_a_lease_counts_as_alone_after_a_death() -> None:
    """The first lease of a run proves nothing, and neither does one that was handed back."""
    fresh, died = attempt_factory(), attempt_factory(fence=1)
    held = replace(died, fence=2, alone=alone_when_claimed(died))
    worn = replace(held, releases=MAX_RELEASES)

    assert (is_suspect(fresh), alone_when_claimed(fresh)) == (False, 0)
    assert (is_suspect(died), alone_when_claimed(died)) == (True, 1)
    assert (alone_when_released(held), alone_when_released(worn)) == (0, 1)
