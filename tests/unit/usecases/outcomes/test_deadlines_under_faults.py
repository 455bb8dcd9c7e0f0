"""Deadlines while workers die: each is told of once."""

import pytest

from tests.support.execution.deadlines import due_run, told, with_history
from tests.support.execution.overlapping import Script, crash, interrupted_stores
from tests.support.execution.telling import is_notice
from tests.support.world import World
from timegate.domain.runs.run import RunState


def moments() -> int:
    """Count the store calls while a run is begun too late."""
    script = Script(10_000, crash)
    begin(_late_world(), script)
    return script.moments


def _late_world() -> World:
    world = World()
    with_history(world, seconds=900)
    due_run(world, within=1000)
    world.stream()
    world.clock.advance(250)
    return world


def begin(world: World, script: Script) -> None:
    """A worker begins the run, and dies on the way."""
    with interrupted_stores(world, script, "runs"):
        world.execute(world.receive())


@pytest.mark.parametrize("moment", range(moments()))
def test_a_forecast_is_told_once_whenever_its_worker_dies(moment: int) -> None:
    """Before and after each call to the store."""
    world = _late_world()
    begin(world, Script(moment, crash))
    for _ in range(6):
        world.stream()
        world.settle()
        world.clock.advance(120)
        world.sweep()

    assert told(world) == ["will_be_late"]
    runs = [each for each in world.attempts() if not is_notice(each)]
    assert runs[-1].state is RunState.SUCCEEDED
