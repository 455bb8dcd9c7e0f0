"""Conditions of workers' runs, and while those who ask die."""

import math
from dataclasses import replace

import pytest

from tests.support.auditing.asking import (
    BUSY,
    CONDITION,
    asked,
    own,
    pass_minutes,
    worked,
)
from tests.support.execution.chaining import add, begin
from tests.support.execution.overlapping import Script, crash, interrupted_stores
from tests.support.execution.telling import run_all
from tests.support.factories import TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.world import World
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.memory.target import MemoryTarget
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import MAX_RETRY_AFTER_SECONDS, Failure
from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.runs.run import RunState
from timegate.ports.call_runner import TargetFailed
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.look_at_pool import PoolClaim


def test_a_workers_run_is_asked_about_by_an_executor(world: World) -> None:
    """An executor asks at the worker's first claim; an offered run is not asked about again."""
    offer = Offer(pool="reports", handler="write")
    action = WorkerAction(pool="reports", handler="write")
    add(world, "a", before=CONDITION, offer=offer, action=action)
    run = attempt_factory(id=attempt_id(job=job_id("a")), offer=offer)
    world.runs.insert_all([run])
    world.target.then(BUSY)
    wanted = PoolClaim(tenant=TENANT, pool="reports", worker="w1")
    first = claim_from_pool(wanted, world.working).runs
    run_all(world)
    refused = own(world)[0]
    pass_minutes(world, 2)
    cleared = own(world)[0]
    second = claim_from_pool(wanted, world.working).runs

    assert first == ()
    assert (refused.offer, refused.state, refused.due_at) == (None, RunState.QUEUED, after(60))
    assert cleared.offer == offer
    assert cleared.checks is not None
    assert cleared.checks.cleared
    assert "waits for a worker" in explain_attempt(cleared)
    assert [handed.claimed.attempt.id for handed in second] == [run.id]
    assert len(asked(world)) == 2


def conditional_run() -> World:
    """A run whose condition says "not now" once, and then "go"."""
    world = World()
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.target.then(BUSY)
    world.stream()
    return world


def execute(world: World, script: Script) -> None:
    """A worker takes what is published, and dies on the way."""
    with interrupted_stores(world, script, "runs"):
        world.execute(world.receive())


def moments() -> int:
    """Count the store calls of asking about a run."""
    script = Script(10_000, crash)
    execute(conditional_run(), script)
    return script.moments


@pytest.mark.parametrize("second", [False, True], ids=["not-now", "go"])
@pytest.mark.parametrize("moment", range(moments() + 4))
def test_a_run_begins_once_whenever_its_worker_dies(moment: int, *, second: bool) -> None:
    """Before and after each call to the store, at the refusal and at the claim."""
    world = conditional_run()
    if second:
        run_all(world)
        world.clock.advance(60)
        world.stream()
    execute(world, Script(moment, crash))
    pass_minutes(world, 8)
    (done,) = own(world)

    assert done.state is RunState.SUCCEEDED
    assert len(worked(world)) >= 1


class Busy(MemoryTarget):
    """Does the work of runs, and lets none of those that ask begin."""

    def __init__(self, failure: Failure) -> None:
        super().__init__()
        self._failure = failure

    def invoke(self, call: Call) -> Answer:
        """Refuse a question."""
        if call.purpose == "before":
            raise TargetFailed(self._failure)
        return super().invoke(call)


@pytest.mark.parametrize("seconds", [MAX_RETRY_AFTER_SECONDS, 1e13, 1e300, math.inf])
def test_an_address_that_asks_for_ages_breaks_no_batch(seconds: float) -> None:
    """It is left alone for a day at most, and runs of the same batch go on."""
    world = World()
    add(world, "a", before=replace(CONDITION, give_up_after_seconds=2 * 86_400))
    add(world, "b")
    begin(world, "a")
    begin(world, "b")
    busy = Busy(replace(BUSY, retry_after_seconds=seconds))
    world.call_runner = MemoryCallRunner(busy, world.clock)
    run_all(world)
    by_job = {run.id.run.job_id: run for run in own(world)}

    assert by_job[job_id("a")].due_at == after(86_400)
    assert by_job[job_id("b")].state is RunState.SUCCEEDED
