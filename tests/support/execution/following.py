"""Outcomes reads ends, and may die of it."""

from collections.abc import Sequence

from tests.support.execution.overlapping import Crash, Interrupted, Script
from tests.support.world import World
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Throttled
from timegate.usecases.outcomes.follow_ends import follow_ends


def interrupted(world: World, batch: Sequence[Attempt], script: Script) -> None:
    """Outcomes reads a batch and dies in the midst of it, or the store refuses."""
    jobs, runs = world.jobs, world.runs
    world.jobs = Interrupted(jobs, script)  # type: ignore[assignment]
    world.runs = Interrupted(runs, script)  # type: ignore[assignment]
    try:
        follow_ends(batch, world.followers, now=world.clock.now())
    except (Crash, Throttled):
        pass
    finally:
        world.jobs, world.runs = jobs, runs
