"""Conditions whose addresses ask to be left alone for longer than any date can say."""

import math
from dataclasses import replace

import pytest

from tests.support.auditing.asking import BUSY, CONDITION, own
from tests.support.execution.chaining import add, begin, run_all
from tests.support.factories import after, job_id
from tests.support.world import World
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.memory.target import MemoryTarget
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import MAX_RETRY_AFTER_SECONDS, Failure
from timegate.domain.runs.run import RunState
from timegate.ports.call_runner import TargetFailed


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
