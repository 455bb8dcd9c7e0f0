"""Write units that a job costs, from its creation through the API to its end, as AWS bills them."""

from types import ModuleType

import pytest

from tests.support.api import Api, HeardTelemetry, new_job
from tests.support.execution.metered import MeteredEngine
from tests.support.factories import TENANT
from tests.support.stores.records import Records
from tests.support.world import World
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import RunState
from timegate.domain.tenants.tenant_settings import TenantSettings

#: The job, its count and its audit entry in a transaction; job and entry in ``by_tenant``.
UNITS_OF_A_JOB = 3 * 2 + 2
#: In the same transaction, and its place in ``watch``.
UNITS_OF_A_FIRST_RUN = 2 + 1
#: One that ends soon is not counted, as long as its tenant is far from its quota, and its record
#: has the entry of its creation: it and its run are two writes, and their places in two indexes.
UNITS_OF_A_ONE_SHOT = 2 * (1 + 1)


@pytest.fixture
def world(handler: ModuleType) -> World:
    """Everything behind the API, on tables that count."""
    return World(tables=Records(MeteredEngine()), telemetry=HeardTelemetry())


def units(world: World) -> float:
    """Return the units written since the last call."""
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    used = engine.units.total()
    engine.reset()
    return used


def calls(world: World) -> dict[str, int]:
    """The calls since units were asked for last."""
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    return dict(engine.calls)


def create(api: Api, schedule: dict[str, object], **headers: str) -> None:
    """Create a job; one before it has allotted the quota, and taken its part of the rate."""
    api.create(name="before", schedule={"kind": "manual"})
    units(api.world)
    assert api.send("POST", "/v1/jobs", new_job(schedule=schedule), **headers).status == 201


def test_a_job_is_stored_with_its_first_runs(api: Api, world: World) -> None:
    """One transaction; the job is moved by none, and never enters ``due`` to leave it again."""
    create(api, {"kind": "rate", "every_seconds": 60})

    assert len(world.attempts()) == 10
    assert calls(world)["TransactWriteItems"] == 1
    assert units(world) == UNITS_OF_A_JOB + 1 + 10 * UNITS_OF_A_FIRST_RUN


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param({"kind": "immediate"}, id="immediate"),
        pytest.param({"kind": "delay", "delay_seconds": 5}, id="soon"),
        pytest.param({"kind": "delay", "delay_seconds": 150}, id="before-the-next-tick"),
    ],
)
@pytest.mark.parametrize(
    ("headers", "reads"),
    [
        pytest.param({}, 1, id="without-a-key"),
        pytest.param({"Idempotency_Key": "one"}, 2, id="under-a-key"),
    ],
)
def test_a_one_shot_is_stored_after_its_run(
    api: Api, world: World, schedule: dict[str, object], headers: dict[str, str], reads: int
) -> None:
    """Two writes; a key that may have a job is looked up before. The tenant is read in any case."""
    create(api, schedule, **headers)

    assert len(world.attempts()) == 1
    counted = calls(world)
    assert (counted["PutItem"], counted["GetItem"]) == (2, reads)
    assert "TransactWriteItems" not in counted
    assert units(world) == UNITS_OF_A_ONE_SHOT


def test_a_job_of_later_costs_its_place_among_the_due(api: Api, world: World) -> None:
    """A tick stores its run."""
    create(api, {"kind": "delay", "delay_seconds": 151})

    assert world.attempts() == []
    assert units(world) == UNITS_OF_A_JOB + 1


def test_write_units_of_a_one_shot_from_its_creation_to_its_end(api: Api, world: World) -> None:
    """Claim, end and completion take one each, and two units close the end: 9 in all."""
    create(api, {"kind": "immediate"})
    world.stream()
    created = units(world)
    world.execute(world.receive())
    executed = units(world)
    world.stream()

    assert world.states() == [RunState.SUCCEEDED]
    assert created == UNITS_OF_A_ONE_SHOT
    assert (executed, units(world)) == (2, 1 + 2)


