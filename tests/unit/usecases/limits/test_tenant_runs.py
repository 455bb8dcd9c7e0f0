"""A tenant's quota of concurrent runs: as many at work as it says, the others wait in order."""

from dataclasses import replace

import pytest

from tests.support.execution.overlapping import (
    KEY,
    Script,
    alive,
    claimed,
    due,
    finish,
    interrupted_stores,
    limited,
    slots_of,
    stored,
    throttle,
)
from tests.support.factories import (
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_factory,
    job_id,
    run_id,
)
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.ledger.explanations import STATES, explain_run
from timegate.domain.limits.overlap import QUOTA_KEY, QUOTA_PART, Overlap, OverlapPolicy
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import heartbeat

FREE = Overlap()
PART = f"{QUOTA_KEY}0"


def world_with(runs: int | None) -> World:
    """In which the tenant may have so many runs at work."""
    world = World()
    allow(world, runs)
    return world


def allow(world: World, runs: int | None) -> None:
    before = world.tenants.get(TENANT)
    assert world.tenants.put(TENANT, before, replace(before, quotas=Quotas(concurrent_runs=runs)))


def states(world: World, *attempts: Attempt) -> list[RunState]:
    return [stored(world, attempt).state for attempt in attempts]


def test_one_too_many_waits_and_the_first_that_ends_calls_it() -> None:
    """Runs of different jobs share the quota; the one due first is called first."""
    world = world_with(2)
    runs = [due(world, name, FREE, at=at) for at, name in enumerate("abcd")]
    world.clock.advance(10)
    first, second, third, fourth = [claimed(world, run) for run in runs]
    finish(world, first)
    called = states(world, *runs)
    third = claimed(world, stored(world, runs[2]))

    assert (second is not None, third is not None, fourth) == (True, True, None)
    assert called[2:] == [RunState.QUEUED, RunState.WAITING]
    assert len(alive(world)) == 2
    assert world.telemetry.counts["RunsOverQuota"] == 2
    assert {event.fields["slots"] for event in world.telemetry.named("run_waits")} == {"quota"}


@pytest.mark.parametrize(
    ("overlap", "said"),
    [
        (FREE, "a slot of the tenant's quota of 2 concurrent runs"),
        (limited(OverlapPolicy.QUEUE, key=None), "the slot of its job"),
        (limited(OverlapPolicy.QUEUE, limit=1), "the slot of the key database"),
    ],
    ids=["quota", "job", "key"],
)
def test_who_waits_says_for_what(overlap: Overlap, said: str) -> None:
    """Until it is claimed; each caller reads it, and not of a run that is handed back later."""
    world = world_with(2)
    job, shared = due(world, "a", overlap), due(world, "b", overlap, at=0)
    third = due(world, "c", overlap, at=0)
    if overlap.policy is OverlapPolicy.QUEUE and overlap.concurrency_key is None:
        instant = after(1)
        shared = attempt_factory(
            id=attempt_id(job=job.id.run.job_id, scheduled_at=instant), due_at=instant
        )
        world.runs.insert_all([shared])
        third = shared
    world.clock.advance(2)
    first = claimed(world, job)
    second = claimed(world, shared)
    last = stored(world, third if claimed(world, third) is None else shared)
    world.clock.advance(1)
    finish(world, first if second is None else second)
    again = claimed(world, stored(world, last))

    assert explain_run(last) == f"It was due, and waits for {said}."
    assert again is not None
    handed_back = replace(again.attempt, state=RunState.WAITING, lease=None)
    assert explain_run(handed_back) == STATES[RunState.WAITING]


def test_a_batch_takes_as_many_as_there_are() -> None:
    """Ten at once under a quota of three: three begin, and no message is received again."""
    world = world_with(3)
    runs = [due(world, str(number), FREE) for number in range(10)]
    claims = claim_runs([delivery(RunMessage.of(run)) for run in runs], world.execution())

    assert len(claims.held) == 3
    assert states(world, *runs).count(RunState.WAITING) == 7


