"""Crashes: a process dies before or after any of its store calls, and every slot comes back."""

from collections.abc import Callable

import pytest

from tests.support.execution.overlapping import (
    Script,
    alive,
    claimed,
    crash,
    due,
    finish,
    interrupted_stores,
    limited,
    slots_of,
)
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.run import TERMINAL, Reason, RunState
from timegate.usecases.execution.supervise_run import heartbeat

pytestmark = pytest.mark.wide

Ends = set[tuple[RunState, Reason | None]]

#: More than any scene has.
ENOUGH = 1000


def scene(world: World, policy: OverlapPolicy) -> None:
    """One holds the only slot; two more are due; it heartbeats, ends, and the next ones run."""
    first, second, third = (due(world, name, limited(policy), at=at) for name, at in TIMES)
    world.stream()
    world.receive()
    holder = claimed(world, first)
    assert holder is not None
    world.execute([delivery(RunMessage.of(second), 1)], owner="second")
    world.execute([delivery(RunMessage.of(third), 2)], owner="third")
    world.clock.advance(20)
    heartbeat(holder, world.execution(owner=holder.lease.owner), now=world.clock.now())
    finish(world, holder)
    for number in range(3):
        world.stream()
        world.execute(world.receive(), owner=f"later {number}")
    world.clock.advance(100)
    world.sweep()


TIMES = [("a", -3.0), ("b", -2.0), ("c", -1.0)]


def played(policy: OverlapPolicy, moment: int, event: Callable[[], None]) -> tuple[World, int]:
    """The scene up to the crash, if one comes; and how many moments it had."""
    world = World()
    script = Script(moment, event)
    # A shard's very first sweep looks back an hour; later ones to the one before.
    world.sweep()
    with interrupted_stores(world, script, "runs", "slots"):
        scene(world, policy)
    return world, script.moments


def recover(world: World) -> None:
    """Time passes; sweeper, relay and executors do what they always do, no operator intervenes."""
    for number in range(30):
        world.clock.advance(31)
        world.sweep()
        world.stream()
        assert len(alive(world)) <= 1
        world.execute(world.receive(), owner=f"recovered {number}")


@pytest.mark.parametrize(
    ("policy", "ends"),
    [
        pytest.param(OverlapPolicy.QUEUE, {(RunState.SUCCEEDED, None)}, id="queue"),
        pytest.param(
            OverlapPolicy.FORBID,
            {
                (RunState.SUCCEEDED, None),
                (RunState.SKIPPED, Reason.OVERLAP),
                (RunState.CANCELLED, Reason.OVERLAP),
            },
            id="forbid",
        ),
        pytest.param(
            OverlapPolicy.REPLACE,
            {(RunState.SUCCEEDED, None), (RunState.CANCELLED, Reason.REPLACED)},
            id="replace",
        ),
    ],
)
def test_every_crash_heals(policy: OverlapPolicy, ends: Ends) -> None:
    """At each moment in turn: every run ends, as its policy says, and no attempt holds a slot."""
    _, moments = played(policy, ENOUGH, crash)
    assert moments > 30
    for moment in range(moments):
        world, _ = played(policy, moment, crash)
        recover(world)
        attempts = world.attempts()

        assert {each.state for each in attempts} <= TERMINAL, moment
        assert {(each.state, each.reason) for each in attempts} <= ends, moment
        if attempts:
            left = slots_of(world, attempts[0])
            assert [h for h in left.holders if h.expires_at > world.clock.now()] == [], moment


def test_without_a_crash_nothing_is_left() -> None:
    """No holder and no waiter in the line."""
    world, _ = played(OverlapPolicy.QUEUE, ENOUGH, crash)

    assert world.states() == [RunState.SUCCEEDED] * 3
    assert slots_of(world, world.attempts()[0]) == Slots()