def near_its_quota(api: Api, world: World) -> None:
    """A tenant with a small quota: each of its jobs is counted."""
    settings = TenantSettings(tenant=TENANT, quotas=Quotas(jobs=100))
    world.tenants.put(TENANT, TenantSettings(tenant=TENANT), settings)


def test_a_one_shot_near_the_quota_is_counted(api: Api, world: World) -> None:
    """Two units with its creation, and of its end two more for the count, and one for the job."""
    near_its_quota(api, world)
    create(api, {"kind": "immediate"})
    world.stream()
    created = units(world)
    world.execute(world.receive())
    executed = units(world)
    world.stream()

    assert world.states() == [RunState.SUCCEEDED]
    assert (created, executed, units(world)) == (UNITS_OF_A_JOB + UNITS_OF_A_FIRST_RUN, 2, 4 + 2)


def test_one_shots_that_end_together_share_their_calls(api: Api, world: World) -> None:
    """Ten ends are one call, ten completions another, and one closes the ends."""
    assert ten_that_end_together(api, world) == (10 * 2, 10 * 1 + 10 * 2)
    assert calls(world) == {"BatchExecuteStatement": 2}
    assert world.states() == [RunState.SUCCEEDED] * 10


def test_counted_one_shots_that_end_together_share_their_count(api: Api, world: World) -> None:
    """One transaction completes their jobs, and counts them once."""
    near_its_quota(api, world)

    assert ten_that_end_together(api, world) == (10 * 2, 10 * 2 + 2 + 10 * 2)
    assert calls(world) == {"TransactWriteItems": 1, "BatchExecuteStatement": 1}
    assert world.states() == [RunState.SUCCEEDED] * 10


def ten_that_end_together(api: Api, world: World) -> tuple[float, float]:
    """Units of executors and of outcomes; the calls of the latter are left to ask for."""
    api.create(name="before", schedule={"kind": "manual"})
    for number in range(10):
        api.create(name=str(number), schedule={"kind": "immediate"})
    world.stream()
    units(world)
    world.execute(world.receive())
    assert calls(world) == {"BatchGetItem": 1, "BatchExecuteStatement": 2}
    executed = units(world)
    world.stream()
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    return executed, engine.units.total()


@pytest.mark.parametrize(("headers", "kept"), [({}, 0), ({"Idempotency_Key": "one"}, 1)])
@pytest.mark.parametrize("count", [1, 10, 40])
def test_a_trigger_of_a_batch_costs_its_run_and_its_entry(
    api: Api, world: World, headers: dict[str, str], kept: int, count: int
) -> None:
    """The key of the batch is one write; one of each trigger would cost two units each."""
    job_id = api.create(schedule={"kind": "manual"})["job_id"]
    units(world)
    triggers = [{"payload": number} for number in range(count)]
    api.send("POST", f"/v1/jobs/{job_id}/trigger/batch", {"triggers": triggers}, **headers)

    # Run and entry in a transaction, the run's place in ``watch``, the entry's in ``by_tenant``.
    assert units(world) == kept + count * (2 * 2 + 1 + 1)


def test_a_trigger_that_collapses_costs_its_window(api: Api, world: World) -> None:
    """In the transaction of run and entry; a run that is replaced is written, leaves ``watch``, and
    has an entry of its own in ``by_tenant``. Without a rule a trigger costs what it did.
    """
    job_id = api.create(schedule={"kind": "manual"}, collapse={"span_seconds": 60})["job_id"]
    path = f"/v1/jobs/{job_id}/trigger"
    units(world)
    api.send("POST", path, {"payload": 1, "collapse": None})
    plain = units(world)
    api.send("POST", path, {"payload": 1})
    opened = units(world)
    api.send("POST", path, {"payload": 2})
    replaced = units(world)

    assert plain == 2 * 2 + 1 + 1
    assert opened == plain + 2
    assert replaced == opened + 2 * 2 + 2
