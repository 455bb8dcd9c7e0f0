"""Triggers that collapse and meet: one reads what another changes."""

from collections.abc import Callable

import pytest

from tests.support.api import api_services
from tests.support.execution.overlapping import Interrupted, Script
from tests.support.factories import TENANT
from tests.support.world import World
from timegate.domain.execution.triggers import Trigger, TriggerKey
from timegate.domain.jobs.job import Job
from timegate.domain.limits.collapse import Collapse
from timegate.domain.runs.run import RunState
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job
from timegate.usecases.jobs.trigger_many import InBatch, TriggerBatch, trigger_many

#: Moments before and after each call of a trigger: there are no more.
MOMENTS = range(12)


def job_of(world: World) -> Job:
    """Store a job whose triggers wait ten seconds for later ones."""
    return world.add_job(collapse=Collapse(span_seconds=10))


def meeting(world: World, moment: int, other: Callable[[], object]) -> None:
    """Let another request come before or after one of the calls that a request makes of runs."""
    runs = world.runs

    def come() -> None:
        world.runs = runs
        other()

    world.runs = Interrupted(runs, Script(moment, come))  # type: ignore[assignment]


def waiting(world: World) -> int:
    """Count the runs that wait for their instant."""
    return sum(each.state is RunState.QUEUED for each in world.attempts())


@pytest.mark.parametrize("moment", MOMENTS)
def test_triggers_that_meet_are_one_run(moment: int) -> None:
    """A trigger whose run was read as replaced joins the run that took its place."""
    world = World()
    job = job_of(world)

    def trigger(seed: bytes) -> None:
        services = api_services(world)
        for _ in seed:
            services.new_seed()
        request = Triggering(tenant=TENANT, job_id=job.job_id, trigger=Trigger(payload="1"))
        trigger_job(request, services, now=world.clock.now())

    trigger(b"")
    meeting(world, moment, lambda: trigger(b"1"))
    trigger(b"22")

    assert waiting(world) == 1


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_batch_that_meets_itself_is_stored_once(moment: int) -> None:
    """A run of a batch does not take its own place."""
    world = World()
    job = job_of(world)
    batch = TriggerBatch(
        tenant=TENANT,
        job_id=job.job_id,
        triggers=[(place, Trigger(payload=str(place))) for place in range(3)],
        key=TriggerKey.of(TENANT, job.job_id, "batch", request_hash="one"),
    )

    def trigger() -> list[object]:
        return [*trigger_many(batch, api_services(world), now=world.clock.now())]

    first: list[object] = []
    meeting(world, moment, lambda: first.extend(trigger()))
    world.clock.advance(1)
    second = trigger()

    assert waiting(world) == 1
    runs = [each.run for each in second if isinstance(each, InBatch)]
    assert len(set(runs)) == 3
    assert len(world.attempts()) == 3
