"""Recounts: what there is against what was counted, and the one write that sets it right."""

from typing import TYPE_CHECKING

import pytest

from infra.admin.quotas import look_after
from tests.contract.conftest import NewStores
from tests.support.factories import OTHER_TENANT, TENANT, job_id
from tests.support.stores.contract_stores import Stores
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import dag, task
from timegate.adapters.dynamo.limits.creations import PARTS
from timegate.domain.execution.quota_usage import Quota, Usage
from timegate.domain.jobs.job import JobStatus
from timegate.domain.values.identity import dag_id_from
from timegate.usecases.auditing.recount import recount, repair

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def at_once() -> None:
    """Wait for nothing: the index of these engines is never late."""


def fill(stores: Stores) -> None:
    """Three jobs of which one is over, a DAG, and another tenant's."""
    for name in ("a", "b"):
        stores.add_job(job_id=job_id(name))
    over = stores.add_job(job_id=job_id("c"), next_run_at=None)
    assert stores.jobs.complete(TENANT, over.job_id, now=over.updated_at)
    stores.add_job(job_id=job_id("d"), status=JobStatus.PAUSED)
    stores.add_job(job_id=job_id("e"), tenant=OTHER_TENANT)
    stores.dags.create(dag((task("a"),), tenant=TENANT, dag_id=dag_id_from(b"1")))


def drift(stores: Stores, quota: Quota, by: int) -> None:
    """Store a count as if records had been written by hand."""
    assert stores.usage.correct(TENANT, quota, stores.usage.tallied(TENANT, quota), by=by)


@pytest.mark.parametrize(("quota", "present"), [(Quota.JOBS, 3), (Quota.DAGS, 1)])
def test_what_is_right_is_found_to_be(stores: Stores, quota: Quota, present: int) -> None:
    """Jobs that are over do not count, nor do those of others."""
    fill(stores)
    found = recount(TENANT, quota, stores.usage, at_once, most=10)

    assert found is not None
    assert (found.present, found.drift) == (present, 0)


@pytest.mark.parametrize("by", [2, -3], ids=["too many", "too few"])
@pytest.mark.parametrize("quota", [Quota.JOBS, Quota.DAGS])
def test_what_has_drifted_is_found_and_set_right(stores: Stores, quota: Quota, by: int) -> None:
    """By one write; and only once."""
    fill(stores)
    drift(stores, quota, by)
    found = recount(TENANT, quota, stores.usage, at_once, most=10)
    assert found is not None
    repaired = [repair(found, stores.usage), repair(found, stores.usage)]

    assert found.drift == -by
    assert repaired == [True, False]
    assert stores.usage.usage(TENANT) == Usage(jobs=3, dags=1)


def test_a_repair_that_is_overtaken_writes_nothing(stores: Stores) -> None:
    """A job was made since: it is counted, and the next recount sees it."""
    fill(stores)
    drift(stores, Quota.JOBS, 5)
    found = recount(TENANT, Quota.JOBS, stores.usage, at_once, most=10)
    stores.add_job(job_id=job_id("new"))
    assert found is not None

    assert not repair(found, stores.usage)
    assert stores.usage.usage(TENANT).jobs == 9


def test_too_much_to_look_at_proves_nothing(stores: Stores) -> None:
    """At the limit it is counted, beyond it not: those that are over are looked at as well."""
    fill(stores)

    assert recount(TENANT, Quota.JOBS, stores.usage, at_once, most=4) is not None
    assert recount(TENANT, Quota.JOBS, stores.usage, at_once, most=3) is None


def test_operators_recount_and_repair(stores: Stores) -> None:
    """They are told what is wrong; asked to, the command sets it right."""
    fill(stores)
    drift(stores, Quota.JOBS, -3)
    said: list[str] = []
    found = [
        look_after(TENANT, stores.usage, said.append, repairs=repairs, settle=at_once)
        for repairs in (False, True, False)
    ]

    assert found == [False, True, True]
    assert said[:2] == [
        "jobs: 0 counted, 3 present",
        "jobs: NOT set right",
    ]


def test_jobs_of_before_there_were_counts_are_counted(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """The counts did not exist when those jobs were made."""
    stores = new_dynamo_stores()
    fill(stores)
    table = stores.jobs._table  # type: ignore[attr-defined]
    for part in ("made", *(f"made#{number:02d}" for number in range(PARTS)), "ended#00"):
        key = {"pk": {"S": f"{TENANT}#quota"}, "sk": {"S": f"jobs#{part}"}}
        dynamodb.delete_item(TableName=table, Key=key)
    ended = stores.usage.tallied(TENANT, Quota.JOBS).ended
    found = recount(TENANT, Quota.JOBS, stores.usage, at_once, most=10)
    assert found is not None
    repair(found, stores.usage)

    assert found.drift == 3 + ended
    assert stores.usage.usage(TENANT).jobs == 3


def test_a_recount_costs_a_read_for_each_job(
    dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores
) -> None:
    """And two of the counts, and one of the index for a hundred."""
    stores = new_dynamo_stores()
    fill(stores)
    with recorded(dynamodb) as of_jobs:
        recount(TENANT, Quota.JOBS, stores.usage, at_once, most=10)
    with recorded(dynamodb) as of_dags:
        recount(TENANT, Quota.DAGS, stores.usage, at_once, most=10)

    assert of_jobs == {"Query": 3, "GetItem": 4}
    assert of_dags == {"Query": 3}
