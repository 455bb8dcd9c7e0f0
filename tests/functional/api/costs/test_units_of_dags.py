"""Write units and calls of a DAG with a schedule: those of the DAG and of its job, in one call."""

from types import ModuleType
from typing import Any

import pytest

from tests.functional.api.costs.test_units_of_jobs import UNITS_OF_A_JOB, calls, units
from tests.functional.api.dag_runs.test_dag_followers import NIGHTLY, created
from tests.support.api import Api, HeardTelemetry
from tests.support.execution.metered import MeteredEngine
from tests.support.stores.records import Records
from tests.support.world import World

#: The DAG, its count and its audit entry in a transaction, and the latter two in ``by_tenant``.
UNITS_OF_A_DAG = 3 * 2 + 2
#: The DAG, its former version and its entry, and that in ``by_tenant``; no count.
UNITS_OF_A_VERSION = 3 * 2 + 1
#: The DAG changes its place in ``by_tenant``, and is counted as ended.
UNITS_OF_AN_END = UNITS_OF_A_VERSION + 2 + 2
#: The job, its former definition and its entry likewise; it leaves a place among the due, and takes
#: one.
UNITS_OF_A_MOVE = 3 * 2 + 1 + 2
#: Its definition stays, and its place among the due is given up.
UNITS_OF_A_CANCELLATION = 3 * 2 + 1 + 1


@pytest.fixture
def world(handler: ModuleType) -> World:
    """Everything behind the API, on tables that count."""
    return World(tables=Records(MeteredEngine()), telemetry=HeardTelemetry())


@pytest.fixture
def dag(api: Api, world: World) -> dict[str, Any]:
    """A nightly one; those before it have allotted the quotas."""
    created(api, schedule=NIGHTLY)
    units(world)
    return created(api, schedule=NIGHTLY)


def test_a_dag_is_created_with_its_job_by_one_call(world: World, dag: dict[str, Any]) -> None:
    """Its units are those of two transactions, and nothing is read."""
    assert dag["job_id"] is not None
    assert calls(world) == {"TransactWriteItems": 1}
    assert units(world) == UNITS_OF_A_DAG + UNITS_OF_A_JOB + 1


def test_an_edit_that_the_job_has_no_part_in_reads_no_job(
    api: Api, world: World, dag: dict[str, Any]
) -> None:
    """It costs as much as that of a DAG without one."""
    bare = created(api)
    for each in (dag, bare):
        units(world)
        api.send("PATCH", f"/v1/dags/{each['dag_id']}", {"description": "Every night."})

        assert calls(world) == {"BatchGetItem": 1, "TransactWriteItems": 1}
        assert units(world) == UNITS_OF_A_VERSION


def test_a_new_schedule_is_stored_with_its_dag(api: Api, world: World, dag: dict[str, Any]) -> None:
    """A read of the DAG and one of the job, and what the job's history has between them."""
    units(world)
    later = NIGHTLY | {"cron": "0 3 * * *"}
    api.send("PATCH", f"/v1/dags/{dag['dag_id']}", {"schedule": later})

    made = calls(world)
    # A request's part of its rate comes with the first of a minute.
    assert {name: made[name] for name in ("BatchGetItem", "GetItem", "TransactWriteItems")} == {
        "BatchGetItem": 1,
        "GetItem": 1,
        "TransactWriteItems": 1,
    }
    assert units(world) - made.get("UpdateItem", 0) == UNITS_OF_A_VERSION + UNITS_OF_A_MOVE


def test_an_end_is_one_transaction(api: Api, world: World, dag: dict[str, Any]) -> None:
    """The DAG and its job end together, and each is counted."""
    units(world)
    api.send("DELETE", f"/v1/dags/{dag['dag_id']}")

    assert calls(world) == {"BatchGetItem": 1, "GetItem": 1, "TransactWriteItems": 1}
    assert units(world) == UNITS_OF_AN_END + UNITS_OF_A_CANCELLATION
