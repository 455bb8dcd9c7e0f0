"""Wide DAG runs: one look takes ten seconds and a task at most, and the next one goes on."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.support.dag_runs import dag_world
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskState
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dags.definition import Dag, FailurePolicy, FanOut
from timegate.domain.dags.limits import MAX_FAN_OUT_WIDTH
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.members import last_runs
from timegate.usecases.dag_runs.stopping.call_off import call_off
from timegate.usecases.dag_runs.tasks.turns import LOOK_TIME

TASKS, WIDTH = 5, 4
KEYS = tuple(TaskKey(f"part{number}") for number in range(TASKS))
PARTS = json.dumps({"parts": list(range(WIDTH))})


def wide(*, policy: FailurePolicy = FailurePolicy.CONTINUE, first: bool = False) -> Dag:
    """Fan-outs over the parameters, side by side; behind a first task, if there is one."""
    parts = tuple(task(key, fan_out=FanOut(over="parameters.parts")) for key in KEYS)
    arrows = [f"first -> {key}" for key in KEYS] if first else []
    return dag((*([task("first")] if first else []), *parts), *arrows, failure_policy=policy)


def slow(store: Any, name: str, world: DagWorld, seconds: float) -> None:  # noqa: ANN401 - any store
    """Let each call of a store take so long."""
    call: Callable[..., Any] = getattr(store, name)

    def slowly(*args: object, **kwargs: object) -> object:
        world.world.clock.advance(seconds)
        return call(*args, **kwargs)

    setattr(store, name, slowly)


def seconds_of(world: DagWorld, act: Callable[[], object]) -> float:
    began = world.world.clock.now()
    act()
    return (world.world.clock.now() - began).total_seconds()


def looks_of(world: DagWorld, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that each look takes from now on."""
    looks: list[float] = []

    def measured(refs: Sequence[DagRunRef], works: DagWorks) -> None:
        looks.append(seconds_of(world, lambda: look_at_dag_runs(refs, works)))

    monkeypatch.setattr(dag_world, "look_at_dag_runs", measured)
    return looks


def look(world: DagWorld, run: DagRun) -> None:
    look_at_dag_runs([DagRunRef(tenant=run.tenant, id=run.dag_run_id)], world.works)


def cancelled(world: DagWorld) -> int:
    return sum(each.state is RunState.CANCELLED for each in world.world.attempts())


def test_a_cancel_goes_on_in_the_next_look() -> None:
    """Runs of the first task are cancelled by one look, and all in the end."""
    world = DagWorld()
    run = world.start(wide(), parameters=PARTS)
    slow(world.world.runs, "replace", world, LOOK_TIME.total_seconds() / WIDTH)
    call_off(run, world.dag_runs, world.world.telemetry, now=world.world.clock.now())
    took = seconds_of(world, lambda: look(world, run))

    assert (took, cancelled(world)) == (LOOK_TIME.total_seconds(), WIDTH)

    world.follow()

    assert cancelled(world) == TASKS * WIDTH
    assert world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.CANCELLED


def test_a_dag_run_that_fails_fast_winds_down_in_several_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tasks that the failure cancels, one after the other."""
    world = DagWorld()
    run = world.start(wide(policy=FailurePolicy.FAIL_FAST), parameters=PARTS)
    failing = [each for each in world.waiting() if "part0" in str(each.id)]
    ended = [world.finish(each, RunState.FAILED) for each in failing]
    slow(world.world.runs, "replace", world, LOOK_TIME.total_seconds() / WIDTH)
    looks = looks_of(world, monkeypatch)
    world.hear(*ended)

    assert max(looks) == LOOK_TIME.total_seconds()
    assert cancelled(world) == (TASKS - 1) * WIDTH
    assert world.dag_runs.get(run.tenant, run.dag_run_id).status is DagRunStatus.FAILED


@pytest.mark.parametrize("first", [False, True], ids=["opened", "behind a task"])
def test_tasks_that_may_begin_at_once_begin_in_several_looks(
    monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    """One has begun when the time of the look is over, and all have after the next ones."""
    world = DagWorld()
    started: list[float] = []
    insert_all = world.world.runs.insert_all

    def slowly(attempts: Sequence[Any]) -> list[bool]:
        started.append(len(attempts))
        world.world.clock.advance(LOOK_TIME.total_seconds())
        return insert_all(attempts)

    world.world.runs.insert_all = slowly  # type: ignore[method-assign]
    looks = looks_of(world, monkeypatch)
    run = world.start(wide(first=first), parameters=PARTS)
    if first:
        (attempt,) = world.waiting()
        world.hear(world.finish(attempt, RunState.SUCCEEDED))
    world.follow()
    states = {world.tasks(run)[key].state for key in KEYS}

    assert states == {TaskState.RUNNING}
    assert started == [WIDTH] * TASKS
    assert max(looks) == LOOK_TIME.total_seconds()


def test_ends_in_wide_dag_runs_are_looked_for_task_by_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of tasks that have ended are not read any more; where runs are few, all are."""
    world = DagWorld()
    run = world.start(wide(), parameters=PARTS)
    done = [each for each in world.waiting() if "part0" in str(each.id)]
    world.hear(*(world.finish(each, RunState.SUCCEEDED, result="1") for each in done))
    asked: list[object] = []
    attempts = world.dag_runs.attempts

    def noted(run: DagRun, **only: Any) -> Any:  # noqa: ANN401 - as the store takes them
        asked.append(only.get("key"))
        return attempts(run, **only)

    monkeypatch.setattr(world.dag_runs, "attempts", noted)
    look(world, run)

    assert asked == [None]

    asked.clear()
    monkeypatch.setattr(last_runs, "FEW", TASKS * WIDTH - 1)
    look(world, run)

    assert asked == [*KEYS[1:]]


def test_a_fan_out_of_the_greatest_width_is_read_at_once() -> None:
    """A look at it alone costs what it cost."""
    assert last_runs.FEW == MAX_FAN_OUT_WIDTH
