"""Runs with a deadline, and what was told of it."""

from datetime import timedelta
from typing import Any

from tests.support.execution.telling import hook, notices, telling
from tests.support.factories import TENANT, after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.finishing import FEWEST_RUNS
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.stores import AttemptRef

BOTH = hook(Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE)
#: Recent runs took so long.
USUAL = 100


def with_history(world: World, *, runs: int = FEWEST_RUNS, seconds: float = USUAL) -> None:
    """Runs of the past that succeeded, each within this time."""
    world.runs.insert_all(
        [
            attempt_factory(
                id=attempt_id(scheduled_at=after(-3600 * n)),
                due_at=after(-3600 * n),
                state=RunState.SUCCEEDED,
                started_at=after(-3600 * n),
                ended_at=after(-3600 * n + seconds),
                watch_at=None,
            )
            for n in range(1, runs + 1)
        ]
    )


def due_run(world: World, *, within: int = 300, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run with a deadline so many seconds after it is due."""
    finish_by = FinishBy(within_seconds=within)
    return telling(world, BOTH, finish_by=finish_by, **fields)[1]


def stored(world: World, attempt: Attempt) -> Attempt:
    """The attempt as it is on record."""
    (found,) = world.runs.load_all([AttemptRef(tenant=TENANT, id=attempt.id)])
    assert found.attempt is not None
    return found.attempt


def finish(world: World, attempt: Attempt) -> Finish:
    """Its deadline as it is on record."""
    known = stored(world, attempt).finish
    assert known is not None
    return known


def told(world: World) -> list[str]:
    """The occasions of all notices, in order of their instants."""
    made = sorted(notices(world), key=lambda notice: notice.due_at)
    return [notice.id.run.about.split("-")[1] for notice in made]


def look_on(world: World, seconds: float) -> None:
    """Time passes, with a look every twelve seconds; no message is received."""
    until = world.clock.now() + timedelta(seconds=seconds)
    while world.clock.now() < until:
        world.clock.wait_until(min(until, world.clock.now() + timedelta(seconds=12)))
        world.look()
