"""Outcomes reads ends, and may die of it."""

from collections.abc import Sequence

from tests.support.execution.overlapping import Script, interrupted_stores
from tests.support.world import World
from timegate.domain.runs.run import Attempt
from timegate.usecases.outcomes.follow_ends import follow_ends


def interrupted(world: World, batch: Sequence[Attempt], script: Script) -> None:
    """Outcomes reads a batch and dies in the midst of it, or the store refuses."""
    with interrupted_stores(world, script, "jobs", "runs"):
        follow_ends(batch, world.followers, now=world.clock.now())
