"""Turns that are lost, used up or taken away."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.execution.overlapping import limited, slots_of, stored
from tests.support.execution.pacing import job, receive
from tests.support.factories import NOW, after
from tests.support.world import World
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.rate_limit import microseconds
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.reserved_turns import own_turn
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled


@pytest.mark.parametrize(("late", "is_put_off"), [(1.0, False), (1.001, True)])
def test_a_turn_that_is_over_is_lost(world: World, late: float, *, is_put_off: bool) -> None:
    """Others have been given the time since: it gets another one, behind them."""
    receive(world, job(world, "a", at=-1))
    receive(world, second := job(world, "b"))
    receive(world, job(world, "c"))
    world.clock.set(after(10 + late))
    receive(world, stored(world, second))
    found = stored(world, second)

    assert (found.state is RunState.QUEUED) is is_put_off
    assert found.pace is not None
    assert (found.pace.since, found.pace.missed) == (NOW, int(is_put_off))
    assert found.due_at == after(30 if is_put_off else 10)


def test_a_worker_that_died_after_its_turn_was_taken_used_it_up(world: World) -> None:
    """No record tells whether the target was called: a take-over has a turn of its own."""
    receive(world, job(world, "a", at=-1))
    receive(world, second := job(world, "b"))
    waiting = stored(world, second)
    dead = replace(
        waiting,
        state=RunState.RUNNING,
        fence=1,
        lease=world.execution().lease(1, now=after(10), deadline_at=after(40)),
    )
    world.tables.put_attempt(dead)
    world.clock.set(after(100))
    receive(world, dead)
    done = stored(world, second)

    assert (done.state, done.fence, done.started_at) == (RunState.SUCCEEDED, 2, after(100))
    assert len(world.target.calls) == 2


def test_a_freeze_gives_no_turns(world: World) -> None:
    """A run that waited for its end reserves anew: its reserved instant has passed."""
    receive(world, job(world, "a", at=-1))
    receive(world, second := job(world, "b"))
    thawed = replace(stored(world, second), due_at=after(60))

    assert own_turn(stored(world, second)) is not None
    assert own_turn(thawed) is None


def test_who_waits_for_its_turn_holds_no_slot(world: World) -> None:
    """Others of its job may go meanwhile."""
    queue = limited(OverlapPolicy.QUEUE)
    receive(world, job(world, "a", at=-1))
    receive(world, waiting := job(world, "b", overlap=queue))

    assert stored(world, waiting).state is RunState.QUEUED
    assert slots_of(world, waiting) == Slots()


def test_a_run_that_waits_can_be_cancelled(world: World) -> None:
    """At once; its turn passes unused."""
    receive(world, job(world, "a", at=-1))
    receive(world, waiting := job(world, "b"))
    world.tables.put_attempt(replace(stored(world, waiting), cancel_requested=True))
    world.clock.set(after(9.9))
    receive(world, stored(world, waiting))

    assert stored(world, waiting).state is RunState.CANCELLED
    assert len(world.target.calls) == 1


def test_a_store_that_is_too_busy_leaves_everything_as_it_was(world: World) -> None:
    """The messages come back, and no slot stays taken."""
    run = job(world, "a", overlap=limited(OverlapPolicy.QUEUE))

    world.rates.take_turns = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    again = receive(world, run)

    assert again == {"message-0"}
    assert stored(world, run).state is RunState.QUEUED
    assert slots_of(world, run) == Slots()


TOO_MANY = Failure(
    kind=FailureKind.RETRYABLE,
    code="http_429",
    type="HttpStatus",
    message="",
    retry_after_seconds=60,
)


@pytest.mark.parametrize(
    ("asked", "next_at"),
    [
        pytest.param(60.0, 60, id="minute"),
        pytest.param(None, 10, id="nothing"),
        pytest.param(86_400.0, 3600, id="day"),
        pytest.param(1e300, 3600, id="for-ever"),
    ],
)
def test_a_target_that_asks_for_time_is_left_alone_by_all(
    world: World, asked: float | None, next_at: int
) -> None:
    """For an hour at most: then one of them asks again."""
    world.target.then(replace(TOO_MANY, retry_after_seconds=asked))
    once = RetryPolicy(max_attempts=1)
    receive(world, job(world, "a", at=-1, retry=once))
    receive(world, other := job(world, "b"))

    assert stored(world, other).due_at == after(next_at)


def test_a_retry_takes_a_turn_of_its_own(world: World) -> None:
    """It is a call like any other."""
    world.target.then(replace(TOO_MANY, retry_after_seconds=None))
    receive(world, job(world, "a", retry=RetryPolicy(initial_delay_seconds=1, jitter=False)))
    retry = world.attempts()[-1]
    world.clock.set(after(1))
    receive(world, retry)

    assert retry.id.number == 2
    assert stored(world, retry).due_at == after(10)
    assert timedelta(0) < stored(world, retry).due_at - retry.due_at


def test_where_all_are_late_everything_runs(world: World) -> None:
    """A queue that is always twenty seconds late: five turns are missed, and the sixth is taken."""
    receive(world, job(world, "a", at=-1))
    run = job(world, "b")
    receive(world, run)
    (key,) = world.tables.used_until
    while stored(world, run).state is not RunState.SUCCEEDED:
        world.clock.set(stored(world, run).due_at + timedelta(seconds=20))
        # The others never let the key rest.
        used_until = microseconds(world.clock.now() + timedelta(minutes=1))
        world.rates.hold_back(key, used_until=used_until, at=world.clock.now())
        receive(world, stored(world, run))
    done = stored(world, run)

    assert done.pace is not None
    assert (done.state, done.pace.missed) == (RunState.SUCCEEDED, 5)
