"""Operations of a suspended tenant wait, and go on when it is resumed."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.factories import NOW, TENANT, freeze_factory, job_id
from tests.support.operations.started_operations import add_jobs, start, stored
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import OperationKind, OperationStatus, Tally, WaitsFor
from timegate.domain.restrictions.freeze import Freeze, ThawPolicy
from timegate.domain.tenants.suspension import released, suspended, suspension_freeze
from timegate.usecases.operations.read_operations import cancel_operation


def suspend(world: World) -> Freeze:
    """Suspend the tenant, as its administration does."""
    before = world.tenants.get(TENANT)
    now = world.clock.now()
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.JOB, reason="unpaid", now=now)
    assert world.tenants.put(TENANT, before, suspended(before, freeze), freeze=freeze)
    return freeze


def resume(world: World, freeze: Freeze) -> None:
    """End the suspension."""
    before, now = world.tenants.get(TENANT), world.clock.now()
    after = replace(before, suspension=None)
    assert world.tenants.put(TENANT, before, after, freeze=released(freeze, now=now))


def paused(world: World, jobs: int) -> list[bool]:
    """Tell of each job if it is paused."""
    found = [world.jobs.get(TENANT, job_id(f"job {number}")) for number in range(jobs)]
    return [each.timing.status is JobStatus.PAUSED for each in found]


def test_an_operation_changes_nothing_while_its_tenant_is_suspended() -> None:
    """It says so, stands still for no alarm, and writes no step more."""
    world = World()
    add_jobs(world, 3)
    operation = start(world, OperationKind.PAUSE)
    suspend(world)
    world.operate()
    world.clock.advance(3600)
    world.sweep()
    world.operate()
    held = stored(world, operation)

    assert paused(world, 3) == [False] * 3
    assert (held.waits_for, held.step, held.status) == (WaitsFor.TENANT, 1, OperationStatus.RUNNING)
    assert not held.stands_still(world.clock.now())


@pytest.mark.parametrize("cancelled", [False, True])
def test_an_operation_goes_on_after_the_suspension(*, cancelled: bool) -> None:
    """The sweeper wakes it; one that was to be cancelled ends then."""
    world = World()
    add_jobs(world, 3)
    operation = start(world, OperationKind.PAUSE)
    freeze = suspend(world)
    world.operate()
    if cancelled:
        cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.clock.advance(60)
    resume(world, freeze)
    world.clock.advance(300)
    world.sweep()
    world.operate()
    done = stored(world, operation)

    assert paused(world, 3) == [not cancelled] * 3
    assert done.waits_for is None
    assert done.tally == (Tally() if cancelled else Tally(matched=3, done=3))


def test_a_freeze_of_the_tenants_own_holds_no_operation() -> None:
    """It keeps runs from starting, and its caller changes jobs all the same."""
    world = World()
    add_jobs(world, 1)
    start(world, OperationKind.PAUSE)
    world.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW)
    world.operate()

    assert paused(world, 1) == [True]
