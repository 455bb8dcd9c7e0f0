"""Crashes of a long run: its worker dies before or after any call, and only a slice is repeated."""

from collections.abc import Callable

import pytest

from tests.support.execution.overlapping import (
    Script,
    alive,
    crash,
    due,
    interrupted_stores,
    limited,
    stored,
)
from tests.support.targets.slicing import (
    HOURS,
    ROWS,
    ROWS_PER_SLICE,
    RowTarget,
    go_on,
    recover,
    slicing,
)
from tests.support.world import World
from timegate.domain.execution.call import Call
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.runs.checkpoint import sequence_of
from timegate.domain.runs.run import Attempt, RunState

pytestmark = pytest.mark.wide

#: More than any scene has.
ENOUGH = 10_000
SEVERAL = 5


class Watched:
    """A world whose long run is looked at whenever anything happens."""

    def __init__(self, policy: OverlapPolicy, delivery: DeliveryMode) -> None:
        self.world, self.target = slicing(RowTarget(interrupt=self._at_work))
        self.long = due(
            self.world, "long", limited(policy), at=-1, long_run=HOURS, delivery=delivery
        )
        self.sequences: list[int] = [0]
        self.fences: list[int] = [0]

    def look(self) -> None:
        """Sequences and fences never go back, and no worker works beside another."""
        attempt = self.last
        self.sequences.append(sequence_of(attempt.checkpoint))
        self.fences.append(attempt.fence)
        assert self.sequences == sorted(self.sequences)
        assert self.fences == sorted(self.fences)
        assert len(alive(self.world)) <= 1
        waiting = attempt.state in {RunState.WAITING, RunState.QUEUED, RunState.RUNNING}
        assert waiting is (attempt.watch_at is not None)

    @property
    def last(self) -> Attempt:
        """The run's last attempt."""
        own = [a for a in self.world.attempts() if a.id.run == self.long.id.run]
        return own[-1]

    def _at_work(self, call: Call) -> None:
        """A slice works under the fence that is stored, from the checkpoint that is stored."""
        attempt = stored(self.world, self.long)
        assert call.fence == attempt.fence
        assert call.resume is not None
        assert call.resume.sequence == sequence_of(attempt.checkpoint)
        self.look()


def played(watched: Watched, moment: int, event: Callable[[], None]) -> int:
    """The run up to the crash, if one comes; how many moments it had."""
    world, script = watched.world, Script(moment, event)
    with interrupted_stores(world, script, "runs", "slots", "inbox"):
        go_on(world, rounds=SEVERAL)
    return script.moments


@pytest.mark.parametrize("policy", [OverlapPolicy.ALLOW, OverlapPolicy.QUEUE], ids=str)
@pytest.mark.parametrize(
    "delivery", [DeliveryMode.AT_LEAST_ONCE, DeliveryMode.EXACTLY_ONCE], ids=str
)
def test_every_crash_repeats_one_slice_at_most(
    policy: OverlapPolicy, delivery: DeliveryMode
) -> None:
    """At each moment in turn: all is done, and no more than a slice of it twice."""
    moments = played(Watched(policy, delivery), ENOUGH, crash)
    assert moments > 20
    for moment in range(moments):
        watched = Watched(policy, delivery)
        played(watched, moment, crash)
        watched.look()
        recover(watched.world, watched.look, rounds=20)
        copied = watched.target.copied

        assert watched.last.state is RunState.SUCCEEDED, moment
        assert sorted(set(copied)) == [*range(ROWS)], moment
        assert len(copied) <= ROWS + ROWS_PER_SLICE, moment
        assert len(watched.world.attempts()) == 1, moment
        assert slots_left(watched.world) == [], moment


def test_without_a_crash_nothing_is_done_twice() -> None:
    """Each row once, in order."""
    watched = Watched(OverlapPolicy.QUEUE, DeliveryMode.AT_LEAST_ONCE)
    played(watched, ENOUGH, crash)
    recover(watched.world, watched.look, rounds=5)

    assert watched.target.copied == [*range(ROWS)]


@pytest.mark.parametrize("policy", [OverlapPolicy.ALLOW, OverlapPolicy.QUEUE], ids=str)
def test_a_sweep_at_any_moment_repeats_nothing(policy: OverlapPolicy) -> None:
    """A sweeper that looks while a slice ends publishes no second one that works."""
    moments = played(Watched(policy, DeliveryMode.AT_LEAST_ONCE), ENOUGH, crash)
    for moment in range(moments):
        watched = Watched(policy, DeliveryMode.AT_LEAST_ONCE)

        def sweep_and_deliver(watched: Watched = watched) -> None:
            world = watched.world
            world.stream()
            world.sweep()
            world.stream()

        played(watched, moment, sweep_and_deliver)
        recover(watched.world, watched.look, rounds=5)

        assert watched.target.copied == [*range(ROWS)], moment
        assert watched.last.state is RunState.SUCCEEDED, moment


def slots_left(world: World) -> list[object]:
    """Slots that an attempt still holds."""
    now = world.clock.now()
    return [
        holder
        for slots in world.tables.slots.values()
        for holder in slots.holders
        if holder.expires_at > now
    ]
