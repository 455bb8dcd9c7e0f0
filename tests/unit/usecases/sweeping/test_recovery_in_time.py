"""N6 in virtual time: whatever dies, its run is back, or has ended, lease + 30 s later at most."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW, attempt_factory
from tests.support.pools.worker_services import worker_services
from tests.support.world import World
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.dispatch.looks import (
    LOOK_EVERY,
    LOOK_LATENESS,
    PUBLICATION,
    RECOVERY_BEYOND_LEASE,
)
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.run import RunState
from timegate.domain.runs.watch import LEASE_SLACK, PATIENCE, SOLE_LEASE_SLACK, first_watch
from timegate.domain.values.errors import LeaseLost
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.hand_over import hand_over
from timegate.usecases.execution.supervise_run import HandedOver, heartbeat
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.look_at_pool import PoolClaim
from timegate.usecases.services.execution_services import Claimed, Execution

#: The leases of the stages, in seconds.
LEASES = [15, 60, 80]
DEPLOYED_LEASES = LEASES[1:]
#: When a worker begins between two looks, in seconds.
PHASES = [0.0, 0.5, 6.0, 11.999]
MODES = [*DeliveryMode]
Death = Callable[[World, int, DeliveryMode], datetime]


def claimed(world: World, lease: int, **fields: object) -> Claimed:
    """A run that an executor has just claimed, due now."""
    execution = world.execution(lease_length=timedelta(seconds=lease))
    now = world.clock.now()
    attempt = attempt_factory(due_at=now, created_at=now, watch_at=_first(now))
    message = prepare(world, attempt, timeout_seconds=600, **fields)
    (held,) = claim_runs([message], execution).held
    return held


def _first(now: datetime) -> datetime:
    return first_watch(RunState.QUEUED, now, now=now)


def executor_killed(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """Right after its claim; its message never comes back."""
    return claimed(world, lease, delivery=mode).lease.expires_at


def executor_killed_at_work(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """After ten heartbeats, while looks went on."""
    held = claimed(world, lease, delivery=mode)
    execution = world.execution(owner=held.lease.owner, lease_length=timedelta(seconds=lease))
    for _ in range(10):
        pass_time(world, world.clock.now() + execution.heartbeat_interval)
        heartbeat(held, execution, now=world.clock.now())
    return world.clock.now() + execution.lease_length


def executor_killed_after_a_backlog(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """The sweeper had put the run's next look off by a quarter of an hour."""
    now = world.clock.now()
    waited = attempt_factory(due_at=now - timedelta(minutes=14), watch_at=now + LEASE_SLACK * 90)
    message = prepare(world, waited, timeout_seconds=600, delivery=mode)
    execution = world.execution(lease_length=timedelta(seconds=lease))
    (held,) = claim_runs([message], execution).held
    return held.lease.expires_at


