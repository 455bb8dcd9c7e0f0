"""A dead letter whose run went on: its attempt in the region before arrived once that was back."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.factories import TENANT
from tests.support.operations.burying import dead_factory
from tests.support.world import World
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import NotDeadLettered
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter

GIVEN_UP = replace(dead_factory(-5), reason=Reason.REGION_LOST)
WENT_ON = replace(
    GIVEN_UP, id=replace(GIVEN_UP.id, number=2), state=RunState.SUCCEEDED, reason=None, error=None
)


@pytest.fixture
def world() -> World:
    """A job, and a run of it that was given up here and had succeeded there."""
    world = World()
    world.add_job(version=3)
    for attempt in (GIVEN_UP, WENT_ON):
        world.tables.put_attempt(attempt)
    return world


def settle(world: World, settled: Settled) -> tuple[Attempt, ...]:
    """Settle it as the API does."""
    asked = SettleRequest(tenant=TENANT, run=GIVEN_UP.id.run, settled=settled, by="ann")
    return settle_dead_letter(asked, api_services(world), now=world.clock.now())


def test_it_is_discarded_and_its_run_stays_as_it_ended(world: World) -> None:
    """No list has it for ever."""
    first, last = settle(world, Settled.DISCARDED)
    found = world.dead_letters.list_dead_letters(TENANT, DeadLetterFilter(), limit=9, cursor=None)

    assert first.resolution is not None
    assert (first.id, first.resolution.settled) == (GIVEN_UP.id, Settled.DISCARDED)
    assert last == WENT_ON
    assert found.rows == ()
    assert world.attempts() == [first, last]


def test_it_is_not_redriven(world: World) -> None:
    """Its run succeeded."""
    with pytest.raises(NotDeadLettered, match="succeeded"):
        settle(world, Settled.REDRIVEN)

    assert world.attempts() == [GIVEN_UP, WENT_ON]


def test_it_is_discarded_once(world: World) -> None:
    """The second caller learns how its run ended."""
    settle(world, Settled.DISCARDED)
    with pytest.raises(NotDeadLettered, match="succeeded"):
        settle(world, Settled.DISCARDED)