def test_nothing_may_run_under_a_quota_of_none() -> None:
    """They wait, until there is one."""
    world = world_with(0)
    run = due(world, "a", FREE)
    held = claimed(world, run)
    allow(world, 1)
    world.clock.advance(61)
    world.sweep()

    assert held is None
    assert states(world, run) == [RunState.QUEUED]
    assert claimed(world, stored(world, run)) is not None


def test_other_tenants_have_slots_of_their_own() -> None:
    """And those without a quota take none."""
    world = world_with(1)
    claimed(world, due(world, "a", FREE))
    theirs = job_factory(tenant=OTHER_TENANT, job_id=job_id("b"))
    world.jobs.create(theirs)
    attempt = replace(due(world, "c", FREE), tenant=OTHER_TENANT)
    attempt = replace(
        attempt, id=replace(attempt.id, run=replace(attempt.id.run, job_id=theirs.job_id))
    )
    world.runs.insert_all([attempt])

    assert claimed(world, attempt) is not None
    assert [key.tenant for key in world.tables.slots] == [TENANT]


def test_a_worker_that_dies_leaks_nothing() -> None:
    """Its slot expires with its lease, and the next claim has it."""
    world = world_with(1)
    first, second = due(world, "a", FREE), due(world, "b", FREE, at=1)
    claimed(world, first)
    refused = claimed(world, second)
    world.clock.advance(61)
    world.sweep()
    world.sweep()
    again = [claimed(world, stored(world, run)) for run in (first, second)]

    assert refused is None
    assert len([each for each in again if each is not None]) == 1
    assert len(alive(world)) == 1


def test_who_waits_for_the_quota_holds_no_slot_of_its_key() -> None:
    """Nor does it keep others of its key from running once there is room."""
    world = world_with(1)
    queue = limited(OverlapPolicy.QUEUE)
    busy, waiting = due(world, "a", FREE), due(world, "b", queue, at=1)
    holder = claimed(world, busy)
    claimed(world, waiting)
    of_key = slots_of(world, waiting, KEY)
    finish(world, holder)
    held = claimed(world, stored(world, waiting))

    assert of_key.holders == ()
    assert held is not None
    assert len(slots_of(world, waiting, KEY).holders) == len(slots_of(world, waiting, PART).holders)


def test_a_heartbeat_renews_both() -> None:
    """Its key's and the quota's: neither ends before the lease."""
    world = world_with(1)
    holder = claimed(world, due(world, "a", limited(OverlapPolicy.QUEUE)))
    assert holder is not None
    world.clock.advance(20)
    heartbeat(holder, world.execution(owner=holder.lease.owner), now=world.clock.now())
    ends = {slots_of(world, holder.attempt, key).holders[0].expires_at for key in (KEY, PART)}

    assert ends == {after(80)}


@pytest.mark.parametrize("moment", range(6))
def test_a_store_that_refuses_leaves_no_slot_behind(moment: int) -> None:
    """A failed call anywhere returns the slot of a claim that was not made."""
    world = world_with(2)
    run = due(world, "a", limited(OverlapPolicy.QUEUE))
    with interrupted_stores(world, Script(moment, throttle), "slots"):
        world.execute([delivery(RunMessage.of(run))])
    world.clock.advance(120)
    world.sweep()
    world.execute([delivery(RunMessage.of(stored(world, run)))])
    now = world.clock.now()
    held = [h for each in world.tables.slots.values() for h in each.holders if h.expires_at > now]

    assert held == []
    assert stored(world, run).state is RunState.SUCCEEDED


@pytest.mark.parametrize(
    ("quota", "parts"),
    [(1, 1), (QUOTA_PART, 1), (QUOTA_PART + 1, 2), (10 * QUOTA_PART, 10)],
)
def test_a_large_quota_is_kept_in_parts(quota: int, parts: int) -> None:
    """Together they are the quota, none is larger than a record should be, and all are used."""
    job = replace(job_factory(), tenant_runs=quota)
    governed = [job.under_quota(run_id(scheduled_at=after(60 * n))) for n in range(50 * parts)]
    limits = {
        each.overlap.concurrency_key: each.overlap.max_concurrent
        for each in governed
        if each is not None
    }

    assert len(limits) == parts
    assert sum(limits.values()) == quota
    assert max(limits.values()) <= QUOTA_PART
