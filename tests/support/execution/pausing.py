"""The part of outcomes that pauses failing jobs, in a world in memory."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from timegate.domain.runs.run import Attempt
from timegate.usecases.outcomes.pause_failing_jobs import Pausing, pause_failing_jobs

if TYPE_CHECKING:
    from tests.support.world import World


def pause_failing(ended: Sequence[Attempt], world: "World") -> None:
    """Pause the jobs whose failures these ends complete."""
    pausing = Pausing(
        jobs=world.jobs,
        runs=world.runs,
        telemetry=world.telemetry,
        trail=world.tables.trail,
        scheduling=world.scheduling,
    )
    pause_failing_jobs(ended, pausing, now=world.clock.now())