def target_silent(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """Its target accepted the run, and says nothing; it may be silent for five seconds only."""
    held = claimed(world, lease, delivery=mode)
    execution = world.execution(owner=held.lease.owner, lease_length=timedelta(seconds=lease))
    handed = HandedOver(started_at=world.clock.now(), silence_seconds=5)
    hand_over(held, handed, execution)
    return world.clock.now() + timedelta(seconds=5)


def target_silent_after_its_first_word(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """Its heartbeat comes before the executor hands the run over, and shortens the lease."""
    held = claimed(world, lease, delivery=mode)
    execution = world.execution(owner=held.lease.owner, lease_length=timedelta(seconds=5))
    heartbeat(held, execution, now=world.clock.now(), by_target=True)
    return world.clock.now() + timedelta(seconds=5)


def pool_worker_silent(world: World, lease: int, mode: DeliveryMode) -> datetime:
    """It took a run from its pool; no other worker asks for work."""
    now, offer = world.clock.now(), Offer(pool="reports", handler="sales")
    offered = attempt_factory(due_at=now, created_at=now, watch_at=_first(now), offer=offer)
    action = WorkerAction(pool=offer.pool, handler=offer.handler)
    prepare(world, offered, action=action, offer=offer, timeout_seconds=600, delivery=mode)
    services = worker_services(world, lease_length=timedelta(seconds=lease))
    wanted = PoolClaim(tenant=offered.tenant, pool=offer.pool, worker="a desk")
    (handed,) = claim_from_pool(wanted, services).runs
    return handed.claimed.lease.expires_at


def looks(world: World) -> datetime:
    """The next look: at its instant on the minute's grid, and as late as it may be."""
    passed = (world.clock.now() - LOOK_LATENESS - NOW) // LOOK_EVERY
    return NOW + LOOK_EVERY * (passed + 1) + LOOK_LATENESS


def pass_time(world: World, until: datetime) -> None:
    """Nothing but looks happens until then."""
    while looks(world) <= until:
        world.clock.set(looks(world))
        world.look()
    world.clock.set(until)


def back_at(world: World) -> datetime:
    """Return the instant at which the run is published again or has ended."""
    while only(world).state is RunState.RUNNING:
        pass_time(world, looks(world))
    return world.clock.now() + PUBLICATION


#: Their runs' messages come again.
EXECUTORS: list[Death] = [
    executor_killed,
    executor_killed_at_work,
    executor_killed_after_a_backlog,
]
DEATHS: list[Death] = [
    *EXECUTORS,
    target_silent,
    target_silent_after_its_first_word,
    pool_worker_silent,
]


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("lease", LEASES)
@pytest.mark.parametrize("death", DEATHS)
def test_a_dead_workers_run_is_back_in_time(
    death: Death, lease: int, mode: DeliveryMode, phase: float
) -> None:
    """Within thirty seconds of the lease's end, and never before a redelivery had its chance."""
    world = World()
    world.clock.advance(phase)
    expires_at = death(world, lease, mode)
    late = back_at(world) - expires_at
    once = mode is DeliveryMode.AT_MOST_ONCE

    assert SOLE_LEASE_SLACK <= late <= RECOVERY_BEYOND_LEASE
    assert late >= LEASE_SLACK or once or death not in EXECUTORS
    assert only(world).state is (RunState.FAILED if once else RunState.QUEUED)


def renewed(held: Claimed, world: World, execution: Execution) -> bool:
    """Return whether a heartbeat finds the lease alive."""
    try:
        heartbeat(held, execution, now=world.clock.now())
    except LeaseLost:
        return False
    return True


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("lease", LEASES)
def test_a_run_whose_worker_goes_on_beyond_its_deadline_times_out_in_time(
    lease: int, mode: DeliveryMode, phase: float
) -> None:
    """Its lease is renewed until the sweeper ends the run."""
    world = World()
    world.clock.advance(phase)
    held = claimed(world, lease, delivery=mode)
    execution = world.execution(owner=held.lease.owner, lease_length=timedelta(seconds=lease))
    while renewed(held, world, execution):
        pass_time(world, world.clock.now() + execution.heartbeat_interval)
    ended = next(each for each in world.attempts() if each.id.number == 1)

    assert ended.state is RunState.TIMED_OUT
    assert ended.ended_at is not None
    late = ended.ended_at + PUBLICATION - held.lease.deadline_at
    assert LEASE_SLACK <= late <= timedelta(seconds=lease) + RECOVERY_BEYOND_LEASE


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("lease", LEASES)
def test_a_run_whose_worker_died_at_its_deadline_did_not_time_out(
    lease: int, mode: DeliveryMode, phase: float
) -> None:
    """Its last heartbeat was just in time, and its lease ends that much after the deadline."""
    world = World()
    world.clock.advance(phase)
    held = claimed(world, lease, delivery=mode)
    execution = world.execution(owner=held.lease.owner, lease_length=timedelta(seconds=lease))
    while world.clock.now() < held.lease.deadline_at:
        beat_at = world.clock.now() + execution.heartbeat_interval
        pass_time(world, min(beat_at, held.lease.deadline_at))
        heartbeat(held, execution, now=world.clock.now())
    late = back_at(world) - world.clock.now()

    assert late <= RECOVERY_BEYOND_LEASE
    once = mode is DeliveryMode.AT_MOST_ONCE
    assert only(world).state is (RunState.FAILED if once else RunState.QUEUED)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_direct_publication_that_is_lost_is_made_in_seconds(phase: float, *, busy: bool) -> None:
    """Its creator died before it; whether its queue is busy or not, and once only."""
    world = World()
    world.clock.advance(phase)
    if busy:
        world.backlog.busy.add("normal-short")
    now = world.clock.now()
    watch_at = first_watch(RunState.QUEUED, now, now=now, direct=True)
    prepare(world, attempt_factory(due_at=now, created_at=now, watch_at=watch_at, direct=True))
    world.read_images = len(world.tables.images)
    while not world.publisher.sent:
        pass_time(world, looks(world))
        world.stream()
    late = world.clock.now() + PUBLICATION - now
    pass_time(world, world.clock.now() + timedelta(seconds=55))
    world.stream()

    assert late <= RECOVERY_BEYOND_LEASE
    assert len(world.publisher.sent) == 1


@pytest.mark.parametrize("phase", PHASES)
def test_a_run_that_a_worker_took_and_never_claimed_is_back_in_time(phase: float) -> None:
    """It died before its handler began; the message is hidden, for a quarter of an hour perhaps.

    That is sooner than thirty seconds after the lease which it would have taken on a real stage.
    """
    world = World()
    world.clock.advance(phase)
    now = world.clock.now()
    prepare(world, attempt_factory(due_at=now, created_at=now, watch_at=_first(now)))
    world.stream()
    world.receive()
    world.backlog.in_flight.add("normal-short")
    while not world.publisher.sent:
        pass_time(world, looks(world))
        world.stream()
    late = world.clock.now() + PUBLICATION - now
    pass_time(world, world.clock.now() + timedelta(minutes=10))
    world.stream()

    assert PATIENCE <= late <= timedelta(seconds=min(DEPLOYED_LEASES)) + RECOVERY_BEYOND_LEASE
    assert len(world.publisher.sent) == 1


def test_a_live_workers_run_is_left_alone() -> None:
    """However long it works: a look in each lease, and nothing is published."""
    world = World()
    held = claimed(world, 60)
    execution = world.execution(owner=held.lease.owner)
    for _ in range(30):
        pass_time(world, world.clock.now() + execution.heartbeat_interval)
        heartbeat(held, execution, now=world.clock.now())
    stored = only(world)

    assert (stored.state, stored.fence) == (RunState.RUNNING, 1)
    assert replace(stored, watch_at=None).lease is not None
    assert stored.watch_at is not None
    assert stored.watch_at <= world.clock.now() + execution.lease_length + LEASE_SLACK
    assert world.telemetry.counts["LeasesRescued"] == 0
