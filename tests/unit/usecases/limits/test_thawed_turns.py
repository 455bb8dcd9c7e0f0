"""Turns of runs that a freeze had held back: the sweeper leaves them as they are."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.execution.overlapping import stored
from tests.support.execution.pacing import job, receive
from tests.support.execution.restricting import ALL, freeze
from tests.support.factories import NOW, after
from tests.support.world import World
from timegate.domain.ledger.explanations import explain_run
from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.runs.reserved_turns import own_turn
from timegate.domain.runs.run import Attempt, RunState

ONE_AN_HOUR = RateLimit(calls=1, per=RatePeriod.HOUR)


def _thawed(world: World) -> Attempt:
    """A run that waited for the end of a freeze, and since then for a turn that is far away."""
    receive(world, job(world, "a", at=-1, rate_limit=ONE_AN_HOUR))
    freeze(world, 0, 1200, ALL)
    receive(world, run := job(world, "b", rate_limit=ONE_AN_HOUR))
    assert stored(world, run).frozen_since == NOW
    world.clock.set(after(1200))
    world.tables.put_attempt(replace(stored(world, run), state=RunState.QUEUED))
    receive(world, stored(world, run))
    return stored(world, run)


def test_a_thawed_run_waits_for_its_turn_and_for_no_freeze(world: World) -> None:
    """Its account says so too."""
    waiting = _thawed(world)

    assert (waiting.state, waiting.due_at) == (RunState.WAITING, after(3600))
    assert waiting.frozen_since is None
    assert "freeze" not in explain_run(waiting)


@pytest.mark.parametrize("at", [after(2999), after(3000), after(3060)], ids=str)
def test_a_look_takes_no_turn_from_a_thawed_run(world: World, at: datetime) -> None:
    """It is queued ten minutes before its turn, and begins at it."""
    waiting = _thawed(world)
    world.clock.set(at)
    world.look()
    seen = stored(world, waiting)

    assert seen.due_at == after(3600)
    assert own_turn(seen) is not None


def test_a_later_freeze_holds_a_run_that_waits_for_its_turn(world: World) -> None:
    """It is judged again when it is claimed."""
    waiting = _thawed(world)
    freeze(world, 3500, 9000, ALL)
    world.clock.set(after(3600))
    world.tables.put_attempt(replace(waiting, state=RunState.QUEUED))
    receive(world, waiting)
    held = stored(world, waiting)

    assert (held.state, held.due_at) == (RunState.WAITING, after(9000))
    assert held.frozen_since == after(3600)
