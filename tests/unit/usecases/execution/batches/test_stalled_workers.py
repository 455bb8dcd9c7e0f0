"""A worker that stands still after its claim calls no target under a lease that has expired."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW
from tests.support.world import LEASE, World
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import Reason, RunState
from timegate.ports.runs.claims import LeaseClaim

LEASE_SECONDS = LEASE.total_seconds()


def stalls(world: World, seconds: float, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Let the first worker stand still between its claim and its call, once."""
    claim_all = world.runs.claim_all

    def claim_and_stall(claims: Sequence[LeaseClaim]) -> list[bool]:
        world.runs.claim_all = claim_all  # type: ignore[method-assign]
        claimed = claim_all(claims)
        world.clock.advance(seconds)
        meanwhile()
        return claimed

    world.runs.claim_all = claim_and_stall  # type: ignore[method-assign]


@pytest.mark.parametrize("mode", list(DeliveryMode), ids=str)
@pytest.mark.parametrize(
    ("seconds", "called", "state", "releases"),
    [(LEASE_SECONDS - 0.001, 1, RunState.SUCCEEDED, 0), (LEASE_SECONDS, 0, RunState.QUEUED, 1)],
)
def test_a_worker_calls_no_target_from_the_end_of_its_lease_on(
    mode: DeliveryMode, seconds: float, called: int, state: RunState, releases: int
) -> None:
    """It hands the run back, which was not executed: that is no death, in any mode."""
    world = World()
    stalls(world, seconds)
    again = world.execute([prepare(world, delivery=mode)])

    assert again == set()
    assert len(world.target.calls) == called
    assert (only(world).state, only(world).releases) == (state, releases)


@pytest.mark.parametrize(("seconds", "beats"), [(0, 20), (20, 20), (21, 19), (40, 0), (50, 0)])
def test_a_lease_that_is_old_is_renewed_early(seconds: float, beats: float) -> None:
    """The first heartbeat leaves a third of the lease, or comes with the call."""
    world, at = World(), list[float]()
    world.call_runner.takes, hide = timedelta(seconds=21), world.inbox.hide

    def note(receipts: Sequence[str], *, seconds: int) -> None:
        at.append((world.clock.now() - NOW).total_seconds())
        hide(receipts, seconds=seconds)

    world.inbox.hide = note  # type: ignore[method-assign]
    stalls(world, seconds)
    world.execute([prepare(world, timeout_seconds=120)])

    assert at[0] == seconds + beats
    assert only(world).state is RunState.SUCCEEDED


def test_a_run_that_was_taken_over_meanwhile_is_called_once() -> None:
    """The worker that stood still finds its lease lost, and changes nothing."""
    world = World()
    message = prepare(world)
    stalls(world, LEASE_SECONDS, lambda: world.execute([message], owner="worker-2"))
    again = world.execute([message])

    assert again == set()
    assert [call.fence for call in world.target.calls] == [2]
    assert only(world).state is RunState.SUCCEEDED


def test_a_run_that_the_sweeper_ended_meanwhile_is_not_called() -> None:
    """Its record says that its worker died: no call comes after that."""
    world = World()
    stalls(world, LEASE_SECONDS + 60, world.sweep)
    world.execute([prepare(world, delivery=DeliveryMode.AT_MOST_ONCE)])

    assert world.target.calls == []
    assert (only(world).state, only(world).reason) == (RunState.FAILED, Reason.WORKER_DIED)
