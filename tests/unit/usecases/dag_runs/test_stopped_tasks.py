"""Tasks of DAG runs whose targets go on alone: who cancels the run has the target stopped."""

from collections.abc import Callable

import pytest

from tests.support.api import api_services
from tests.support.dag_runs.dag_interventions import asked
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.targets.slicing import go_on
from tests.unit.domain.dags.definitions import dag, task
from tests.unit.usecases.execution.test_followed_tasks import ACTION, Tasks
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.domain.dag_runs.progress import DagRun, InterventionKind
from timegate.domain.dags.definition import InlineTask
from timegate.domain.runs.run import RunState
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.execution.cancel_run import cancel_run

Cancel = Callable[[DagWorld, DagRun], object]


def cancels_its_run(dag_world: DagWorld, run: DagRun) -> None:
    """A caller cancels the run of the task."""
    (attempt,) = dag_world.waiting()
    world = dag_world.world
    cancel_run(run.tenant, attempt.id.run, api_services(world), now=world.clock.now())


def cancels_the_dag_run(dag_world: DagWorld, run: DagRun) -> None:
    """A caller cancels the DAG run."""
    works = dag_world.works
    found = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    call_off(found, works.dag_runs, works.telemetry, now=works.clock.now())


def skips_the_task(dag_world: DagWorld, run: DagRun) -> None:
    """An operator skips the task."""
    asked(dag_world, run, "a", InterventionKind.SKIP)


def began() -> tuple[DagWorld, Tasks, DagRun]:
    """A DAG run whose one task follows a task of ECS, between two looks at it."""
    dag_world = DagWorld()
    world = dag_world.world
    ecs = Tasks(world)
    world.call_runner = MemoryCallRunner(ecs, world.clock)
    world.sweep()
    run = dag_world.start(dag((task("a", spec=InlineTask(action=ACTION, timeout_seconds=3_600)),)))
    go_on(world)
    assert ecs.ecs.only() is not None
    return dag_world, ecs, run


@pytest.mark.parametrize("cancel", [cancels_its_run, cancels_the_dag_run, skips_the_task])
def test_who_cancels_a_task_between_two_looks_stops_its_target(cancel: Cancel) -> None:
    """An executor does, at once, as for runs of jobs."""
    dag_world, ecs, run = began()
    cancel(dag_world, run)
    dag_world.follow()
    go_on(dag_world.world)
    (ended,) = dag_world.world.attempts()

    assert ended.state is RunState.CANCELLED
    assert ecs.ecs.stopped == [ecs.ecs.only()]
