"""Freezes that begin while a DAG run is in progress: its tasks start after them."""

from dataclasses import replace

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT, after, freeze_factory, stage_freeze_factory
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dags.definition import Dag, JobTask
from timegate.domain.jobs.job import Job
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.runs.run import RunState
from timegate.domain.values.tenant import ADMINISTRATION

FROZEN_SECONDS = 3_600


def named(world: DagWorld) -> tuple[Job, Dag]:
    """A job, and a DAG whose only task names it."""
    job = world.world.add_job(tags={"team": "billing"})
    own = dag((task("a", spec=JobTask(job_id=job.job_id)),), tenant=job.tenant)
    return job, replace(own, tags={"tier": "1"})


def freeze(world: DagWorld, scope: FreezeScope, thaw: ThawPolicy = ThawPolicy.JOB) -> None:
    """Freeze for an hour from now on."""
    fields = {"scope": scope, "ends_at": after(FROZEN_SECONDS), "thaw": thaw}
    if scope.kind is FreezeKind.STAGE:
        found: Freeze = stage_freeze_factory(**fields)
        world.world.restrictions.put_freeze(ADMINISTRATION, found, now=world.world.clock.now())
    else:
        found = freeze_factory(**fields)
        world.world.restrictions.put_freeze(TENANT, found, now=world.world.clock.now())


def begins(world: DagWorld, run: DagRun) -> bool:
    """Deliver the run of its task; tell if an executor began it."""
    world.world.stream()
    world.world.execute(world.world.receive())
    (attempt,) = [each for each in world.world.attempts() if each.is_task]
    assert str(run.dag_run_id) in str(attempt.id.run)
    return attempt.fence > 0


@pytest.mark.parametrize("kind", ["stage", "tenant", "tag", "job"])
def test_a_task_that_names_a_job_waits_for_a_freeze_of_it(kind: str) -> None:
    """Its target is not called meanwhile, as by any other run of the job."""
    world = DagWorld()
    job, own = named(world)
    values = {"tag": "team=billing", "job": job.job_id}
    freeze(world, FreezeScope(kind=FreezeKind(kind), value=values.get(kind, "")))
    run = world.start(own)
    frozen = begins(world, run)
    (waiting,) = world.waiting()
    world.world.clock.advance(FROZEN_SECONDS)
    world.world.sweep()

    assert (frozen, waiting.state, waiting.due_at) == (
        *(False, RunState.WAITING),
        after(FROZEN_SECONDS),
    )
    assert begins(world, run)


@pytest.mark.parametrize("kind", ["tag", "job"])
def test_a_freeze_of_another_job_holds_no_task_back(kind: str) -> None:
    """Nor does a freeze of another tag."""
    world = DagWorld()
    _, own = named(world)
    freeze(world, FreezeScope(kind=FreezeKind(kind), value={"tag": "tier"}.get(kind, "b" * 26)))

    assert begins(world, world.start(own))


def test_a_freeze_that_thaws_nothing_leaves_no_task_out() -> None:
    """Its DAG run has begun, and would succeed without what the task was to do."""
    world = DagWorld()
    run = world.start(dag((task("a"), task("b")), "a -> b", tenant=TENANT))
    freeze(world, FreezeScope(kind=FreezeKind.TENANT), thaw=ThawPolicy.SKIP)
    begun = begins(world, run)
    world.world.clock.advance(FROZEN_SECONDS)
    world.world.sweep()

    assert (begun, world.states(run)) == (False, {"a": "running", "b": "pending"})
    assert begins(world, run)
