"""DAG runs that go on in their stage between two imports into the stage they move to."""

from pathlib import Path

import pytest

from tests.support.dag_runs.dag_interventions import retry
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT, job_id
from tests.support.moving.moves import TwoStages, minutes
from tests.support.moving.stages import held
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.runs.run_states import RunState
from timegate.domain.values.identity import DagId

STEPS = (task("first"), task("second"))
DAG = dag(STEPS, "first -> second", tenant=TENANT, dag_id=DagId(job_id("graph")))
FAILED, SUCCEEDED = RunState.FAILED, RunState.SUCCEEDED


@pytest.fixture
def stages(tmp_path: Path) -> TwoStages:
    """A tenant that leaves one stage for the other."""
    found = TwoStages(tmp_path / "export")
    found.moving().begin(at=minutes(20), now=found.now)
    return found


def started(stages: TwoStages) -> tuple[DagWorld, DagRun]:
    """Start a DAG run in the stage that the tenant leaves."""
    world = DagWorld(world=stages.old)
    return world, world.start(DAG)


def parts(world: World, run: DagRun) -> dict[str, object]:
    """Return what a stage has of a DAG run and its tasks."""
    return {
        place[2]: fields
        for place, fields in held(world, tenant=TENANT).items()
        if run.dag_run_id in place[1] and place[2].startswith(("dag-run", "task#", "governor#"))
    }


def test_a_dag_run_that_was_retried_since_is_there_as_it_ended(stages: TwoStages) -> None:
    """With its tasks; a file of before takes nothing back."""
    world, run = started(stages)
    world.play(run, lambda *_: FAILED)
    first = stages.copy(history=True)
    before = stages.path.rename(stages.path.with_name("before"))
    retry(world, run)
    world.play(run, lambda *_: SUCCEEDED)
    later = stages.copy(history=True)
    early = stages.brought(before)
    arrived = stages.new.dag_runs.get(TENANT, run.dag_run_id)
    states = {each.state for each in stages.new.dag_runs.tasks(TENANT, run.dag_run_id)}

    assert (first.different, later.different, later.told) == (0, 0, [])
    assert [each.rpartition(" ")[2] for each in early.told] == ["dag-run"]
    assert (arrived.status, states) == (DagRunStatus.SUCCEEDED, {"succeeded"})
    assert parts(stages.new, run) == parts(stages.old, run)


def test_tasks_of_a_dag_run_that_goes_on_stay_with_it(stages: TwoStages) -> None:
    """They arrive with the end of their DAG run, and never as they stood before."""
    world, run = started(stages)
    stages.copy(history=True)
    early = parts(stages.new, run)
    world.play(run, lambda *_: SUCCEEDED)
    later = stages.copy(history=True)

    assert (early, later.told) == ({}, [])
    assert parts(stages.new, run) == parts(stages.old, run)
    assert stages.copy(history=True).told == []


def test_a_dag_run_that_is_under_way_again_keeps_its_earlier_end(stages: TwoStages) -> None:
    """With the tasks of that end; it goes on in the stage that it began in."""
    world, run = started(stages)
    world.play(run, lambda *_: FAILED)
    stages.copy(history=True)
    there = parts(stages.new, run)
    retry(world, run)
    later = stages.copy(history=True)

    assert later.told == []
    assert parts(stages.new, run) == there


def test_a_dag_run_of_a_tenant_that_has_not_to_arrive_is_left(tmp_path: Path) -> None:
    """Its callers may have it go on in either stage: the difference is told, its tasks stay."""
    stages = TwoStages(tmp_path / "export")
    world, run = started(stages)
    world.play(run, lambda *_: FAILED)
    stages.copy(history=True)
    there = parts(stages.new, run)
    retry(world, run)
    world.play(run, lambda *_: SUCCEEDED)
    later = stages.copy(history=True)

    assert [each.rpartition(" ")[2] for each in later.told] == ["dag-run"]
    assert parts(stages.new, run) == there
