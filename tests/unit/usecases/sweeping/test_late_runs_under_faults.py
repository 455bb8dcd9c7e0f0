"""Late starts while the sweeper dies: each is told of once."""

import pytest

from tests.support.execution.overlapping import Script, crash, interrupted_stores
from tests.support.execution.telling import documents, hook, is_notice, notices, run_all, telling
from tests.support.factories import after
from tests.support.world import World
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import RunState


def swept(world: World, until: float) -> None:
    """Let looks of the sweeper pass until then; no worker comes."""
    while world.clock.now() < after(until):
        world.clock.advance(12)
        world.look()


def moments() -> int:
    """Count the calls of the store while the sweeper finds a late run."""
    script = Script(10_000, crash)
    _look(_late_world(), script)
    return script.moments


def _late_world() -> World:
    world = World()
    telling(world, hook(Occasion.LATE), late_after_seconds=300)
    swept(world, 300)
    world.clock.advance(12)
    return world


def _look(world: World, script: Script) -> None:
    with interrupted_stores(world, script, "runs"):
        world.look()


@pytest.mark.parametrize("moment", range(moments()))
def test_a_late_run_is_told_of_once_whenever_the_sweeper_dies(moment: int) -> None:
    """Before and after each call to the store."""
    world = _late_world()
    _look(world, Script(moment, crash))
    swept(world, 600)
    run_all(world)

    assert len(notices(world)) == 1
    assert len({each["notification_id"] for each in documents(world)}) == 1
    runs = [each for each in world.attempts() if not is_notice(each)]
    assert [each.state for each in runs] == [RunState.SUCCEEDED]
