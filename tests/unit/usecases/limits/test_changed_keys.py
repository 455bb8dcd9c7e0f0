"""A job's slots become those of another key while a run of its waits for one."""

from dataclasses import replace

import pytest

from tests.support.execution.overlapping import claimed, due, finish, limited, stored
from tests.support.factories import TENANT
from tests.support.world import World
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.execution.supervise_run import heartbeat
from timegate.usecases.services.execution_services import Claimed

QUEUE = OverlapPolicy.QUEUE
FIRST, OTHER = limited(QUEUE), limited(QUEUE, key="other")


def moved(world: World) -> tuple[Claimed, Claimed, Attempt]:
    """A holder of each key, and a run that has waited for the first one and waits for the other."""
    first = claimed(world, due(world, "a", FIRST, timeout_seconds=600))
    waits = due(world, "b", FIRST)
    assert claimed(world, waits) is None
    other = claimed(world, due(world, "c", OTHER, timeout_seconds=600))
    assert first is not None
    assert other is not None
    job = world.tables.jobs[TENANT, waits.id.run.job_id]
    world.tables.jobs[TENANT, job.job_id] = replace(job, overlap=OTHER)
    world.clock.advance(50)
    for each in (first, other):
        heartbeat(each, world.execution(owner=each.lease.owner), now=world.clock.now())
    world.clock.advance(20)
    world.sweep()
    assert claimed(world, stored(world, waits)) is None
    return first, other, waits


@pytest.mark.parametrize("ends", [True, False], ids=["holder-ends", "holder-dies"])
def test_a_run_that_waits_for_another_key_is_in_no_ones_way(*, ends: bool) -> None:
    """The key that it waited for before is free: the next run takes it at once."""
    world = World()
    first, other, waits = moved(world)
    if ends:
        finish(world, first)
    else:
        world.clock.advance(35)
        heartbeat(other, world.execution(owner=other.lease.owner), now=world.clock.now())
        world.clock.advance(10)
    late = due(world, "d", FIRST, at=1)

    assert claimed(world, late) is not None
    assert stored(world, waits).state is RunState.WAITING


def test_it_is_called_where_its_slots_are_now() -> None:
    """By the end of the other key's holder."""
    world = World()
    _, other, waits = moved(world)
    finish(world, other)

    assert stored(world, waits).state is RunState.QUEUED
    assert claimed(world, stored(world, waits)) is not None


def test_a_run_that_waits_for_its_own_key_holds_no_place_of_the_quota() -> None:
    """It waited for the quota first, and was called; another run of its key was faster."""
    world = World()
    before = world.tenants.get(TENANT)
    assert world.tenants.put(TENANT, before, replace(before, quotas=Quotas(concurrent_runs=1)))
    one = claimed(world, due(world, "a", Overlap()))
    assert one is not None
    waits = due(world, "b", FIRST)
    assert claimed(world, waits) is None
    assert world.tenants.put(TENANT, world.tenants.get(TENANT), before)
    assert claimed(world, due(world, "c", FIRST, timeout_seconds=600)) is not None
    again = world.tenants.get(TENANT)
    assert world.tenants.put(TENANT, again, replace(again, quotas=Quotas(concurrent_runs=1)))
    finish(world, one)
    assert claimed(world, stored(world, waits)) is None

    assert claimed(world, due(world, "d", Overlap(), at=1)) is not None
