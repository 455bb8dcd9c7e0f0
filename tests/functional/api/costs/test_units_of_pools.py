"""Write units of runs that workers of a pool claim when they are due, as AWS bills them."""

from types import ModuleType

import pytest

from tests.support.api import Api, HeardTelemetry
from tests.support.execution.metered import MeteredEngine
from tests.support.pools.worker_requests import claim, offer, say
from tests.support.stores.records import Records
from tests.support.world import World

#: A lease on the shard, taken and given back, and what a worker writes when it asks for work.
UNITS_OF_A_MINUTE = 2 + 1
#: Once in an hour, that the pool was served.
UNITS_OF_AN_HOUR = 1
#: Its plan in steady state: each of seven runs, its share of a move, and its offer.
PLANNED = 2 + 5 / 7 + 1


@pytest.fixture
def world(handler: ModuleType) -> World:
    """Everything behind the API, on tables that count."""
    return World(tables=Records(MeteredEngine()), telemetry=HeardTelemetry())


def worked(api: Api, world: World, minutes: int) -> int:
    """So many minutes, each with a tick and a worker that asks for work; runs that it completed."""
    completed = 0
    for _ in range(minutes):
        world.clock.advance(60)
        world.tick()
        for run in claim(api):
            assert say(api, "complete", run).status == 200
            completed += 1
    return completed


def test_a_run_of_a_minutely_job(api: Api, world: World) -> None:
    """Beside its plan a claim takes three, which moves the offer, and an end three, which removes
    the offer and leaves ``watch``: no claim in time moves the run there.
    """
    offer(api, schedule={"kind": "rate", "every_seconds": 60})
    worked(api, world, 14)
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    engine.reset()
    runs = worked(api, world, 70)

    assert runs == 70
    units = engine.units.total() - 70 * UNITS_OF_A_MINUTE - UNITS_OF_AN_HOUR
    assert units / runs == pytest.approx(PLANNED + 3 + 3)
